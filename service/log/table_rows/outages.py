"""Outages that have not been given back to every game yet: for those games they last, and time stands still.

A game is given back the time at once from when the outage began until then. So it does no harm if some games wait for
it longer than others: because somebody holds their rows, because there are many of them, or because whoever was at it
has been killed.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Exists, ScalarSelect, delete, func, select

from service.core.database.database import UNLESS_THERE, db, write_rows
from service.core.models.games import Game
from service.core.models.server import Outage

_game, _outage = Game.metadata.tables["games"], Outage.metadata.tables["outages"]
_LASTS = _outage.c.ended_at > func.coalesce(_game.c.credited_until, _game.c.started_at)
"""Of an outage, for a game: one that is not given back to it. A table that was not started then has lost nothing."""


def began() -> ScalarSelect[int]:
    """When the outage began that lasts for the game of the query around this; null if none does."""
    earliest = select(func.min(_outage.c.began_at)).where(_LASTS)
    return earliest.correlate(_game).scalar_subquery()


def lasts() -> Exists:
    """The condition that one lasts for the game of the query around this."""
    return select(_outage.c.began_at).where(_LASTS).correlate(_game).exists()


def lasting(game_key: int) -> tuple[int, int] | None:
    """When the outages that last for this game began, and when all workers knew of their end; None if none does."""
    times = select(func.min(_outage.c.began_at), func.max(_outage.c.ended_at))
    first, last = db.session.execute(times.where(_game.c.key == game_key, _LASTS)).one()
    return None if first is None else (first, last)


def note(began_at: int, ended_at: int) -> None:
    """Note an outage, in the transaction in which the next heartbeat is written."""
    write_rows(_outage, [{"began_at": began_at, "ended_at": ended_at}], UNLESS_THERE)


def forget(concerned: ColumnElement[bool]) -> None:
    """Forget outages that last for no game that is `concerned`. The caller owns the commit."""
    games = select(_game.c.key).where(concerned, _LASTS).correlate(_outage)
    db.session.execute(delete(_outage).where(~games.exists()))


def any_lasts() -> bool:
    """Whether one lasts for any game."""
    return db.session.scalar(select(_outage.c.began_at).limit(1)) is not None
