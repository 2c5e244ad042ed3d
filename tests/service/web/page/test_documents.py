"""The documents that are served, and what they lead to."""

from __future__ import annotations

import re

import pytest

from service.core.settings.config import ROOT
from service.web.page.files import reference
from tests.contract import problem_schemas
from tests.support.cast import sqlite_only

pytestmark = sqlite_only

PAGES = ("/docs/record", "/docs/clients", "/docs/changes", "/docs/api")


@pytest.mark.parametrize("path", PAGES)
def test_every_link_of_a_document_leads_somewhere(client, path):
    page = client.get(path).get_data(as_text=True)
    links = set(re.findall(r'(?:href|src)="(/[^"#]*)', page))
    assert links
    for link in links:
        assert client.get(link).status_code == 200, link


def test_the_guide_links_what_is_served_and_nothing_else(client):
    page = client.get("/docs/clients").get_data(as_text=True)
    assert '<a href="/docs/record">' in page and '<a href="/openapi.yaml">' in page
    assert '<a href="/docs/examples/bot.py"><code>bot.py</code></a>' in page
    assert not re.findall(r'href="(?!/|#|https:)', page)


def test_examples_are_saved_and_not_run(client):
    for name in ("bot.py", "play.html"):
        answer = client.get(f"/docs/examples/{name}")
        assert answer.get_data() == (ROOT / "examples" / name).read_bytes()
        assert answer.mimetype == "text/plain"
        assert answer.headers["Content-Disposition"].startswith("attachment")
    for name in ("nothing.py", "..%2Fopenapi.yaml", "__pycache__"):
        assert client.get(f"/docs/examples/{name}").status_code == 404


def test_the_reference_brings_its_own_files_which_may_be_kept(client):
    for path in reference.names():
        plain = client.get(path)
        assert plain.status_code == 200 and plain.get_data()
        assert "immutable" in plain.headers["Cache-Control"]
        short = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert short.headers["Content-Encoding"] == "gzip"
        assert len(short.get_data()) < len(plain.get_data()) or path == reference.names().start
    page = client.get("/docs/api").get_data(as_text=True)
    assert not re.search(r"<script(?! src=)|<style| style=|//", page.replace("<!doctype", ""))
    assert client.get("/docs/api/0.0/swagger-ui.css").status_code == 404


def test_every_type_of_problem_has_its_page(client):
    for schema in problem_schemas().values():
        path = schema["properties"]["type"]["const"]
        page = client.get(path)
        assert (page.status_code, page.mimetype) == (200, "text/html"), path
