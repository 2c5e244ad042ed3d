"""Puzzles: positions of games in which one action is far better than all others.

A ruleset's collection is data in its folder, `puzzles.json`: the games, as the events that the rules see, and the
positions in them. The command `python -m rules.players.puzzles` finds them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rules.kernel.values import Json, text

FILE = "puzzles.json"
EASY, MEDIUM, HARD = DIFFICULTIES = ("easy", "medium", "hard")
"""The difficulties of puzzles, the easiest first."""


class Course(NamedTuple):
    """A game up to the last of its puzzles: the seed of its shuffles and players, its table and its events."""

    seed: str
    players: int
    options: Json
    events: tuple[Json, ...]
    iterations: int
    """The number of iterations of the players' search at each decision; the check has ten times as many."""


class Follows(NamedTuple):
    """A line that is told in more games after one action than after another."""

    line: Json
    """The line as the seat hears it."""
    often: float
    """The share of likely games (0 to 1) in which the line is told after this action."""
    otherwise: float
    """The share of likely games (0 to 1) in which the line is told after the other action."""


class Reason(NamedTuple):
    """The reason why the best action is better than the most tempting other one."""

    worth: float
    """The value of the position with the best action, from 0 (lost) to 1 (won)."""
    tempting: Json
    """The action that seems to be the best of the others; the best one is compared with it."""
    then: tuple[Follows, ...]
    """The lines that are told more often after the best action."""
    instead: tuple[Follows, ...]
    """The lines that are told more often after the tempting action."""


class Puzzle(NamedTuple):
    """A position, and the best action in it."""

    course: Course
    number: int
    """The number of events of the course before the position."""
    seat: int
    best: Json
    costs: tuple[float, ...]
    """The cost of each legal action compared with the best one, from 0 to 1, in the order of `legal`; 0 for the
    best.
    """
    difficulty: str
    reason: Reason

    @property
    def id(self) -> str:
        """The public name of the puzzle.

        It follows from the game's seed and the number of events, and reveals no card and no answer.
        """
        name = f"{self.course.seed}, event {self.number}"
        return hashlib.sha256(name.encode()).hexdigest()[:16]

    @property
    def events(self) -> list[Json]:
        """The events of the game before the position."""
        return [*self.course.events[: self.number]]


class Collection(NamedTuple):
    """The puzzles of a version of a ruleset."""

    version: int
    """The version of the rules."""
    thinker: str
    """The version of the house players that found the puzzles."""
    puzzles: tuple[Puzzle, ...]


EMPTY = Collection(0, "", ())


def read(folder: str) -> Collection:
    """The collection in a game's folder, the easiest puzzles first; an empty one if there is none."""
    path = Path(folder, FILE)
    if not path.exists():
        return EMPTY
    told = json.loads(path.read_text(encoding="utf-8"))
    courses = [Course(**{**each, "events": tuple(each["events"])}) for each in told["games"]]
    found = [_puzzle(courses[each["game"]], each) for each in told["puzzles"]]
    return Collection(told["version"], told["thinker"], tuple(in_order(found)))


def in_order(found: list[Puzzle]) -> list[Puzzle]:
    """The puzzles by difficulty, the easiest first; equally difficult ones stay in the order in which they were
    found.
    """
    return sorted(found, key=lambda each: DIFFICULTIES.index(each.difficulty))


def written(collection: Collection) -> str:
    """The text of a collection's file, with a line for each game and each puzzle."""
    courses = list[Course]()
    for each in collection.puzzles:
        if each.course not in courses:
            courses.append(each.course)
    games = [text(_course(each, collection.puzzles)) for each in courses]
    puzzles = [text(_told(each, courses.index(each.course))) for each in collection.puzzles]
    head = f'{{\n"version": {collection.version},\n"thinker": {text(collection.thinker)},\n'
    return f'{head}"games": [\n{_lines(games)}\n],\n"puzzles": [\n{_lines(puzzles)}\n]\n}}\n'


def _lines(told: list[str]) -> str:
    return ",\n".join(told)


def _course(course: Course, puzzles: tuple[Puzzle, ...]) -> Json:
    last = max(each.number for each in puzzles if each.course == course)
    return {**course._asdict(), "events": [*course.events[:last]]}


def _told(puzzle: Puzzle, game: int) -> Json:
    reason = puzzle.reason
    return {
        "game": game,
        "number": puzzle.number,
        "seat": puzzle.seat,
        "best": puzzle.best,
        "costs": [*puzzle.costs],
        "difficulty": puzzle.difficulty,
        "worth": reason.worth,
        "tempting": reason.tempting,
        "then": [each._asdict() for each in reason.then],
        "instead": [each._asdict() for each in reason.instead],
    }


def _puzzle(course: Course, told: Mapping[str, Any]) -> Puzzle:
    then, instead = (
        tuple(Follows(**each) for each in told[which]) for which in ("then", "instead")
    )
    reason = Reason(told["worth"], told["tempting"], then, instead)
    costs = tuple(told["costs"])
    return Puzzle(
        course, told["number"], told["seat"], told["best"], costs, told["difficulty"], reason
    )
