"""The documents that are served, and the targets of their links."""

from __future__ import annotations

import gzip
import re

import brotli
import pytest
import yaml

from service.core.settings.config import ROOT
from service.web.page.files import reference
from tests.contract import problem_schemas
from tests.support.cast import sqlite_only

pytestmark = sqlite_only

PAGES = ("/docs", "/api", "/docs/record", "/docs/clients", "/docs/changes", "/docs/api")
CONTRACTS = {
    "/openapi": "openapi.yaml",
    "/openapi-playing": "docs/openapi-playing.yaml",
    "/openapi-pages": "docs/openapi-pages.yaml",
}
UNPACKED = {"gzip": gzip.decompress, "br": brotli.decompress}


@pytest.mark.parametrize("path", PAGES)
def test_every_link_of_a_document_leads_somewhere(client, path):
    page = client.get(path).get_data(as_text=True)
    links = set(re.findall(r'(?:href|src)="(/[^"#]*)', page))
    assert links
    for link in links:
        assert client.get(link).status_code == 200, link


@pytest.mark.parametrize("path", CONTRACTS)
def test_each_document_is_served_as_yaml_and_as_json_and_compressed(client, path):
    written = (ROOT / CONTRACTS[path]).read_bytes()
    answer = client.get(f"{path}.yaml")
    assert (answer.mimetype, answer.data) == ("application/yaml", written)
    as_json = client.get(f"{path}.json")
    assert as_json.mimetype == "application/json"
    assert as_json.json == yaml.load(written, yaml.CSafeLoader)
    for kind, whole in ((".yaml", answer.data), (".json", as_json.data)):
        for encoding, unpacked in UNPACKED.items():
            short = client.get(f"{path}{kind}", headers={"Accept-Encoding": encoding})
            assert short.headers["Content-Encoding"] == encoding
            assert unpacked(short.data) == whole and len(short.data) < len(whole) / 4
            assert "Accept-Encoding" in short.headers["Vary"]
    tags = {client.get(f"{path}{each}").headers["ETag"] for each in (".yaml", ".json")}
    assert len(tags) == 2


def test_whoever_looks_for_the_api_is_led_to_its_documents(client):
    for path in ("/api", "/docs"):
        page = client.get(path)
        assert page.mimetype == "text/html"
        assert '</openapi.yaml>; rel="service-desc"' in page.headers["Link"]
        for link in (
            "/docs/clients",
            "/openapi.yaml",
            "/openapi.json",
            "/openapi-playing.yaml",
            "/docs/api",
        ):
            assert f'href="{link}"' in page.text


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
