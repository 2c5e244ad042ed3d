"""Time for tests: it passes while a worker is alive, or while none is."""

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
    """A worker, and the clock that it looks at."""

    def __init__(self, app: Flask, clock: Clock) -> None:
        self.app, self.clock = app, clock
        self.worker = Worker(app.extensions["tegami"], random.Random(3), in_turn())
        self.look()

    def look(self) -> int:
        """Let the worker do all that is due; how much it was."""
        with self.app.app_context():
            return sum(iter(self.worker.run_once, 0))

    def later(self, ms: int) -> int:
        """Let time pass while another worker is alive, then look."""
        self.clock.forward(ms)
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())
        return self.look()

    def outage(self, ms: int) -> int:
        """Let time pass while nobody works here, then look."""
        self.clock.forward(ms)
        return self.look()


@pytest.fixture
def hours(app: Flask, clock: Clock) -> Hours:
    """A worker that is alive."""
    return Hours(app, clock)


def due(person: Any, game_id: str) -> str | None:
    """Until when the first seat that is waited for has time."""
    found: str | None = person.game(game_id)["waiting"][0]["due"]
    return found


def reasons(person: Any, game_id: str, seat: int | None = None) -> list[str]:
    """Why the time is what it is: the kinds, oldest first."""
    wanted = "" if seat is None else f"?seat={seat}"
    told = person.get(f"/api/games/{game_id}/clock{wanted}")
    return [entry["kind"] for entry in told["entries"]][::-1]


def history(person: Any, game_id: str) -> list[Any]:
    """All events, as this person is told them."""
    told: list[Any] = person.get(f"/api/games/{game_id}/events?limit=200")["events"]
    return told
