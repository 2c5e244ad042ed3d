"""House players: they see what their seat sees, choose among what is legal, and know nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from rules.values import Json

T = TypeVar("T")


class Random(Protocol):
    """What a house player needs of `random.Random`, which is handed in: the rules draw no lots themselves."""

    def choice(self, options: Sequence[T], /) -> T: ...


def choose(view: Json, legal: Sequence[Json], random: Random) -> Json:
    """One of `legal` for a seat that sees `view`, at random."""
    return random.choice(legal)
