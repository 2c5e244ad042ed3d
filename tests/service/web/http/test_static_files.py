"""The files of the website: only those are served, each with its type."""

from __future__ import annotations

import gzip
import html
import re

import brotli
import pytest

import rules
from service.core.settings.config import ROOT
from tests.support.cast import sqlite_only

pytestmark = sqlite_only

FILES = sorted(
    path.relative_to(ROOT / "web").as_posix().removeprefix("base/pictures/")
    for path in (ROOT / "web").rglob("*.*")
)
"""Their addresses; pictures are served from the root."""
KINDS = {
    "css": "text/css",
    "js": "text/javascript",
    "png": "image/png",
    "svg": "image/svg+xml",
}
NOT_SERVED = (
    "/.git/config",
    "/.gitignore",
    "/base",
    "/base/",
    "/base/.",
    "/base/pictures/icon.svg",
    "/base/../app.js",
    "/base/..%2f..%2fpyproject.toml",
    "/web/app.js",
    "/index.html",
    "/data/secret.key",
    "/data/tegami.sqlite3",
    "/secret.key",
    "/requirements.txt",
    "/service/web/app.py",
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


def test_the_page_consists_of_these_kinds_of_files(client):
    assert {path.rpartition(".")[2] for path in FILES} <= set(KINDS)
    for path in FILES:
        answer = client.get(f"/{path}")
        assert answer.status_code == 200
        assert answer.mimetype == KINDS[path.rpartition(".")[2]]


def test_every_text_says_that_it_is_utf_8(client):
    for path in (
        "/",
        "/app.js",
        "/every_page.css",
        "/rules/caravan",
        "/privacy",
        "/problems/stale",
    ):
        answer = client.get(path)
        assert answer.mimetype.startswith("text/")
        assert answer.content_type.endswith(('charset="utf-8"', "charset=utf-8"))


def addresses(client) -> list[str]:
    """The addresses that the page requests by names derived from their content."""
    return sorted(
        set(re.findall(r'"(/\w+\.[0-9a-f]{12}\.\w+)', html.unescape(client.get("/").text)))
    )


def test_what_is_named_by_its_content_is_kept_for_good(client):
    kinds = [path.rpartition(".")[2] for path in addresses(client)]
    assert sorted(kinds) == ["css", "js", *6 * ["json"], "svg", "webmanifest"]
    for path in addresses(client):
        assert client.get(path).headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert client.get("/page.0123456789ab.js").status_code == 404


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip", "gzip"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("*", "br"),
        ("identity", None),
        ("", None),
    ],
)
def test_a_caller_gets_the_shortest_form_that_they_accept(client, accepted, encoding):
    for path in addresses(client):
        plain = client.get(path).data
        answer = client.get(path, headers={"Accept-Encoding": accepted})
        assert answer.headers.get("Content-Encoding") == encoding
        assert UNPACKED[encoding](answer.data) == plain
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert len(answer.data) == int(answer.headers["Content-Length"])


UNPACKED = {"br": brotli.decompress, "gzip": gzip.decompress, None: bytes}


def test_a_file_is_not_sent_again_if_it_is_the_same(client):
    for path in ("/app.js", "/icon.svg", *addresses(client)):
        for accepted in ("br", "gzip", "identity"):
            headers = {"Accept-Encoding": accepted}
            tag = client.get(path, headers=headers).headers["ETag"]
            again = client.get(path, headers={**headers, "If-None-Match": tag})
            assert (again.status_code, again.data) == (304, b"")
            assert again.headers["ETag"] == tag


def test_head_has_the_headers_of_get(client):
    for path in ("/app.js", *addresses(client)):
        got, asked = client.get(path), client.head(path)
        assert asked.data == b"" and dict(asked.headers) == dict(got.headers)


def test_only_get_and_head_reach_a_file(client):
    assert client.post("/app.js").status_code in (404, 405)


@pytest.mark.parametrize("slug", rules.slugs())
def test_the_stamp_of_each_game_is_served_in_the_colours_of_the_page(client, slug):
    answer = client.get(f"/stamps/{slug}.svg")
    assert answer.mimetype == "image/svg+xml"
    assert "light-dark" not in answer.text and "--ink:#" in answer.text
    assert "max-age" in answer.headers["Cache-Control"]


def test_all_stamps_are_one_small_file_that_the_page_names(client):
    (path,) = set(re.findall(r'data-stamps="([^"]+)"', client.get("/").text))
    answer = client.get(path, headers={"Accept-Encoding": "br"})
    assert "immutable" in answer.headers["Cache-Control"]
    assert len(answer.data) < 4096
    assert all(f'id="{slug}"' in brotli.decompress(answer.data).decode() for slug in rules.slugs())
