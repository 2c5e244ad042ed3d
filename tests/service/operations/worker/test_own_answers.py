"""Answers for people come at the very time of their wait, and with nothing else that the worker does."""

from __future__ import annotations

import random
from datetime import datetime

import pytest

from service.operations.worker.loop import Worker
from service.operations.worker.own_answers import AHEAD, OwnAnswers
from service.tables.clocks.seat_clocks import LONGEST_GAP
from service.tables.play.timeouts import ANSWERED_FIRST
from tests.support.cast import sqlite_only
from tests.support.clock import HOUR, MINUTE, SECOND, history
from tests.support.dump import execute
from tests.support.thinking import in_turn

DAILY = {"kind": "decision", "seconds": 86400}
ORDER = {"action": {"type": "pass"}, "until": {}}


class Apart:
    """A worker that answers for people in a thread of its own, whose steps are taken by hand."""

    def __init__(self, app, clock):
        self.app, self.clock = app, clock
        services = app.extensions["tegami"]
        self.worker = Worker(services, random.Random(1), in_turn(), answers=False)
        with app.app_context():
            self.worker.run_once()
            self.answers = OwnAnswers(services, self.worker.deadlines)
        self.waits = []

    def step(self):
        """One step of the thread; returns the number of seats."""
        with self.app.app_context():
            return self.answers.step(self._wait)

    def round(self):
        """One round of everything else."""
        with self.app.app_context():
            return self.worker.run_once()

    def _wait(self, seconds):
        self.waits.append(seconds)
        self.clock.forward(round(seconds * SECOND))


def ordered(cast, pace=DAILY):
    """A game in which the first seat has left an order."""
    game_id = cast.start(pace=pace)
    body = {"asked": cast.alice.game(game_id)["asked"], "order": ORDER}
    cast.alice.post(f"/api/games/{game_id}/orders", body)
    return game_id


def at(app):
    """When the worker looks at the first seat."""
    return execute(app, "SELECT acts_at FROM seats WHERE seat = 0")[0][0]


def ms(event):
    return round(1000 * datetime.fromisoformat(event["at"]).timestamp())


def number(cast, game_id):
    return cast.alice.game(game_id)["number"]


@sqlite_only
def test_an_answer_is_given_at_the_ms_of_its_wait_and_not_in_a_round(app, cast, clock):
    apart, game_id = Apart(app, clock), ordered(cast)
    assert apart.step() == 1, "it has looked"
    when, before = at(app), number(cast, game_id)
    assert when % SECOND not in (0, clock() % SECOND)
    clock.forward(when - clock() - AHEAD // 2)
    execute(app, "UPDATE heartbeats SET at = :now", now=clock())
    apart.round()
    assert apart.step() == 1
    assert apart.waits[-1] == AHEAD / 2 / SECOND
    assert ms(history(cast.bob, game_id)[before]) == when


@sqlite_only
def test_a_round_answers_for_nobody(app, cast, clock):
    apart, game_id = Apart(app, clock), ordered(cast)
    before = number(cast, game_id)
    for _ in range(30):
        clock.forward(MINUTE)
        apart.round()
    assert number(cast, game_id) == before


@sqlite_only
def test_who_has_left_an_answer_is_not_timed_out_because_a_round_came_first(app, cast, clock):
    pace = {"kind": "decision", "seconds": 60}
    apart, game_id = Apart(app, clock), ordered(cast, pace)
    apart.step()
    clock.forward(MINUTE + ANSWERED_FIRST - SECOND)
    apart.round()
    apart.step()
    assert history(cast.bob, game_id)[-1]["by"] == "seat"


@sqlite_only
def test_who_has_left_an_answer_that_is_not_given_is_timed_out_a_little_later(app, cast, clock):
    pace = {"kind": "decision", "seconds": 60}
    apart, game_id = Apart(app, clock), ordered(cast, pace)
    apart.step()
    clock.forward(MINUTE + ANSWERED_FIRST)
    apart.round()
    assert history(cast.bob, game_id)[-1]["by"] == "timeout"


@sqlite_only
def test_answers_that_were_missed_by_a_gap_come_each_at_a_time_of_its_own(app, cast, clock):
    """Whoever has noticed when the worker came back learns nothing from what happens then."""
    apart, games = Apart(app, clock), [ordered(cast), *(ordered(cast) for _ in range(3))]
    while apart.step():
        pass
    before = number(cast, games[0])
    due = sorted(when for (when,) in execute(app, "SELECT acts_at FROM seats WHERE seat = 0"))
    clock.at = due[-1] + LONGEST_GAP - MINUTE
    execute(app, "UPDATE heartbeats SET at = :at", at=clock() - LONGEST_GAP + SECOND)
    apart.round()
    back = clock()
    while min(number(cast, each) for each in games) == before:
        execute(app, "UPDATE heartbeats SET at = :now", now=clock())
        apart.round()
        apart.step()
    at_ms = [ms(history(cast.bob, each)[before]) for each in games]
    assert len(set(at_ms)) == len(games)
    assert all(2 * MINUTE <= when - back <= 20 * MINUTE for when in at_ms)


@sqlite_only
@pytest.mark.parametrize("late", [10, 60, 110])
def test_an_answer_is_given_although_the_worker_always_comes_late(app, cast, clock, late):
    apart, game_id = Apart(app, clock), ordered(cast)
    before, began = number(cast, game_id), clock()
    apart.step()
    while number(cast, game_id) == before:
        clock.at = at(app) + late * SECOND
        execute(app, "UPDATE heartbeats SET at = :now", now=clock())
        apart.round()
        apart.step()
        assert clock() - began <= 3 * HOUR
    assert history(cast.bob, game_id)[before]["by"] == "seat"


@sqlite_only
def test_an_answer_that_was_missed_is_still_given_in_time(app, cast, clock):
    apart, game_id = Apart(app, clock), ordered(cast, {"kind": "decision", "seconds": 120})
    apart.step()
    due = execute(app, "SELECT due FROM seats WHERE seat = 0")[0][0]
    before = number(cast, game_id)
    for left in (30 * SECOND, 3 * SECOND, SECOND):
        clock.at = max(clock(), due - left)
        execute(app, "UPDATE heartbeats SET at = :now", now=clock())
        apart.round()
        apart.step()
        if left > SECOND:
            assert at(app) is not None
            assert clock() < at(app) < due
    event = history(cast.bob, game_id)[before]
    assert (event["by"], ms(event)) == ("seat", due - SECOND)


@sqlite_only
def test_without_anything_to_do_it_looks_once_a_second(app, cast, clock):
    apart = Apart(app, clock)
    assert apart.step() == 0
    assert apart.waits == [1.0]
    ordered(cast)
    clock.forward(HOUR)
    assert apart.step() == 0, "no heartbeat: it may have slept"
    assert apart.waits[1:] == [1.0]
