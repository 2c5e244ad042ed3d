"""Documents for authors of programs: the contract of the API and its reference, guides, examples, problem types."""

from __future__ import annotations

import functools
import posixpath
import re
from pathlib import Path

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.core.settings.config import ROOT
from service.core.words.words import LANGUAGES, phrases
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.headers.whole_files import whole_file
from service.web.page.files import reference
from service.web.page.page_schemas import PageQuery
from service.web.page.rendering import html_answer, page, words_for

bp = Blueprint("documents", __name__)
LANGUAGE = "en"
"""The only language of all documents for programmers."""
SERVED = {
    "openapi.yaml": "/openapi.yaml",
    "docs/openapi.json": "/openapi.json",
    "docs/openapi-playing.yaml": "/openapi-playing.yaml",
    "docs/openapi-playing.json": "/openapi-playing.json",
    "docs/openapi-pages.yaml": "/openapi-pages.yaml",
    "docs/openapi-pages.json": "/openapi-pages.json",
    "docs/reference": "/docs/api",
    "docs/record.md": "/docs/record",
    "docs/record.schema.json": "/api/records/schema",
    "docs/clients.md": "/docs/clients",
    "docs/api-changes.md": "/docs/changes",
}
"""The addresses at which linked files are served, by their place in the clone. Examples keep their names."""
DESCRIBED = '</openapi.yaml>; rel="service-desc", </docs/api>; rel="service-doc"'
"""The `Link` header that points to the descriptions of the API for programs and for people (RFC 8631)."""
EXAMPLES = ROOT / "examples"


@bp.get("/docs", endpoint="get_documents", defaults={"name": "docs/programs.md"})
@bp.get("/api", endpoint="get_api", defaults={"name": "docs/programs.md"})
@bp.get("/docs/record", endpoint="get_record_document", defaults={"name": "docs/record.md"})
@bp.get("/docs/clients", endpoint="get_clients_document", defaults={"name": "docs/clients.md"})
@bp.get("/docs/changes", endpoint="get_changes_document", defaults={"name": "docs/api-changes.md"})
def get_document(name: str) -> Response:
    """Return a document: the description of records, the guide for authors of clients, or the changes of the API."""
    body = document(name)
    title = body.partition("<h1>")[2].partition("</h1>")[0]
    answer = html_answer("document.html", phrases(LANGUAGE), title=title, body=body)
    answer.headers["Link"] = DESCRIBED
    return answer


@bp.get("/docs/examples/<file_name>")
def get_example(file_name: str) -> Response:
    """Return an example as a file to save: it is not part of this server's page. Raises NotFound."""
    file = next((each for each in EXAMPLES.iterdir() if each.name == file_name), None)
    if file is None:
        raise NotFound
    answer = whole_file(file, "text/plain")
    answer.headers["Content-Disposition"] = f"attachment; filename={file.name}"
    return answer


@bp.get("/docs/api")
def get_reference() -> Response:
    """Return the contract as a page drawn by Swagger UI."""
    return html_answer("reference.html", phrases(LANGUAGE), reference=reference.names())


@bp.get("/openapi.yaml", endpoint="get_openapi", defaults={"name": "openapi"})
@bp.get("/openapi-playing.yaml", endpoint="get_playing", defaults={"name": "docs/openapi-playing"})
@bp.get("/openapi-pages.yaml", endpoint="get_pages", defaults={"name": "docs/openapi-pages"})
def get_contract(name: str) -> Response:
    """Return the contract of the API, the part of it that a program needs to play, or the contract of the pages."""
    return whole_file(ROOT / f"{name}.yaml", "application/yaml")


@bp.get("/openapi.json", endpoint="get_openapi_json", defaults={"name": "docs/openapi"})
@bp.get(
    "/openapi-playing.json", endpoint="get_playing_json", defaults={"name": "docs/openapi-playing"}
)
@bp.get("/openapi-pages.json", endpoint="get_pages_json", defaults={"name": "docs/openapi-pages"})
def get_contract_as_json(name: str) -> Response:
    """Return one of the three contracts of `get_contract`, as JSON."""
    answer = whole_file(ROOT / f"{name}.json", "application/json")
    answer.headers["Content-Language"] = LANGUAGE
    return answer


@bp.get("/problems/<slug>")
@parse_query(PageQuery)
def get_problem(query: Json, slug: str) -> Response:
    """Return the page that explains a problem type. Raises NotFound."""
    known, start = phrases(LANGUAGES[0]), f"problem.{slug}."
    if known.get(f"{start}title") is None:
        raise NotFound
    details = [f"{start}detail"]
    if known.get(details[0]) is None:  # the `why` of the problem has several possible reasons
        details = [
            each for each in known.messages if each.startswith(start) and each != f"{start}title"
        ]
    return page("problem.html", words_for(query), slug=slug, details=details)


@functools.cache
def document(name: str) -> str:
    """A document of `docs/` as HTML, without raw HTML in it; its links lead to this server's addresses."""
    from markdown_it import MarkdownIt  # no other page needs it, and the worker does not either

    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    made: str = markdown.render((ROOT / name).read_text(encoding="utf-8"))
    return re.sub(r'<a href="([^"]+)">(.*?)</a>', functools.partial(_link, name), made)


def _link(name: str, found: re.Match[str]) -> str:
    """A link in the document `name`: to a served file or another site; otherwise only its text."""
    target, _, place = found[1].partition("#")
    if ":" in target or not target:
        return found[0]
    path = posixpath.normpath(Path(name).parent.joinpath(target).as_posix())
    served = SERVED.get(path)
    if path.startswith("examples/"):
        served = f"/docs/{path}"
    if served is None:
        return found[2]
    return f'<a href="{served}{f"#{place}" if place else ""}">{found[2]}</a>'
