"""Lessons: the first moves of a game against house players, as somebody who learns it may make them.

A lesson is data in the game's folder, `lesson.json`: the seed of its shuffles, the table, and all moves in their order.
A move with a `step` is the learner's, who sits at seat 0 and is told what to try by the message `lesson.<step>`, and
by `lesson.<step>.done` afterwards, if there is one. House players make the others, before the learner is asked.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rules.kernel.values import Json, same

FILE = "lesson.json"
LEARNER = 0
"""The seat of whoever learns."""


class Move(NamedTuple):
    """A move of a lesson."""

    seat: int
    action: Json
    step: str | None = None
    """What the learner tries with it; None: a house player makes it."""

    def is_made_by(self, seat: int, action: Json) -> bool:
        """Whether the lesson goes on after this action."""
        return seat == self.seat and same(self.action, action)


class Lesson(NamedTuple):
    """The table of a lesson, and its moves."""

    seed: str
    players: int
    options: Json
    moves: tuple[Move, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """What the learner tries, in order."""
        return tuple(move.step for move in self.moves if move.step)

    def before(self, step: int) -> int:
        """How many moves are made before the learner tries step 0, 1, …"""
        return [number for number, move in enumerate(self.moves) if move.step][step]


def read(folder: str) -> Lesson | None:
    """The lesson in a game's folder; None if there is none."""
    path = Path(folder, FILE)
    if not path.exists():
        return None
    told = json.loads(path.read_text(encoding="utf-8"))
    return Lesson(told["seed"], told["players"], told.get("options", {}), _moves(told["moves"]))


def _moves(told: Sequence[Json]) -> tuple[Move, ...]:
    """A move that names no seat is the learner's."""
    return tuple(Move(each.get("seat", LEARNER), each["action"], each.get("step")) for each in told)
