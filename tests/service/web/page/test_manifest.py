"""The website can be installed: the manifest is right in both languages, and everything that it names exists."""

from __future__ import annotations

import html
import json
import re
import struct

import pytest

from service.web.page.files.manifest import colours
from tests.support.cast import sqlite_only

pytestmark = sqlite_only


def manifest(client, language):
    """The manifest that the page names."""
    page = client.get("/", headers={"Accept-Language": language}).text
    address = re.search('<link rel="manifest" href="([^"]+)">', page)
    assert address
    answer = client.get(address[1])
    assert answer.mimetype == "application/manifest+json"
    return json.loads(answer.data)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_is_worded_in_the_language_of_the_page(client, language):
    told, page = manifest(client, language), client.get("/", headers={"Accept-Language": language})
    assert told["lang"] == language
    assert f'<meta name="description" content="{html.escape(told["description"])}">' in page.text
    assert "Tegami" in told["name"] and "手紙" in told["name"]


def test_it_opens_at_home_in_a_window_of_its_own(client):
    told = manifest(client, "en")
    assert (told["id"], told["start_url"], told["scope"]) == ("/", "/", "/")
    assert told["display"] == "standalone"


def test_it_has_icons_of_the_sizes_that_devices_want(client):
    sizes = set()
    for each in manifest(client, "en")["icons"]:
        answer = client.get(each["src"])
        assert (answer.status_code, answer.mimetype) == (200, each["type"])
        if each["type"] == "image/png":
            width, height = struct.unpack(">II", answer.data[16:24])
            assert each["sizes"] == f"{width}x{height}"
            sizes.add((each["purpose"], width))
    assert sizes == {(purpose, size) for purpose in ("any", "maskable") for size in (192, 512)}


def test_the_frame_has_the_colours_of_the_page_in_both_themes(client):
    paper = colours(client.get("/base/colours.css").text, "paper")
    told = manifest(client, "en")
    assert told["theme_color"] == told["background_color"] == paper.light
    page = client.get("/").text
    for theme, colour in paper._asdict().items():
        media = f'media="(prefers-color-scheme: {theme})"'
        assert f'<meta name="theme-color" content="{colour}" {media}>' in page


def test_the_policy_allows_manifest_and_worker(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "manifest-src 'self'" in policy and "worker-src 'self'" in policy
