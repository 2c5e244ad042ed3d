"""Clocks that stand for more than one reason: a vacation ahead, a pause, an outage in which people play on."""

from __future__ import annotations

import pytest

from tests.service.hours import DAY, HOUR, SECOND, due, hours
from tests.service.test_timeouts import agree, pause

__all__ = ["hours"]

RESERVE = {"kind": "reserve", "reserve": 36_000, "increment": 3600, "cap": 43_200}


def away(person, first, last):
    person.post("/api/me/vacations", {"first": first, "last": last})


def seat(person, game_id, number):
    return person.game(game_id)["seats"][number]


def test_a_pause_that_ends_before_a_vacation_leaves_the_vacation_out(cast, hours):
    """Four hours after the pause alice leaves for three days."""
    game_id = cast.start(pace=RESERVE)
    away(cast.alice, "2026-11-25", "2026-11-27")
    pause(cast, game_id, 20 * DAY)
    hours.later(3 * DAY + 10 * HOUR)
    agree(cast, game_id, {"kind": "resume"})
    assert due(cast.bob, game_id) == "2026-11-28T06:00:00.000Z"


def test_an_outage_before_a_vacation_leaves_the_vacation_out(cast, hours):
    game_id = cast.start(pace=RESERVE)
    away(cast.alice, "2026-11-23", "2026-11-24")
    hours.outage(DAY)
    assert due(cast.bob, game_id) == "2026-11-22T20:00:00.000Z"
    hours.outage(6 * HOUR)
    assert due(cast.bob, game_id) == "2026-11-25T02:00:00.000Z"


def test_who_answers_during_an_outage_pays_for_the_time_before_it(cast, clock, hours):
    game_id = cast.start(pace=RESERVE)
    hours.later(2 * HOUR)
    clock.forward(7 * HOUR)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    assert seat(cast.bob, game_id, 0)["reserve"] == 9 * 3600
    hours.outage(HOUR)
    assert due(cast.bob, game_id) == "2026-11-22T06:00:00.000Z", "bob has the hour of outage back"


@pytest.mark.parametrize("silence", [300, 301])
def test_after_five_minutes_it_is_an_outage(cast, clock, hours, silence):
    game_id = cast.start(pace=RESERVE)
    clock.forward(silence * SECOND)
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    told = cast.bob.get(f"/api/games/{game_id}/clock?seat=0")["entries"][0]
    assert (told["kind"], told["seconds"]) == ("answered", 300 if silence == 300 else 0)


def test_who_comes_back_finds_the_time_that_was_left(cast, hours):
    """To resign and to return winds no clock up."""
    game_id = cast.start(pace=RESERVE)
    hours.later(7 * HOUR)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert seat(cast.bob, game_id, 0)["reserve"] == 3 * 3600
    assert due(cast.bob, game_id) == "2026-11-21T20:00:00.000Z"
    hours.later(3 * HOUR - SECOND)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert due(cast.bob, game_id) == "2026-11-21T20:59:59.000Z", "at least that of one decision"


def test_what_an_outage_takes_from_a_proposal_is_given_back(cast, hours):
    game_id = cast.start(pace="weekly")
    cast.alice.post(f"/api/games/{game_id}/proposals", {"kind": "close", "outcome": "draw"})
    hours.later(DAY)
    hours.outage(5 * DAY)
    (asked,) = cast.bob.game(game_id)["proposals"]
    assert (asked["status"], asked["due"]) == ("open", "2026-11-29T10:00:00.000Z")
    hours.later(2 * DAY)
    assert cast.bob.game(game_id)["proposals"] == []


def test_nor_does_an_outage_close_a_game_that_waits_for_its_people(cast, hours):
    game_id = cast.start(pace="weekly")
    for person in cast.seated:
        person.post(f"/api/games/{game_id}/resignation", status=200)
    hours.later(DAY)
    hours.outage(13 * DAY)
    assert cast.bob.game(game_id)["status"] == "running"
    hours.later(13 * DAY)
    assert cast.bob.game(game_id)["result"]["reason"] == "abandoned"
