"""A block holds at the tables of others: both are told before they sit down beside each other, but nobody by whom."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.service.people.circles.test_blocks import PATH, block
from tests.support.accounts import Bag, register
from tests.support.cast import CARAVAN, Person, sqlite_only
from tests.support.dump import dump
from tests.support.form_reader import FormReader
from tests.support.proposing import registered
from tests.support.talking import at

AUCTION = "abbott-auction"
WORDS = "You and somebody at this table are kept apart"


def meet(cast: Any) -> None:
    """alice blocks mallory at a table that both leave."""
    met = cast.open()
    cast.mallory.post(at(met, "seats"), {})
    block(cast.alice, cast.mallory, met)
    for person in (cast.mallory, cast.alice):
        person.delete(at(met, f"seats/{person.game(met)['tenure']}"))


@pytest.fixture
def table(cast) -> str:
    """carol's table; alice has blocked mallory."""
    meet(cast)
    return str(cast.carol.post("/api/games", {"ruleset": AUCTION, "players": 4})["id"])


def sit(person: Person, game_id: str, **more: Any) -> Any:
    return person.post(at(game_id, "seats"), more)


def told(person: Person, game_id: str) -> Any:
    """The response to the person who would sit down."""
    return person.refused("POST", at(game_id, "seats"), "kept-apart", {})


@pytest.mark.both_databases
def test_at_the_tables_of_others_both_are_told_before_in_the_same_words(cast, app, table) -> None:
    other = cast.bob.post("/api/games", {"ruleset": AUCTION, "players": 4})["id"]
    sit(cast.alice, table)
    sit(cast.mallory, other)
    stored = dump(app)
    words = [told(cast.mallory, table), told(cast.alice, other)]
    assert (
        words[0] == words[1] and "Mallory" not in str(words) and "block" not in str(words).lower()
    )
    assert dump(app) == stored
    sit(cast.mallory, table, anyway=True)
    sit(cast.alice, other, anyway=True)


def test_whoever_would_sit_down_at_the_table_of_somebody_they_have_blocked_is_told_too(
    cast,
) -> None:
    meet(cast)
    bobs = cast.mallory.post("/api/games", {"ruleset": CARAVAN})["id"]
    told(cast.alice, bobs)
    mine = cast.open()
    cast.mallory.refused("POST", at(mine, "seats"), "not-admitted", {"anyway": True})


def test_others_are_told_nothing_and_neither_is_who_comes_back(cast, table) -> None:
    sit(cast.alice, table)
    sit(cast.bob, table)
    cast.alice.delete(at(table, f"seats/{cast.alice.game(table)['tenure']}"))
    sit(cast.mallory, table)


def test_a_full_table_says_that_it_is_full(cast) -> None:
    meet(cast)
    full = cast.carol.post("/api/games", {"ruleset": CARAVAN})["id"]
    sit(cast.alice, full)
    cast.mallory.refused("POST", at(full, "seats"), "table-full", {})


def test_a_substitute_is_told_before(cast) -> None:
    meet(cast)
    registered(cast.mallory)
    wish = {"ruleset": AUCTION, "players": 4, "house": 1}
    game_id = cast.carol.post("/api/games", wish)["id"]
    sit(cast.alice, game_id)
    sit(cast.bob, game_id)
    game = cast.carol.post(at(game_id, "start"), {}, 200)
    seat = next(each["seat"] for each in game["seats"] if each["house"])
    body = {"kind": "substitute", "seat": seat}
    cast.mallory.refused("POST", at(game_id, "proposals"), "kept-apart", body)
    cast.mallory.post(at(game_id, "proposals"), {**body, "anyway": True})


def open_tables(person: Person, query: str = "") -> tuple[list[str], bool]:
    """The open tables in the lobby, and whether some are reported as left out."""
    answer = person.get(f"/api/games?status=open{query}")
    return [each["id"] for each in answer["games"]], answer.get("left_out", False)


@pytest.mark.both_databases
def test_the_lobby_leaves_them_out_for_the_one_who_has_blocked_alone(cast, table) -> None:
    before = {person: open_tables(person) for person in (cast.mallory, cast.bob, cast.nobody)}
    sit(cast.mallory, table)
    assert open_tables(cast.alice) == ([], True)
    assert open_tables(cast.alice, "&free=1") == ([], True)
    assert open_tables(cast.alice, "&beside_blocked=true") == ([table], False)
    assert open_tables(cast.alice, "&free=4") == ([], False), "the filter leaves it out"
    for person in (cast.bob, cast.nobody):
        assert open_tables(person) == before[person] == ([table], False)
    sit(cast.alice, table, anyway=True)
    assert open_tables(cast.alice) == ([table], False), "it is one's own"


def test_the_blocked_person_sees_no_list_change(cast, table) -> None:
    """It differs neither in content nor in length, and has no tag that a visitor does not get too."""
    sit(cast.alice, table)
    paths = ("/api/games?status=open", "/api/games?free=1", "/api/me/invitations", "/plain")
    before = [cast.mallory.send("GET", path) for path in paths]
    cast.alice.delete(f"{PATH}/{cast.alice.get(PATH)['blocks'][0]['id']}")
    after = [cast.mallory.send("GET", path) for path in paths]
    for one, other in zip(before, after, strict=True):
        assert (one.status_code, one.headers.get("ETag")) == (200, other.headers.get("ETag"))
        if one.mimetype == "application/json":
            assert one.get_data() == other.get_data()


def test_each_page_of_the_lobby_is_full_without_them(cast, table) -> None:
    """Nobody can see from the pages how many were left out."""
    mine = [cast.bob.post("/api/games", {"ruleset": AUCTION, "players": 4})["id"] for _ in "abc"]
    sit(cast.mallory, mine[1])
    seen, cursor = list[str](), ""
    while cursor is not None:
        answer = cast.alice.get(f"/api/games?status=open&limit=1{cursor and '&cursor=' + cursor}")
        seen += [each["id"] for each in answer["games"]]
        assert len(answer["games"]) == 1
        cursor = answer["next"]
    assert sorted(seen) == sorted([table, mine[0], mine[2]])
    assert all(one != other for one, other in pairwise(seen))


@sqlite_only
def test_invitations_beside_somebody_whom_one_has_blocked_are_left_out(cast, app, table) -> None:
    bag = Bag(app)
    for person, handle in ((cast.alice, "alice"), (cast.carol, "carol")):
        register(bag, person, handle)
    sit(cast.mallory, table)
    for handle in ("alice", "bob"):
        wish = {"address": f"{handle}@example.org", "language": "en"}
        cast.carol.post(at(table, "invitations"), wish)
    assert [mail["To"] for mail in bag.fetch()] == ["bob@example.org"]
    assert cast.alice.get("/api/me/invitations")["invitations"] == []
    listed = cast.carol.get(at(table, "invitations"))["invitations"]
    assert len(listed) == 2, "whoever invites does not learn of it"
    cast.mallory.delete(at(table, f"seats/{cast.mallory.game(table)['tenure']}"))
    assert len(cast.alice.get("/api/me/invitations")["invitations"]) == 1


@sqlite_only
def test_the_blocked_person_is_invited_like_anybody(cast, app, table) -> None:
    """Otherwise they could see from a missing or vanished invitation who has blocked them."""
    bag = Bag(app)
    for person, handle in ((cast.mallory, "mallory"), (cast.carol, "carol")):
        register(bag, person, handle)
    sit(cast.alice, table)
    wish = {"address": "mallory@example.org", "language": "en"}
    cast.carol.post(at(table, "invitations"), wish)
    assert [mail["To"] for mail in bag.fetch()] == ["mallory@example.org"]
    assert len(cast.mallory.get("/api/me/invitations")["invitations"]) == 1


@sqlite_only
def test_without_scripts_they_are_asked(cast, app) -> None:
    reader = FormReader(app)
    reader.arrive("Aki")
    aki = Person(app)
    aki.http.set_cookie("tegami", reader.http.get_cookie("tegami").value)
    met = cast.open()
    aki.post(at(met, "seats"), {})
    block(cast.alice, aki, met)
    cast.alice.delete(at(met, f"seats/{cast.alice.game(met)['tenure']}"))
    table = cast.carol.post("/api/games", {"ruleset": AUCTION, "players": 4})["id"]
    sit(cast.alice, table)
    reader.open(f"/plain/games/{table}")
    reader.send("Sit down", 409)
    assert WORDS in reader.page.text
    reader.send("Sit down anyway")
    assert aki.game(table)["tenure"]
