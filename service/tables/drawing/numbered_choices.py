"""The legal actions, numbered for people who choose by writing a number.

A few actions are numbered as they are listed. Many actions are narrowed down step by step (action_narrowing.py): each
option of each step has its own number, and the options of the first step come first, so that no number means two
things.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.kernel import Json
from rules.kernel.actions import Types
from service.tables.drawing.action_narrowing import next_step


class Numbered(NamedTuple):
    """An option: its number, the path of steps to it, and the positions of the legal actions to which it leads."""

    number: int
    path: tuple[int, ...]
    places: tuple[int, ...]

    @property
    def place(self) -> int | None:
        """The position of the only action that the option leads to; None if there is more to decide."""
        return self.places[0] if len(self.places) == 1 else None


class NumberedChoices:
    """The options of all steps, by number."""

    def __init__(self, types: Types, legal: Sequence[Json]) -> None:
        self.options: list[Numbered] = []
        self._below: dict[tuple[int, ...], list[Numbered]] = {}
        undecided = list[tuple[tuple[int, ...], tuple[int, ...]]]()
        if legal:
            undecided.append(((), tuple(range(len(legal)))))
        for path, places in undecided:  # the list grows while it is read
            options = next_step(types, legal, places).options
            numbers = range(len(self.options) + 1, len(self.options) + 1 + len(options))
            below = [
                Numbered(number, (*path, at), option.places)
                for at, (number, option) in enumerate(zip(numbers, options, strict=True))
            ]
            self.options += below
            self._below[path] = below
            undecided += [(each.path, each.places) for each in below if each.place is None]

    def find(self, number: int) -> Numbered | None:
        """The option with this number; None if there is none."""
        return self.options[number - 1] if 1 <= number <= len(self.options) else None

    def after(self, path: tuple[int, ...] = ()) -> list[Numbered]:
        """The options of the step after a path."""
        return self._below.get(path, [])

    def number_of(self, place: int) -> int:
        """The number of the option that leads to the action at this position."""
        return next(each.number for each in self.options if each.place == place)
