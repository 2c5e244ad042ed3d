"""Time in tests: it passes while a worker is alive, or while none is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask

from service.operations.worker.loop import Worker
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
        """Let time pass while another worker is alive, then let this one look."""
        self.clock.forward(ms)
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())
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
