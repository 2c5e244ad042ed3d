"""The value of a game between its two deals."""

from __future__ import annotations

from rules.common.standing import shares
from rules.games.oracle_land.components import Table, scores


def estimate(s: Table) -> list[float]:
    """5 The expected share of the win for each seat: most points win, and a deal rarely brings a seat more than two."""
    return shares(scores(s), 1)
