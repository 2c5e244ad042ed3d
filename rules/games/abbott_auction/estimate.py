"""What a match is worth between two deals."""

from __future__ import annotations

from rules.common.standing import shares
from rules.games.abbott_auction.components import Table

STEP = 40
"""About the points of a deal."""


def estimate(s: Table) -> list[float]:
    """5.2 The highest total wins."""
    return shares(s.totals, STEP)
