"""Deadlines: which seats and tables are out of time, paused for too long, or deserted."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Select, and_, select

from service.core.database.database import Moment, columns
from service.core.models.games import Game, Seat
from service.core.runtime.units import DAY

DESERTED_AFTER = 14 * DAY
"""Ms without a person at the table after which a game is closed."""

_game, _seat = Game.metadata.tables["games"], Seat.metadata.tables["seats"]
_RUNNING = and_(_game.c.status != "open", _game.c.status != "over")
"""Said like this, since SQLite would look through all games with a status that is named, and not for what is late."""


class LateSeat(NamedTuple):
    """A seat whose time is over."""

    id: str
    """Of the game."""
    seat: int


def late_seats(now: Moment) -> Select[*tuple[object, ...]]:
    """The query for the seats whose time is over, the latest first."""
    return (
        select(*columns(LateSeat, _game, _seat))
        .join(_game, _game.c.key == _seat.c.game_key)
        .where(_seat.c.due <= now, _seat.c.waiting)
        .where(_RUNNING, _game.c.paused_at.is_(None))
        .order_by(_seat.c.due)
    )


def paused(now: Moment) -> Select[str]:
    """The ids of games whose pause is over."""
    return select(_game.c.id).where(_RUNNING, _game.c.paused_until <= now)


def deserted(now: Moment) -> Select[str]:
    """The ids of games in which no person has been for long."""
    since = now - DESERTED_AFTER
    return select(_game.c.id).where(_RUNNING, _game.c.unattended_at <= since)
