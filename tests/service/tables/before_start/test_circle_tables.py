"""Tables of circles: members see them and sit down there, and nobody else does."""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.circles import found, member, path
from tests.support.proposing import registered
from tests.support.talking import at


@pytest.fixture
def circle_id(cast):
    """A circle of Alice, with Bob."""
    registered(*cast.everybody)
    return found(cast.alice, cast.bob)


@pytest.fixture
def table(cast, circle_id):
    """A table in the circle, opened by Alice."""
    return cast.alice.post(path(circle_id, "games"), {"ruleset": CARAVAN})["id"]


def listed(person, circle_id, query=""):
    return [each["id"] for each in person.get(path(circle_id, f"games{query}"))["games"]]


def remove(cast, circle_id, name):
    circle = cast.alice.get(path(circle_id))
    cast.alice.delete(path(circle_id, f"members/{member(circle, name)}"))


@pytest.mark.both_databases
def test_members_see_the_tables_of_their_circle_and_sit_down(cast, circle_id, table):
    assert listed(cast.bob, circle_id) == listed(cast.bob, circle_id, "?status=open") == [table]
    assert listed(cast.bob, circle_id, "?status=over") == []
    assert cast.carol.get("/api/games")["games"] == []
    cast.carol.refused("GET", f"/api/games/{table}", "not-found")
    cast.carol.refused("POST", at(table, "seats"), "not-found", {})
    cast.bob.post(at(table, "seats"), {})
    assert len(cast.alice.game(table)["seats"]) == 2


@pytest.mark.both_databases
def test_whoever_is_removed_sees_only_games_in_which_they_sit(cast, circle_id, table):
    other = cast.alice.post(path(circle_id, "games"), {"ruleset": BOOMERANG})["id"]
    key = cast.alice.game(other)["invitation"]["key"]
    cast.bob.post(at(table, "seats"), {})
    cast.alice.post(at(table, "start"), status=200)
    tag = cast.bob.send("GET", f"/api/games/{other}").headers["ETag"]
    remove(cast, circle_id, "Bob")
    for headers in ({}, {"If-None-Match": tag}, {"Invitation": key}):
        cast.bob.refused("GET", f"/api/games/{other}", "not-found", headers=headers)
    cast.bob.refused("POST", at(other, "seats"), "not-found", {}, headers={"Invitation": key})
    assert cast.bob.game(table)["status"] == "running"


def test_a_table_of_a_circle_is_private_whatever_is_wished(cast, circle_id):
    body = {"ruleset": CARAVAN, "private": False}
    made = cast.alice.post(path(circle_id, "games"), body)
    assert made["private"]
    assert cast.mallory.get("/api/games")["games"] == []


def test_a_bad_wish_opens_nothing(cast, circle_id):
    games = path(circle_id, "games")
    cast.alice.refused("POST", games, "unknown-ruleset", {"ruleset": "chess"})
    cast.alice.refused("POST", games, "invalid-players", {"ruleset": CARAVAN, "players": 9})
    assert listed(cast.alice, circle_id) == []


def test_people_one_has_blocked_are_kept_apart_in_the_circle_too(cast, circle_id, table):
    game_id = cast.start(CARAVAN)
    body = {"game": game_id, "tenure": cast.bob.game(game_id)["tenure"]}
    cast.alice.post("/api/me/blocks", body)
    cast.bob.refused("POST", at(table, "seats"), "not-admitted", {})
    mine = cast.bob.post(path(circle_id, "games"), {"ruleset": CARAVAN})["id"]
    assert listed(cast.alice, circle_id) == [table]
    assert set(listed(cast.bob, circle_id)) == {table, mine}
    cast.alice.refused("POST", at(mine, "seats"), "kept-apart", {})


@pytest.mark.both_databases
def test_results_are_counted_for_present_members(cast, circle_id, table):
    results = path(circle_id, "results")
    cast.bob.post(at(table, "seats"), {})
    cast.alice.post(at(table, "start"), status=200)
    assert cast.alice.get(results) == {"results": []}
    cast.bob.post(at(table, "resignation"), status=200)
    elsewhere = cast.start(CARAVAN)
    cast.bob.post(at(elsewhere, "resignation"), status=200)
    first, second = cast.bob.get(results)["results"]
    assert (first["name"], first["games"], first["won"], first["you"]) == ("Alice", 1, 1, False)
    assert (second["name"], second["games"], second["won"], second["you"]) == ("Bob", 1, 0, True)
    assert cast.bob.get(f"{results}?ruleset={CARAVAN}")["results"] == [first, second]
    assert cast.bob.get(f"{results}?ruleset={BOOMERANG}") == {"results": []}
    cast.bob.refused("GET", f"{results}?ruleset=chess", "not-found")
    remove(cast, circle_id, "Bob")
    assert [each["name"] for each in cast.alice.get(results)["results"]] == ["Alice"]


def test_a_rematch_belongs_to_the_circle_while_its_opener_does(app, cast, circle_id, table):
    cast.bob.post(at(table, "seats"), {})
    cast.alice.post(at(table, "start"), status=200)
    cast.bob.post(at(table, "resignation"), status=200)
    again = cast.alice.post(at(table, "rematch"), {"nonce": None})["id"]
    assert listed(cast.bob, circle_id, "?status=open") == [again]
    cast.alice.delete(at(again, f"seats/{cast.alice.game(again)['tenure']}"))
    remove(cast, circle_id, "Bob")
    mine = cast.bob.post(at(table, "rematch"), {"nonce": None})["id"]
    assert listed(cast.alice, circle_id, "?status=open") == []
    assert cast.bob.game(mine)["private"]


def test_tables_of_a_circle_are_listed_by_page(cast, circle_id):
    made = [cast.alice.post(path(circle_id, "games"), {"ruleset": CARAVAN})["id"] for _ in range(3)]
    first = cast.bob.get(path(circle_id, "games?limit=2"))
    assert [each["id"] for each in first["games"]] == [made[2], made[1]]
    assert listed(cast.bob, circle_id, f"?limit=2&cursor={first['next']}") == [made[0]]
