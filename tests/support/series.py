"""Helpers for tests of series: opening one, joining it, letting workers do what is due, and playing its games."""

from __future__ import annotations

from typing import Any

from service.operations.worker.deadlines import SeriesRounds
from tests.support.cast import CARAVAN, Json, Person
from tests.support.circles import path

TERMS: Json = {
    "name": "Autumn league",
    "table": {"ruleset": CARAVAN, "pace": "daily"},
    "starts_in": 2,
    "round_days": 7,
}
"""A series of a game for two."""


def opened(person: Person, circle_id: str, **other: Any) -> str:
    """The id of a series that this member of a circle opens."""
    return str(person.post(path(circle_id, "series"), TERMS | other)["id"])


def of(series_id: str, more: str = "") -> str:
    """The path of a series, or of something in it."""
    return f"/api/series/{series_id}" + (more and f"/{more}")


def enter(person: Person, series_id: str, status: int = 201, **wish: Any) -> Any:
    """Join a series."""
    return person.put(of(series_id, "entry"), wish, status)


def work(app: Any) -> int:
    """Let two workers do what is due in all series, until nothing is; returns how much they have done."""
    done = 0
    with app.app_context():
        workers = [SeriesRounds(app.extensions["tegami"]) for _ in range(2)]
        while step := sum(each.step() for each in workers):
            done += step
    return done


def games(shown: Json, state: str = "running") -> list[str]:
    """The ids of the games of a series in this state."""
    return [each["game"] for each in shown["tables"] if each["state"] == state]


def ranking(shown: Json) -> list[tuple[str, float]]:
    """The names and points of a series, the best first."""
    return [(each["name"], each["points"]) for each in shown["standings"]]
