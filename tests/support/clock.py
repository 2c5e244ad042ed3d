"""Time in tests: it passes while a worker is alive, or while none is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from service.core.database.database import db
from service.operations.worker.loop import Worker
from service.tables.play.orders import acting
from tests.support.cast import Clock
from tests.support.dump import execute
from tests.support.thinking import in_turn

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Hours:
    """A worker, and its clock."""

    def __init__(self, app: Flask, clock: Clock) -> None:
        self.app, self.clock = app, clock
        self.worker = Worker(app.extensions["tegami"], random.Random(3), in_turn())
        self.look()

    def look(self) -> int:
        """Let the worker do everything that is due; returns the number of things done."""
        with self.app.app_context():
            return sum(iter(self.worker.run_once, 0))

    def later(self, ms: int) -> int:
        """Let time pass while a worker is alive, which answers for people at the very time; then look."""
        end, done, before = self.clock() + ms, 0, None
        while (at := self.answers_next()) is not None and at <= end and at != before:
            done, before = done + self.look_at(max(at, self.clock())), at
        return done + self.look_at(end)

    def answers_next(self) -> int | None:
        """When the worker next looks at a seat for which the service may have an answer."""
        due = acting.due_seats(1 << 60).with_only_columns(acting.ACTS_AT).limit(1)
        with self.app.app_context():
            return db.session.scalar(due)

    def look_at(self, at: int) -> int:
        """Let the worker look at this time, of many at which one was alive."""
        self.clock.at = at
        execute(self.app, "UPDATE heartbeats SET at = :now", now=at)
        return self.look()

    def outage(self, ms: int) -> int:
        """Let time pass while no worker is alive, then let this one look."""
        self.clock.forward(ms)
        return self.look()


@pytest.fixture
def hours(app: Flask, clock: Clock) -> Hours:
    """A worker that is alive."""
    return Hours(app, clock)


def due(person: Any, game_id: str) -> str | None:
    """The deadline of the first seat that has to act."""
    found: str | None = person.game(game_id)["waiting"][0]["due"]
    return found


def reasons(person: Any, game_id: str, seat: int | None = None) -> list[str]:
    """The kinds of reasons for a seat's time, oldest first."""
    wanted = "" if seat is None else f"?seat={seat}"
    told = person.get(f"/api/games/{game_id}/clock{wanted}")
    return [entry["kind"] for entry in told["entries"]][::-1]


def history(person: Any, game_id: str) -> list[Any]:
    """All events, as told to this person."""
    told: list[Any] = person.get(f"/api/games/{game_id}/events?limit=200")["events"]
    return told
