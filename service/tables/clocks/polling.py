"""Poll intervals: short while people play, and longer the longer nothing happens."""

from __future__ import annotations

from bisect import bisect

from rules.kernel import Json
from service.core.runtime.units import HOUR, MINUTE, SECOND
from service.log.table_rows.table import GameRow
from service.tables.clocks import paces

QUIET = (10 * MINUTE, HOUR)
"""How long (ms) after the last event a game counts as quieter, and as quieter still."""
FACTORS = (1, 2, 5)
"""The factors for the interval, by how quiet a game is."""
OVER = 30
"""The factor for games that are over or have no person, so that nothing happens."""
SHARE = 100
"""The part of the time for a decision within which a polling client learns of an event."""


def quietness(now: int, logged_at: int | None) -> int:
    """The quietness of a game, as the index of its factor."""
    return 0 if logged_at is None else bisect(QUIET, now - logged_at)


def poll_after(shortest: float, game: GameRow, now: int) -> float:
    """The seconds after which to ask for this game again; `shortest` while people play."""
    if game.is_over or game.unattended_at is not None:
        return shortest * OVER
    return interval(shortest, game.pace, quietness(now, game.logged_at))


def interval(shortest: float, pace: Json | None, quiet: int) -> float:
    """The interval for a game of this pace that is this quiet."""
    longest = paces.loaded(pace).each / SECOND / SHARE if pace else shortest * max(FACTORS)
    return max(shortest, min(shortest * FACTORS[quiet], longest))
