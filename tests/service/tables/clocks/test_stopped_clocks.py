"""Clocks that stop for more than one reason: a coming vacation, a pause, an outage during which people play on."""

from __future__ import annotations

import pytest

from tests.service.tables.play.test_timeouts import agree, pause
from tests.support.clock import DAY, HOUR, SECOND, due, hours

__all__ = ["hours"]

RESERVE = {"kind": "reserve", "reserve": 36_000, "increment": 3600, "cap": 43_200}


def away(person, first, last):
    person.post("/api/me/vacations", {"first": first, "last": last})


def seat(person, game_id, number):
    return person.game(game_id)["seats"][number]


def test_after_a_pause_the_deadline_skips_a_coming_vacation(cast, hours):
    """Alice is away for three days, from four hours after the pause."""
    game_id = cast.start(pace=RESERVE)
    away(cast.alice, "2026-11-25", "2026-11-27")
    pause(cast, game_id, 20 * DAY)
    hours.later(3 * DAY + 10 * HOUR)
    agree(cast, game_id, {"kind": "resume"})
    assert due(cast.bob, game_id) == "2026-11-28T06:00:00.000Z"


def test_after_an_outage_the_deadline_skips_a_coming_vacation(cast, hours):
    game_id = cast.start(pace=RESERVE)
    away(cast.alice, "2026-11-23", "2026-11-24")
    hours.outage(DAY)
    assert due(cast.bob, game_id) == "2026-11-22T20:00:00.000Z"
    hours.outage(6 * HOUR)
    assert due(cast.bob, game_id) == "2026-11-25T02:00:00.000Z"


def test_an_answer_during_an_outage_costs_only_the_time_before_it(cast, clock, hours):
    game_id = cast.start(pace=RESERVE)
    hours.later(2 * HOUR)
    clock.forward(7 * HOUR)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    assert seat(cast.bob, game_id, 0)["reserve"] == 9 * 3600
    hours.outage(HOUR)
    assert due(cast.bob, game_id) == "2026-11-22T06:00:00.000Z", (
        "bob is credited the hour of outage"
    )


@pytest.mark.both_databases
@pytest.mark.parametrize("silence", [300, 301])
def test_more_than_five_minutes_of_silence_is_an_outage(cast, clock, hours, silence):
    game_id = cast.start(pace=RESERVE)
    clock.forward(silence * SECOND)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    entry = cast.bob.get(f"/api/games/{game_id}/clock?seat=0")["entries"][0]
    assert (entry["kind"], entry["seconds"]) == ("answered", 300 if silence == 300 else 0)


def test_a_returning_player_gets_the_time_that_was_left(cast, hours):
    """Resigning and returning does not refill the reserve."""
    game_id = cast.start(pace=RESERVE)
    hours.later(7 * HOUR)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert seat(cast.bob, game_id, 0)["reserve"] == 3 * 3600
    assert due(cast.bob, game_id) == "2026-11-21T20:00:00.000Z"
    hours.later(3 * HOUR - SECOND)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert due(cast.bob, game_id) == "2026-11-21T20:59:59.000Z", "at least enough for one decision"


@pytest.mark.both_databases
def test_an_outage_postpones_the_deadlines_of_proposals(cast, hours):
    game_id = cast.start(pace="weekly")
    cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "close", "outcome": "draw"})
    hours.later(DAY)
    hours.outage(5 * DAY)
    (asked,) = cast.bob.game(game_id)["proposals"]
    assert (asked["status"], asked["due"]) == ("open", "2026-11-29T10:00:00.000Z")
    hours.later(2 * DAY)
    assert cast.bob.game(game_id)["proposals"] == []


def test_an_outage_is_seen_at_a_table_without_a_clock_that_votes(cast, hours):
    """The proposal is due later, so the game has another tag."""
    game_id = cast.start()
    cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "close", "outcome": "draw"})
    hours.later(DAY)
    before = cast.bob.send("GET", f"/api/games/{game_id}")
    hours.outage(5 * DAY)
    after = cast.bob.send("GET", f"/api/games/{game_id}")
    assert after.json["proposals"][0]["due"] > before.json["proposals"][0]["due"]
    assert after.headers["ETag"] != before.headers["ETag"]


def test_an_outage_does_not_close_an_unattended_game_early(cast, hours):
    game_id = cast.start(pace="weekly")
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    hours.later(DAY)
    hours.outage(13 * DAY)
    assert cast.bob.game(game_id)["status"] == "running"
    hours.later(13 * DAY)
    assert cast.bob.game(game_id)["result"]["reason"] == "abandoned"
