"""A table that starts automatically when it is full, and the nonce of the host."""

from __future__ import annotations

import pytest

from service.core.database.database import db
from service.core.runtime.time_and_random import rfc3339
from service.tables.before_start import table_setup
from tests.service.tables.before_start.test_nonces import (
    ALONE,
    FIRST,
    OTHER,
    brought,
    nonce_of,
    seat,
)
from tests.support.cast import BOOMERANG, CARAVAN, START, sqlite_only
from tests.support.clock import HOUR, SECOND, history, hours
from tests.support.dump import dump

__all__ = ["hours"]


def alone(cast):
    """A full table that waits for the nonce of its host."""
    game = cast.alice.post("/api/games", ALONE)
    assert (game["status"], game["number"]) == ("open", 0)
    assert game["starts_at"] == rfc3339(START + 10 * SECOND)
    assert missing(game) == ["Alice"]
    return game["id"]


def missing(game):
    """The people who have brought no nonce."""
    return [seat["name"] for seat in game["seats"] if seat["nonce_missing"]]


@pytest.mark.both_databases
def test_it_waits_ten_seconds_for_the_opener_and_starts_without(app, cast, hours):
    game_id = alone(cast)
    hours.later(10 * SECOND - 1)
    assert cast.alice.game(game_id)["status"] == "open"
    assert hours.later(1) > 0
    game = cast.alice.game(game_id)
    assert (game["status"], game["starts_at"], brought(app, game_id)) == ("running", None, [])
    assert (game["started_at"], missing(game)) == (rfc3339(START + 10 * SECOND), ["Alice"])


def test_it_starts_when_a_worker_is_there_again(cast, hours):
    game_id = alone(cast)
    hours.outage(3 * HOUR)
    assert cast.alice.game(game_id)["status"] == "running"


@sqlite_only
def test_the_openers_nonce_starts_it_at_once(app, cast, hours):
    game_id = alone(cast)
    game = cast.alice.put(nonce_of(game_id), {"nonce": FIRST})
    assert (game["status"], game["starts_at"], missing(game)) == ("running", None, [])
    assert brought(app, game_id) == [FIRST]
    number = game["number"]
    hours.later(10 * SECOND)
    assert [event["kind"] for event in history(cast.alice, game_id)].count("start") == 1
    assert cast.alice.game(game_id)["number"] >= number


@sqlite_only
@pytest.mark.parametrize("body", [{}, {"nonce": FIRST}, {"house": True, "nonce": FIRST}])
def test_the_opener_can_start_it_at_once(app, cast, body):
    game_id = alone(cast)
    game = cast.alice.post(f"/api/games/{game_id}/start", body, status=200)
    assert (game["status"], game["starts_at"]) == ("running", None)
    assert brought(app, game_id) == [FIRST] * ("nonce" in body)


@sqlite_only
def test_of_several_people_only_the_opener_is_waited_for(app, cast, clock):
    wish = {"ruleset": BOOMERANG, "start": "full"}
    game_id = cast.alice.post("/api/games", wish)["id"]
    seat(cast.bob, game_id)
    assert cast.alice.game(game_id)["starts_at"] is None, "a place is free"
    clock.forward(HOUR)
    game = cast.carol.post(f"/api/games/{game_id}/seats", {})
    assert (game["status"], game["starts_at"]) == ("open", rfc3339(clock() + 10 * SECOND))
    clock.forward(SECOND)
    later = cast.bob.put(nonce_of(game_id), {"nonce": OTHER})
    assert (later["status"], later["starts_at"]) == ("open", game["starts_at"])
    begun = cast.alice.put(nonce_of(game_id), {"nonce": FIRST})
    assert (begun["status"], missing(begun)) == ("running", ["Carol"])
    assert brought(app, game_id) == [FIRST, OTHER]


@sqlite_only
def test_it_starts_when_full_if_the_opener_has_brought_one(cast):
    game_id = cast.alice.post("/api/games", {"ruleset": CARAVAN, "start": "full"})["id"]
    cast.alice.put(nonce_of(game_id), {"nonce": FIRST})
    game = cast.bob.post(f"/api/games/{game_id}/seats", {})
    assert (game["status"], missing(game)) == ("running", ["Bob"])


@sqlite_only
def test_it_waits_for_nobody_once_the_opener_has_left(cast):
    game_id = cast.alice.post("/api/games", {"ruleset": CARAVAN, "start": "full"})["id"]
    tenure = cast.alice.game(game_id)["tenure"]
    cast.mallory.post(f"/api/games/{game_id}/seats", {})
    waiting = cast.alice.game(game_id)
    assert waiting["starts_at"]
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    assert cast.mallory.game(game_id)["starts_at"] is None
    assert cast.bob.post(f"/api/games/{game_id}/seats", {})["status"] == "running"


@sqlite_only
def test_a_place_that_becomes_free_ends_the_wait(cast, hours):
    game_id = cast.alice.post("/api/games", {"ruleset": CARAVAN, "start": "full"})["id"]
    tenure = seat(cast.bob, game_id)
    revision = cast.alice.game(game_id)["revision"]
    cast.bob.delete(f"/api/games/{game_id}/seats/{tenure}")
    game = cast.alice.game(game_id)
    assert (game["starts_at"], game["revision"] > revision) == (None, True)
    hours.later(HOUR)
    assert cast.alice.game(game_id)["status"] == "open"


@sqlite_only
def test_a_table_that_its_host_starts_waits_for_nobody(cast, hours):
    game = cast.alice.post("/api/games", {"ruleset": BOOMERANG, "house": 2})
    assert (game["status"], game["starts_at"]) == ("open", None)
    hours.later(HOUR)
    assert cast.alice.game(game["id"])["status"] == "open"


@sqlite_only
def test_a_table_that_has_started_meanwhile_is_not_started_again(app, cast, clock, runtime):
    game_id = alone(cast)
    clock.forward(10 * SECOND)
    with app.app_context():
        due = list(db.session.scalars(table_setup.starting_tables(clock())))
        db.session.rollback()
    assert due == [game_id]
    cast.alice.put(nonce_of(game_id), {"nonce": FIRST})
    before = dump(app)
    with app.app_context():
        assert table_setup.start_if_due(runtime, game_id) is False
    assert dump(app) == before


@sqlite_only
def test_it_starts_at_the_very_moment_and_not_before(app, cast, clock, runtime):
    """At a wrong time the step says so and does nothing, whoever asks."""
    never, game_id = cast.open(house=2), alone(cast)
    clock.forward(10 * SECOND - 1)
    stored = dump(app)

    def start(each):
        with app.app_context():
            due = db.session.scalars(table_setup.starting_tables(clock())).all()
            db.session.rollback()
            return due, table_setup.start_if_due(runtime, each)

    assert start(game_id) == start(never) == ([], False) and dump(app) == stored
    clock.forward(1)
    assert start(never) == ([game_id], False) and dump(app) == stored
    assert start(game_id) == ([game_id], True)
    assert start(game_id) == ([], False)


@sqlite_only
def test_house_players_and_who_sits_down_later_miss_no_nonce(cast):
    game_id = cast.start(BOOMERANG, house=1)
    assert missing(cast.alice.game(game_id)) == ["Alice", "Bob"]
    cast.bob.post(f"/api/games/{game_id}/resignation", {}, status=200)
    assert missing(cast.alice.game(game_id)) == ["Alice"]
    cast.bob.post(f"/api/games/{game_id}/return", status=200)
    assert missing(cast.alice.game(game_id)) == ["Alice"]
