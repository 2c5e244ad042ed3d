"""Poll intervals: short while people play, and longer the longer nothing happens."""

from __future__ import annotations

from bisect import bisect

from rules.kernel import Json
from service.core.runtime.units import HOUR, MINUTE, SECOND
from service.log.table_rows.table import GameRow
from service.tables.clocks import paces

QUIET = (10 * MINUTE, HOUR)
"""The times (ms) after the last event from which a game counts as quieter, and as quieter still."""
FACTORS = (1, 2, 5)
"""The factors by which the interval grows, by the quietness of a game."""
OVER = 30
"""The factor for games that are over or have no person, in which nothing happens."""
SHARE = 100
"""A client that polls learns of an event within this fraction (1/100) of the time for a decision."""


def quietness(now: int, logged_at: int | None) -> int:
    """How quiet a game is, as an index of FACTORS; `logged_at` is the time of its last event."""
    return 0 if logged_at is None else bisect(QUIET, now - logged_at)


def poll_after(shortest: float, game: GameRow, now: int) -> float:
    """The seconds after which to ask for this game again; `shortest` while people play."""
    if game.is_over or game.unattended_at is not None:
        return shortest * OVER
    return interval(shortest, game.pace, quietness(now, game.logged_at))


def interval(shortest: float, pace: Json | None, quiet: int) -> float:
    """The interval (seconds) for a game of this pace; `quiet` is its quietness."""
    longest = paces.loaded(pace).each / SECOND / SHARE if pace else shortest * max(FACTORS)
    return max(shortest, min(shortest * FACTORS[quiet], longest))
