"""Parts: the deals, rounds and tricks of a game.

They are the headings of its history, and scores are added up for each of them.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.kernel.values import Json, JsonValue


class Part(NamedTuple):
    """A part of a game, such as a deal, a round or a lane. `number` counts the parts with this name.

    `about` are values that its words name besides the number.
    """

    name: str
    number: int = 1
    about: tuple[tuple[str, JsonValue], ...] = ()

    @property
    def fields(self) -> Json:
        """The values that fill in the message `part.<name>`."""
        return {"number": self.number, **dict(self.about)}


class Heading(NamedTuple):
    """The heading of a part that begins in an event.

    It is above the line with index `at`, or below all lines if there is no such line. `depth` is the number of parts
    around the part.
    """

    at: int
    depth: int
    part: Part


def part(name: str, number: int = 1, /, **about: JsonValue) -> Part:
    """A part with the values that its words name, such as `card` or `seat`."""
    return Part(name, number, tuple(about.items()))
