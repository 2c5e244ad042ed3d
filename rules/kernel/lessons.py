"""Lessons: the first moves of a game against house players, for people who learn it.

A lesson is data in the game's folder, `lesson.json`: the seed of its shuffles, the table, and all moves in order. A
move with a `step` is made by the learner, who sits at seat 0. The message `lesson.<step>` says what to try, and
`lesson.<step>.done`, if it exists, comments on it afterwards. House players make the other moves, before the learner
has to act.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rules.kernel.values import Json, same

FILE = "lesson.json"
LEARNER = 0
"""The seat of the learner."""


class Move(NamedTuple):
    """A move of a lesson."""

    seat: int
    action: Json
    step: str | None = None
    """The step that the learner tries with this move; None for a move of a house player."""

    def is_made_by(self, seat: int, action: Json) -> bool:
        """Whether the seat and the action are those of this move, so that the lesson continues."""
        return seat == self.seat and same(self.action, action)


class Lesson(NamedTuple):
    """The table of a lesson, and its moves."""

    seed: str
    players: int
    options: Json
    moves: tuple[Move, ...]

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that the learner tries, in order."""
        return tuple(move.step for move in self.moves if move.step)

    def before(self, step: int) -> int:
        """The number of moves before the learner tries the step with this number, counted from 0."""
        return [number for number, move in enumerate(self.moves) if move.step][step]


def read(folder: str) -> Lesson | None:
    """The lesson in a game's folder; None if there is none."""
    path = Path(folder, FILE)
    if not path.exists():
        return None
    told = json.loads(path.read_text(encoding="utf-8"))
    return Lesson(told["seed"], told["players"], told.get("options", {}), _moves(told["moves"]))


def _moves(told: Sequence[Json]) -> tuple[Move, ...]:
    """The moves of a lesson's file; one that names no seat is the learner's."""
    return tuple(Move(each.get("seat", LEARNER), each["action"], each.get("step")) for each in told)
