"""The value of a match between two rounds."""

from __future__ import annotations

from rules.common.standing import shares
from rules.games.auction_draw.components import Table


def estimate(s: Table) -> list[float]:
    """5.2 The expected share of the win for each seat: most chips win, and half of the usual number is a clear lead."""
    return shares(s.purses, (sum(s.purses) + s.pot) / s.players / 2)
