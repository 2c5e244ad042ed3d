"""The value of a match between two deals."""

from __future__ import annotations

from rules.common.standing import shares
from rules.games.abbott_auction.components import Table

STEP = 40
"""The approximate number of points that a deal brings."""


def estimate(s: Table) -> list[float]:
    """5.2 The expected share of the win for each seat, since the highest total wins."""
    return shares(s.totals, STEP)
