"""Growth to 100,000 games and 5 million events: minutes of filling, and some GB of disk."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measures.growth import grown
from benchmarks.report import Measure

GAMES = 100_000
BEGUN = 65
"""Moves of each, unless it ends before."""


def measures(kind: str) -> Iterator[Measure]:
    """As `growth`, but larger, and with a target."""
    return grown(kind, GAMES, BEGUN, most=1.2)
