"""How a page is made of its template."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, render_template

from rules.kernel import Json
from service.core.words.words import Phrases, phrases
from service.web.http.caller.accept_language import preferred_language
from service.web.http.caller.context import current_services
from service.web.page.files.serving import names


def html_answer(
    template: str, language: str, words: Phrases, values: Mapping[str, object]
) -> Response:
    """A page made of a template."""
    html = render_template(template, language=language, words=words, files=names(), **values)
    return Response(html, headers={"Content-Language": language})


def preview(name: str) -> str:
    """The address of the picture that messengers show beside a link."""
    return f"{current_services().config.public_url}/previews/{name}.png"


def page(
    template: str,
    query: Json | None = None,
    *,
    status: int = 200,
    ruleset: str | None = None,
    version: int | None = None,
    **values: object,
) -> Response:
    """A page in the language that the query names, or else in the caller's, with the words of a `ruleset`, if any."""
    language = (query or {}).get("lang") or preferred_language()
    response = html_answer(template, language, phrases(language, ruleset, version), values)
    response.status_code = status
    response.headers["Vary"] = "Accept-Language"
    return response
