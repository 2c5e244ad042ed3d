"""Outages that have not yet been credited to every game: for those games they continue, and time stands still.

A game is credited at once with all the time since the outage began. So it does no harm if some games wait longer for it
than others: because somebody holds their rows, because there are many of them, or because the process that credits them
was killed.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Exists, ScalarSelect, case, delete, func, select

from service.core.database.database import UNLESS_THERE, db, write_rows
from service.core.models.games import Game
from service.core.models.server import Outage

_game, _outage = Game.metadata.tables["games"], Outage.metadata.tables["outages"]
_HAS_TIME_SINCE = func.coalesce(_game.c.started_at, case((_game.c.live, _game.c.created_at)))
"""The time since which a game can lose time: its start or, at a live table, its opening, as people have to be there."""
_LASTS = _outage.c.ended_at > func.coalesce(_game.c.credited_until, _HAS_TIME_SINCE)
"""The condition that an outage has not been credited to a game yet, and that the game could lose time by it."""


def began() -> ScalarSelect[int]:
    """The beginning of the outage that continues for the game of the surrounding query; NULL if none does."""
    earliest = select(func.min(_outage.c.began_at)).where(_LASTS)
    return earliest.correlate(_game).scalar_subquery()


def lasts() -> Exists:
    """The condition that an outage continues for the game of the surrounding query."""
    return select(_outage.c.began_at).where(_LASTS).correlate(_game).exists()


def lasting(game_key: int) -> tuple[int, int] | None:
    """The beginning of the outages that continue for this game, and the time at which all workers knew of their end.

    None if no outage continues.
    """
    times = select(func.min(_outage.c.began_at), func.max(_outage.c.ended_at))
    first, last = db.session.execute(times.where(_game.c.key == game_key, _LASTS)).one()
    return None if first is None else (first, last)


def note(began_at: int, ended_at: int) -> None:
    """Note an outage, in the transaction in which the next heartbeat is written."""
    write_rows(_outage, [{"began_at": began_at, "ended_at": ended_at}], UNLESS_THERE)


def forget(concerned: ColumnElement[bool]) -> None:
    """Delete outages that continue for no game that is `concerned`. The caller owns the commit."""
    games = select(_game.c.key).where(concerned, _LASTS).correlate(_outage)
    db.session.execute(delete(_outage).where(~games.exists()))


def any_lasts() -> bool:
    """Whether an outage continues for any game."""
    return db.session.scalar(select(_outage.c.began_at).limit(1)) is not None
