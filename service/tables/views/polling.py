"""How soon it is worthwhile to ask again: at once while people play, less often the longer nothing happens."""

from __future__ import annotations

from bisect import bisect

from rules.kernel import Json
from service.core.runtime.units import HOUR, MINUTE, SECOND
from service.log.table_rows.table import GameRow
from service.tables.clocks import paces

QUIET = (10 * MINUTE, HOUR)
"""Ms since the last event after which a game counts as quieter."""
FACTORS = (1, 2, 5)
"""By what the interval is multiplied in a game that is as quiet as that."""
OVER = 30
"""By what it is multiplied when the game is over, or no person sits there, so that nothing happens."""
SHARE = 100
"""Whoever polls learns of an event within this part of the time for a decision."""


def quietness(now: int, logged_at: int | None) -> int:
    """How quiet a game is: the index of its factor."""
    return 0 if logged_at is None else bisect(QUIET, now - logged_at)


def poll_after(shortest: float, game: GameRow, now: int) -> float:
    """The seconds after which to ask for this game again; `shortest` while people play."""
    if game.is_over or game.unattended_at is not None:
        return shortest * OVER
    return interval(shortest, game.pace, quietness(now, game.logged_at))


def interval(shortest: float, pace: Json | None, quiet: int) -> float:
    """The same for a game of this pace that is as quiet as that."""
    longest = paces.loaded(pace).each / SECOND / SHARE if pace else shortest * max(FACTORS)
    return max(shortest, min(shortest * FACTORS[quiet], longest))
