"""The files of the page: only those are served, and each says what it is."""

from __future__ import annotations

import pytest

from service.core.config import ROOT
from tests.support.cast import sqlite_only

pytestmark = sqlite_only

FILES = sorted(path.relative_to(ROOT / "web").as_posix() for path in (ROOT / "web").rglob("*.*"))
KINDS = {
    "html": "text/html",
    "css": "text/css",
    "js": "text/javascript",
    "svg": "image/svg+xml",
}
NOT_SERVED = (
    "/.git/config",
    "/.gitignore",
    "/base",
    "/base/",
    "/base/.",
    "/base/../index.html",
    "/base/..%2f..%2fpyproject.toml",
    "/web/index.html",
    "/data/secret.key",
    "/data/tegami.sqlite3",
    "/secret.key",
    "/requirements.txt",
    "/service/app.py",
    "/app.js~",
    "/app.js.bak",
    "/.app.js.swp",
    "/app.js.gz",
    "/app.js/",
    "/APP.JS",
    "//etc/passwd",
)


@pytest.mark.parametrize("path", NOT_SERVED)
def test_nothing_but_the_files_of_the_page_is_served(client, path):
    assert client.get(path).status_code == 404


def test_the_page_consists_of_four_kinds_of_files(client):
    assert {path.rpartition(".")[2] for path in FILES} == set(KINDS)
    for path in FILES:
        answer = client.get(f"/{path}".removesuffix("index.html"))
        assert answer.status_code == 200
        assert answer.mimetype == KINDS[path.rpartition(".")[2]]


def test_every_text_says_that_it_is_utf_8(client):
    for path in ("/", "/app.js", "/style.css", "/rules/caravan", "/privacy", "/problems/stale"):
        answer = client.get(path)
        assert answer.mimetype.startswith("text/")
        assert answer.content_type.endswith(('charset="utf-8"', "charset=utf-8"))


def test_the_only_redirect_leads_to_the_page_itself(client):
    answer = client.get("/index.html?next=//evil.example")
    assert answer.status_code == 302
    assert answer.headers["Location"].partition("?")[0] == "./"
