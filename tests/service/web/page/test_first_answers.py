"""The first responses of the API in a page: the API's own, only for the caller, and in no cache."""

from __future__ import annotations

import gzip
import json
import re
import zlib

import pytest

from service.web.http.headers.compression import packed
from tests.support.cast import BOOMERANG, sqlite_only

pytestmark = sqlite_only

ANSWER = re.compile(
    r'<script type="application/json" lang="(\w+)" data-path="([^"]+)"(?: data-etag="([^"]+)")?>(.*)</script>'
)


def brought(page):
    """The responses in a document, by path, with their tags."""
    return {
        path.replace("&amp;", "&"): (etag.replace("&#34;", '"'), json.loads(body))
        for _, path, etag, body in ANSWER.findall(page.text)
    }


def as_read_by_the_page(answer):
    """A response of the API without the parts for programs."""
    return {name: each for name, each in answer.items() if name != "vocabulary"}


@pytest.fixture
def seated(cast):
    """A game that has begun, and its two players."""
    return cast.start(BOOMERANG)


def test_they_are_what_the_api_answers_to_this_caller(cast, seated):
    for person in (cast.alice, cast.carol):
        answers = brought(person.send("GET", f"/games/{seated}"))
        assert {"/api/me", f"/api/games/{seated}", f"/api/games/{seated}/talk"} < set(answers)
        assert any("/events?" in path for path in answers)
        for path, (etag, body) in answers.items():
            answer = person.send("GET", path)
            assert body == as_read_by_the_page(answer.json), path
            assert etag == answer.headers.get("ETag", ""), path


def test_each_sees_their_own_hand_and_nobody_elses(cast, seated):
    hands = {}
    for person in (cast.alice, cast.carol):
        page = person.send("GET", f"/games/{seated}")
        _, game = brought(page)[f"/api/games/{seated}"]
        zones = [zone for zone in game["view"]["zones"] if zone["name"] == "hand"]
        shown = [zone for zone in zones if zone.get("cards")]
        assert [zone["seat"] for zone in shown] == [game["seat"]]
        hands[game["seat"]] = shown[0]["cards"]
    assert len(hands) == 2


def test_they_are_kept_by_nobody_and_never_taken_for_the_same(cast, client, seated):
    for page in (
        cast.alice.send("GET", f"/games/{seated}"),
        client.get(f"/games/{seated}"),
        cast.alice.send("GET", "/"),
        client.get("/"),
    ):
        assert page.headers["Cache-Control"] == "private, no-store"
        assert {"Cookie", "Accept-Language", "Accept-Encoding"} <= {*page.vary}
    public = client.get(f"/games/{seated}")
    again = cast.alice.send(
        "GET", f"/games/{seated}", headers={"If-None-Match": public.headers["ETag"]}
    )
    assert again.status_code == 200 and brought(again)


def test_visitors_are_brought_what_anybody_may_see(cast, client, seated):
    answers = brought(client.get(f"/games/{seated}"))
    _, game = answers[f"/api/games/{seated}"]
    assert game["seat"] is None and game["legal"] == []
    assert not any(path.startswith("/api/me") for path in answers)
    for path, (etag, body) in answers.items():
        answer = client.get(path)
        assert body == as_read_by_the_page(answer.json), path
        assert etag == answer.headers.get("ETag", ""), path


def test_the_lobby_is_brought_the_games_on_offer_and_ones_own(cast, client, seated):
    everybody, mine = brought(client.get("/")), brought(cast.alice.send("GET", "/"))
    assert {*everybody} < {*mine}
    assert not any("mine" in path or "/me" in path for path in everybody)
    assert [game["id"] for game in mine["/api/games?mine=true&limit=50"][1]["games"]] == [seated]
    for http, answers in ((client, everybody), (cast.alice.http, mine)):
        for path, (etag, body) in answers.items():
            answer = http.get(path)
            assert body == as_read_by_the_page(answer.json), path
            assert etag == answer.headers.get("ETag", ""), path


@pytest.mark.parametrize(("query", "version"), [("", ""), ("?version=1&lang=ja", "?version=1")])
def test_the_rules_are_brought_their_worked_turn(client, query, version):
    page = client.get(f"/rules/caravan{query}")
    language = page.headers["Content-Language"]
    path = f"/api/rulesets/caravan/example{version}"
    told = client.get(path, headers={"Accept-Language": language}).json
    assert brought(page)[path][1] == told


def test_strangers_at_a_private_table_are_brought_nothing(cast, seated):
    private = cast.open("caravan", private=True)
    assert brought(cast.mallory.send("GET", f"/games/{private}")) == {}
    assert brought(cast.alice.send("GET", f"/games/{private}"))
    made_up = "g_0123456789ABCDEFGHIJKL"
    texts = [
        cast.mallory.send("GET", f"/games/{each}").text.replace(each, "")
        for each in (private, made_up)
    ]
    assert texts[0] == texts[1]


def test_what_people_write_is_no_markup(cast):
    game_id = cast.open("caravan")
    cast.alice.send("PATCH", "/api/me", json={"name": "</script><b>"})
    page = cast.alice.send("GET", f"/games/{game_id}")
    assert "<b>" not in page.text
    assert brought(page)["/api/me"][1]["player"]["name"] == "</script><b>"


def test_they_are_in_the_language_of_the_player(cast, seated):
    cast.alice.send("PATCH", "/api/me", json={"language": "ja"})
    page = cast.alice.send("GET", f"/games/{seated}")
    assert {language for language, *_ in ANSWER.findall(page.text)} == {"ja"}
    assert '<html lang="ja"' in page.text


def test_each_is_compressed_by_itself(cast, seated):
    """The content of one response makes no other one shorter."""
    headers = {"Accept-Encoding": "gzip"}
    page = cast.alice.send("GET", f"/games/{seated}", headers=headers)
    assert page.headers["Content-Encoding"] == "gzip"
    plain = gzip.decompress(page.data).decode()
    assert len(page.data) < len(plain) / 2
    assert plain.count('<script type="application/json"') == len(ANSWER.findall(plain)) > 4
    secret, guess = b"hana@example.org " * 4, b"hana@example.org"
    wrong = bytes(reversed(guess))
    apart = {len(packed([secret, each])) - len(packed([each])) for each in (guess, wrong)}
    assert len(apart) == 1
    assert zlib.decompress(packed([secret, guess]), 31) == secret + guess
