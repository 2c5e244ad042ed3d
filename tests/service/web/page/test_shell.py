"""The page at each address: what messengers are told, and what nobody is told."""

from __future__ import annotations

import re

import pytest

import rules
from tests.support.cast import sqlite_only
from tests.support.in_one_go import in_one_go

pytestmark = sqlite_only

ADDRESSES = (
    "/",
    "/enter",
    "/arrived",
    "/finished",
    "/finished?ruleset=caravan&with=",
    "/people",
    "/circles/c_0123456789abcdef0123",
    "/circles/c_0123456789abcdef0123/series",
    "/circles/c_0123456789abcdef0123/series?ruleset=caravan",
    "/series",
    "/series/e_0123456789abcdef0123",
    "/ratings",
    "/daily",
    "/daily/2026-11-21",
    "/me",
    "/players/alice",
    "/me/mails",
)


def told(answer) -> dict[str, str]:
    """The parts of a page that a messenger reads."""
    metas = re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', answer.text)
    title = re.search("<title>(.*)</title>", answer.text)
    assert title
    return {**dict(metas), "title": title[1]}


@in_one_go("address", ADDRESSES)
def test_every_screen_has_an_address(client, address):
    answer = client.get(address)
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert told(answer)["title"] == "Tegami"


@in_one_go("screen", ["new", "rules", "ratings"])
@in_one_go("slug", rules.slugs())
def test_opening_a_table_and_the_rules_are_announced_by_the_game(client, slug, screen):
    page = told(client.get(f"/{screen}/{slug}", headers={"Accept-Language": "ja"}))
    known = client.get(f"/api/rulesets/{slug}", headers={"Accept-Language": "ja"}).json
    assert page["title"] == page["og:title"] == f"{known['name']} – Tegami"
    assert page["description"] == page["og:description"] == known["summary"]
    picture = client.get(page["og:image"])
    assert picture.mimetype == "image/png"


def test_a_public_table_is_announced_by_its_game(client, cast):
    assert told(client.get(f"/games/{cast.open('caravan')}"))["title"] == "Caravan – Tegami"


def test_a_private_table_is_announced_as_one_that_does_not_exist(client, cast):
    """Both link the same page without scripts, which tells no more."""
    game_id, made_up = cast.open("caravan", private=True), "g_0123456789ABCDEFGHIJKL"
    private, nowhere = (client.get(f"/games/{each}") for each in (game_id, made_up))
    assert private.text.replace(game_id, made_up) == nowhere.text
    assert {*private.headers} - {("ETag", private.headers["ETag"])} == {*nowhere.headers} - {
        ("ETag", nowhere.headers["ETag"])
    }


@pytest.mark.parametrize(
    "address",
    ["/new/chess", "/games/1", "/me/a/b", "/ratings/chess", "/daily/2026-02-30", "/nosuch"],
)
def test_where_there_is_nothing_a_browser_gets_a_page(client, address):
    answer = client.get(address, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (404, "text/html")


@pytest.mark.parametrize(
    ("address", "plain"),
    [
        ("/", "/plain"),
        ("/enter", "/plain/enter"),
        ("/arrived", "/plain/enter"),
        ("/finished", "/plain/finished"),
        ("/people", "/plain/people"),
        ("/circles/c_0123456789abcdef0123", "/plain/circles/c_0123456789abcdef0123"),
        ("/ratings", "/plain/ratings"),
        ("/daily", "/plain/daily"),
        ("/daily/2026-11-21", "/plain/daily/2026-11-21"),
        ("/ratings/caravan", "/plain/ratings/caravan"),
        ("/players/alice", "/plain/players/alice"),
        ("/me", "/plain/me"),
        ("/me/mails", "/plain/me"),
        ("/new/caravan", "/plain/new/caravan"),
        ("/games/g_0123456789ABCDEFGHIJKL", "/plain/games/g_0123456789ABCDEFGHIJKL"),
    ],
)
def test_every_screen_links_the_page_that_needs_no_script(client, address, plain):
    page = client.get(address).text
    assert f'<a class="button main" href="{plain}">' in page[page.index("<noscript>") :]


def test_the_page_is_not_sent_again_if_it_is_the_same(client):
    tag = client.get("/").headers["ETag"]
    assert client.get("/", headers={"If-None-Match": tag}).status_code == 304
    assert (
        client.get("/", headers={"If-None-Match": tag, "Accept-Language": "ja"}).status_code == 200
    )
