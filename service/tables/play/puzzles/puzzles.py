"""The puzzles of the collections: positions that the games provide, and the worth of each action there."""

from __future__ import annotations

import functools
from typing import NamedTuple

import rules
from rules.kernel import Illegal, Json, Ruleset, State, text
from rules.kernel.puzzles import Puzzle
from service.core.runtime.problems import NotFound


class Posed(NamedTuple):
    """A puzzle with its position."""

    ruleset: Ruleset
    puzzle: Puzzle
    state: State
    """The complete position; only what `puzzle.seat` sees of it may be shown."""

    @property
    def legal(self) -> list[Json]:
        """The actions among which to choose."""
        return self.ruleset.legal(self.state, self.puzzle.seat)

    def place_of(self, action: Json) -> int | None:
        """The place of an action among the legal ones; None if it is not one of them."""
        try:
            listed = self.ruleset.listed(self.state, self.puzzle.seat, action)
        except Illegal:
            return None
        return self.legal.index(listed)

    def is_best(self, place: int) -> bool:
        """Whether the action at this place is the best one."""
        return text(self.legal[place]) == text(self.puzzle.best)


def of_ruleset(slug: str) -> tuple[Puzzle, ...]:
    """The collection of a ruleset, the easiest puzzles first."""
    return rules.puzzles(slug).puzzles


def find(puzzle_id: str) -> Posed:
    """The puzzle of this id. Raises NotFound."""
    found = _all().get(puzzle_id)
    if found is None:
        raise NotFound
    return _posed(*found)


@functools.cache
def _all() -> dict[str, tuple[str, Puzzle]]:
    """Every puzzle, with the slug of its ruleset, by its id."""
    return {each.id: (slug, each) for slug in rules.slugs() for each in of_ruleset(slug)}


def _posed(slug: str, puzzle: Puzzle) -> Posed:
    ruleset = rules.load(slug)
    state = ruleset.initial(puzzle.course.players, puzzle.course.options)
    for event in puzzle.events:
        state = ruleset.act(state, event)
    return Posed(ruleset, puzzle, state)
