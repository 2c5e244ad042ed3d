"""How much of its time a thought may take, so that nobody waits for long when many house players are to move."""

from __future__ import annotations

from collections.abc import Iterable

PATIENCE = 1.5
"""Seconds within which each of those who wait is to be answered."""
BESIDES = 0.01
"""Seconds that an answer takes besides the thought."""
LEAST = 0.01
"""The share that is left however many wait: a few worlds."""


def share(waits: Iterable[tuple[float, float]], thinkers: int) -> float:
    """The share of its time that each thought may take if all who wait are to be answered within their patience.

    `waits` are those who wait, in the order in which they are answered: since how many seconds, and how many the whole
    thought would take.
    """
    found, before, besides = 1.0, 0.0, BESIDES
    for waited, whole in waits:
        longest = before / thinkers + whole  # none of the thinkers rests before it begins
        found = min(found, (PATIENCE - waited - besides) / longest)
        before += whole
        besides += BESIDES / thinkers
    return max(found, LEAST)
