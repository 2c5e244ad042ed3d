"""The value of a game between its two deals."""

from __future__ import annotations

from rules.common.standing import shares
from rules.games.oracle_land.components import Table, scores


def estimate(s: Table) -> list[float]:
    """5 The most points win, and a deal rarely brings anybody more than two."""
    return shares(scores(s), 1)
