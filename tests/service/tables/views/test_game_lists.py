"""The lobby, the caller's own games, and those that wait for the caller."""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode

import pytest

from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.closing import close_by_operator

pytestmark = pytest.mark.both_databases


def ids(person: Person, query: str = "") -> list[str]:
    return [game["id"] for game in person.get(f"/api/games{query}")["games"]]


def test_the_lobby_lists_public_games_newest_first(cast):
    tables = [cast.open(), cast.open(CARAVAN), cast.start()]
    cast.open(private=True)
    for person in (cast.nobody, cast.mallory, cast.alice):
        assert ids(person) == tables[::-1]


def test_lists_can_be_filtered_by_status_and_ruleset(cast):
    waiting, caravan, running = cast.open(), cast.open(CARAVAN), cast.start()
    assert ids(cast.nobody, "?status=open") == [waiting, caravan]
    assert ids(cast.nobody, "?status=running") == [running]
    assert ids(cast.nobody, "?status=over") == []
    assert ids(cast.nobody, f"?ruleset={BOOMERANG}&status=open") == [waiting]
    assert ids(cast.nobody, "?ruleset=unknown") == []


def test_my_games_are_those_at_which_i_sit(cast):
    game_id = cast.start()
    secret = cast.open(private=True)
    cast.mallory.post("/api/games", {"ruleset": BOOMERANG})
    assert ids(cast.alice, "?mine=true") == [secret, game_id]
    assert ids(cast.bob, "?mine=true&status=running") == [game_id]
    assert ids(cast.bob, "?mine=false") != [game_id]
    cast.nobody.refused("GET", "/api/games?mine=true", "not-signed-in")


def test_a_table_that_i_have_left_is_not_mine(cast):
    game_id = cast.open()
    bob = cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.bob.delete(f"/api/games/{game_id}/seats/{bob['tenure']}")
    assert ids(cast.bob, "?mine=true") == []


def test_a_listed_game_says_who_sits_there(cast):
    game_id = cast.open(house=1)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    (game,) = cast.bob.get("/api/games")["games"]
    assert (game["seated"], game["players"]) == (3, 3)
    assert (game["names"][0], game["names"][2]) == ("Alice", "Bob")
    assert game["yours"] is True and game["waiting_for_you"] is False
    assert cast.mallory.get("/api/games")["games"][0]["yours"] is False


def test_each_page_continues_where_the_last_one_ended(cast):
    tables = [cast.open() for _ in range(5)][::-1]
    found, cursor, pages = [], "", 0
    while cursor is not None:
        page = cast.nobody.get(f"/api/games?limit=2{cursor and f'&cursor={cursor}'}")
        found += [game["id"] for game in page["games"]]
        cursor, pages = page["next"], pages + 1
        if pages == 1:
            cast.open()  # a new table does not shift the pages
    assert (found, pages) == (tables, 3)


def pages(person, query):
    """The ids on each page."""
    found, cursor = [], ""
    while cursor is not None:
        page = person.get(f"/api/games?{query}{cursor and f'&cursor={cursor}'}")
        found.append([game["id"] for game in page["games"]])
        cursor = page["next"]
    return found


def test_the_lobby_shows_one_table_of_everybody_before_a_second_one(cast):
    alice = [cast.open() for _ in range(4)]
    bob = [cast.bob.post("/api/games", {"ruleset": CARAVAN})["id"] for _ in range(2)]
    carol = [cast.carol.post("/api/games", {"ruleset": CARAVAN})["id"]]
    expected = [carol[0], bob[0], alice[0], bob[1], alice[1], alice[2], alice[3]]
    assert ids(cast.nobody, "?status=open") == expected
    assert pages(cast.mallory, "status=open&limit=4") == [expected[:4], expected[4:]]
    assert ids(cast.nobody, "?free=1") == expected
    assert pages(cast.mallory, "free=1&limit=4") == [expected[:4], expected[4:]]
    for query in ("status=open", "free=1"):
        assert ids(cast.alice, f"?{query}&mine=true") == alice[::-1]


def test_tables_keep_their_places_between_two_pages(cast):
    tables = [cast.open() for _ in range(5)]
    first = cast.nobody.get("/api/games?status=open&limit=2")
    cast.alice.post(f"/api/games/{tables[0]}/start", {"house": True}, status=200)
    cast.bob.post("/api/games", {"ruleset": CARAVAN})
    rest = ids(cast.nobody, f"?status=open&cursor={first['next']}")
    assert [game["id"] for game in first["games"]] + rest == tables


@sqlite_only
def test_a_cursor_does_not_count_games(cast):
    def following():
        return cast.nobody.get("/api/games?limit=1")["next"]

    cast.open()
    cursors = []
    for _ in range(5):
        cast.open()
        cursors.append(following())
    decoded = [urlsafe_b64decode(f"{cursor}==") for cursor in cursors]
    assert len(set(cursors)) == 5
    assert not any(re.search(rb"[0-9]\.[0-9]", each) for each in decoded)
    assert len({each[-2:] for each in decoded}) > 1, "neighbours look unlike each other"


@sqlite_only
@pytest.mark.parametrize(
    "made_up", ["1", "9" * 18, "A" * 22, "A" * 60, "-_-_" * 6, "a" * 101, "é" * 20, "="]
)
def test_nobody_can_make_a_cursor(cast, made_up):
    cast.nobody.refused("GET", f"/api/games?cursor={made_up}", "invalid-query")


@sqlite_only
def test_a_cursor_is_valid_for_its_list_alone(cast):
    for _ in range(2):
        game_id = cast.open()
    cursor = cast.alice.get("/api/games?limit=1")["next"]
    for path in ("/api/me/blocks", f"/api/games/{game_id}/clock", "/api/me/invitations"):
        cast.alice.refused("GET", f"{path}?cursor={cursor}", "invalid-query")


def test_turns_are_the_games_that_wait_for_me(cast, clock):
    quick = cast.start()
    clock.forward(1000)
    slow = cast.start(CARAVAN, private=True)
    turns = cast.alice.get("/api/me/turns")["turns"]
    assert [turn["game"]["id"] for turn in turns] == [quick, slow], "the longest wait first"
    assert [turn["seat"] for turn in turns] == [0, 0]
    assert [turn["asked"] for turn in turns] == [
        cast.alice.game(game_id)["asked"] for game_id in (quick, slow)
    ]
    assert turns[1]["since"] == "2026-11-21T10:00:01.000Z"
    assert turns[0]["game"]["waiting_for_you"] is True
    cast.alice.answer(cast.alice.game(quick))
    assert [turn["game"]["id"] for turn in cast.alice.get("/api/me/turns")["turns"]] == [slow]
    assert [turn["seat"] for turn in cast.bob.get("/api/me/turns")["turns"]] == [1, 1]
    assert cast.mallory.get("/api/me/turns")["turns"] == []
    cast.nobody.refused("GET", "/api/me/turns", "not-signed-in")


def test_turns_can_be_polled(cast):
    game_id = cast.start()
    answer = cast.alice.send("GET", "/api/me/turns")
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert cast.alice.send("GET", "/api/me/turns", headers=tag).status_code == 304
    japanese = {**tag, "Accept-Language": "ja"}
    assert cast.alice.send("GET", "/api/me/turns", headers=japanese).status_code == 200
    cast.alice.answer(cast.alice.game(game_id))
    assert cast.alice.send("GET", "/api/me/turns", headers=tag).status_code == 200


@sqlite_only
def test_an_open_table_waits_for_nobody(cast):
    cast.open()
    assert cast.alice.get("/api/me/turns")["turns"] == []


def test_the_lobby_can_be_filtered_by_pace_and_free_places(cast):
    quick = cast.open(pace={"kind": "decision", "seconds": 60})
    stored = cast.open(pace={"kind": "reserve", "reserve": 60, "increment": 1, "cap": 60}, house=1)
    timeless = cast.open(house=2)
    assert ids(cast.nobody, "?pace=decision") == [quick]
    assert ids(cast.nobody, "?pace=reserve") == [stored]
    assert ids(cast.nobody, "?pace=none") == [timeless]
    assert ids(cast.nobody, "?free=1") == [quick, stored]
    assert ids(cast.nobody, "?free=2&pace=decision") == [quick]
    games = cast.nobody.get("/api/games")["games"]
    assert [game["free"] for game in games] == [0, 1, 2]
    assert [game["pace"]["kind"] for game in games] == ["none", "reserve", "decision"]
    for query in ("pace=fast", "free=0", "free=x", "with=x"):
        cast.nobody.refused("GET", f"/api/games?{query}", "invalid-query")


def test_a_list_says_how_a_game_ended_for_the_caller(cast):
    def outcome(person, game_id):
        (listed,) = (game for game in person.get("/api/games")["games"] if game["id"] == game_id)
        return listed["outcome"]

    game_id = cast.start(CARAVAN)
    assert outcome(cast.alice, game_id) is None
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    assert outcome(cast.alice, game_id) == "won"
    assert outcome(cast.bob, game_id) == "lost"
    assert outcome(cast.mallory, game_id) is outcome(cast.nobody, game_id) is None


def test_my_finished_games_can_be_filtered_by_person_and_ruleset(app, cast):
    services = app.extensions["tegami"]
    three, two, alone = cast.start(), cast.start(CARAVAN, private=True), cast.open(CARAVAN, house=1)
    cast.alice.post(f"/api/games/{alone}/start", status=200)
    cast.carol.post(f"/api/games/{three}/resignation", status=200)
    for game_id in (three, two, alone):
        with app.app_context():
            close_by_operator(services, game_id)
    assert ids(cast.alice, "?mine=true&status=over") == [alone, two, three]
    assert ids(cast.alice, f"?mine=true&status=over&ruleset={CARAVAN}") == [alone, two]
    bob = cast.bob.game(three)["tenure"]
    assert ids(cast.alice, f"?mine=true&status=over&with={bob}") == [two, three]
    assert ids(cast.carol, "?mine=true&status=over") == [three], "also those left before the end"
    assert ids(cast.carol, f"?mine=true&with={bob}") == [], "carol no longer sits there"
    assert ids(cast.mallory, f"?with={bob}") == [three], "private games are not listed"
    hidden = cast.bob.game(two)["tenure"]
    cast.mallory.refused("GET", f"/api/games?with={hidden}", "not-found")
    house = next(seat["tenure"] for seat in cast.alice.game(alone)["seats"] if seat["house"])
    cast.alice.refused("GET", f"/api/games?with={house}", "not-found")
