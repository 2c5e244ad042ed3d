"""Parts: the deals, rounds and tricks of a game.

They are the headings of its history, and scores are added up by them.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel.values import Json, JsonValue


class Part(NamedTuple):
    """A part of a game: a deal, a round, a lane; one of several by `number`. `about` says more about it in words."""

    name: str
    number: int = 1
    about: tuple[tuple[str, JsonValue], ...] = ()

    @property
    def fields(self) -> Json:
        """The fields of its words, the message `part.<name>`."""
        return {"number": self.number, **dict(self.about)}


class Heading(NamedTuple):
    """A part that begins in an event.

    Its heading is above the line with index `at`, or below all lines; `depth` is the number of parts around it.
    """

    at: int
    depth: int
    part: Part


def part(name: str, number: int = 1, /, **about: JsonValue) -> Part:
    """A part about which more is said: `card`, `seat` and so on."""
    return Part(name, number, tuple(about.items()))
