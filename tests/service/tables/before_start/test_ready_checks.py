"""Ready checks and presence during an outage of the service: nobody loses a place because of it."""

from __future__ import annotations

import pytest

from service.operations.worker.deadlines import Deadlines
from tests.service.tables.play.test_live_games import LIVE, ready
from tests.support.cast import sqlite_only
from tests.support.clock import HOUR, MINUTE, SECOND, hours
from tests.support.dump import execute

__all__ = ["hours"]


@pytest.fixture
def table(cast, hours, clock):
    """The id of a table that became full at ten; it was opened a minute before."""
    made = cast.alice.post("/api/games", LIVE)
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    hours.later(MINUTE)
    cast.carol.post(f"/api/games/{made['id']}/seats", {})
    return made["id"]


def until(person, game_id):
    return person.game(game_id)["live"]["ready_until"]


@pytest.mark.both_databases
def test_an_outage_during_a_ready_check_is_given_back(cast, table, hours):
    hours.later(20 * SECOND)
    ready(cast.alice, table)
    hours.outage(HOUR)
    assert until(cast.alice, table) == "2026-11-21T11:02:00.000Z", "forty seconds are left"
    hours.later(40 * SECOND - 1)
    assert len(cast.alice.game(table)["seats"]) == 3
    for person in (cast.bob, cast.carol):
        game = ready(person, table)
    assert game["status"] == "running"
    assert game["live"]["clock_due"] == "2026-11-21T11:02:29.999Z"
    hours.later(30 * SECOND)
    assert cast.alice.game(table)["status"] == "over"


@sqlite_only
def test_two_outages_are_given_back(cast, table, hours):
    for _ in range(2):
        hours.later(10 * SECOND)
        hours.outage(10 * MINUTE)
    assert until(cast.alice, table) == "2026-11-21T10:22:00.000Z"
    hours.later(40 * SECOND)
    cast.alice.get(f"/api/games/{table}", 404)


@sqlite_only
def test_a_check_that_began_while_no_worker_was_alive_has_its_minute_after_that(cast, hours, clock):
    made = cast.alice.post("/api/games", LIVE)
    clock.forward(6 * MINUTE)
    for person in (cast.bob, cast.carol):
        person.post(f"/api/games/{made['id']}/seats", {})
    clock.forward(6 * MINUTE)
    ready(cast.alice, made["id"])
    assert cast.alice.game(made["id"])["status"] == "open"
    hours.look()
    assert until(cast.bob, made["id"]) == "2026-11-21T10:13:00.000Z"


@pytest.mark.both_databases
def test_whoever_answers_before_a_worker_has_looked_is_in_time(cast, table, hours, clock):
    clock.forward(HOUR)
    for person in cast.seated:
        game = ready(person, table)
    assert game["status"] == "running"
    hours.look()
    game = cast.alice.game(table)
    assert game["live"]["clock_due"] == "2026-11-21T11:01:30.000Z", "it had not begun before"


@sqlite_only
def test_after_an_outage_everybody_has_time_to_come_back_to_an_open_table(app, cast, hours, clock):
    made = cast.alice.post("/api/games", LIVE)
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    hours.outage(HOUR)
    hours.later(2 * MINUTE)
    cast.bob.game(made["id"])
    hours.later(2 * MINUTE)
    assert [each["name"] for each in cast.bob.game(made["id"])["seats"]] == ["Bob"]
    assert execute(app, "SELECT * FROM outages") == []


@sqlite_only
def test_what_an_outage_has_cost_before_the_start_is_not_given_to_the_game(cast, table, hours):
    hours.outage(HOUR)
    for person in cast.seated:
        game = ready(person, table)
    assert game["live"]["clock_due"] == "2026-11-21T11:01:30.000Z"
    hours.later(10 * SECOND)
    assert cast.alice.game(table)["live"]["clock_due"] == "2026-11-21T11:01:30.000Z"


@sqlite_only
def test_a_worker_that_cannot_say_that_it_is_alive_ends_no_check(app, cast, table, clock):
    """It may have slept: first it has to find out how much time was lost."""
    deadlines = Deadlines(app.extensions["tegami"])
    clock.forward(HOUR)
    with app.app_context():
        assert deadlines.go_on_live() == 0
        deadlines.meet_all()
    assert len(cast.alice.game(table)["seats"]) == 3
