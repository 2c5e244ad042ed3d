"""Orders that end although nobody has put another question to their player: the seat is lost, or the move that their
player had seen is taken back.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, func, select, update

from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.models.orders import SEAT_LOST, UNDONE, StandingOrder
from service.core.runtime.time_and_random import Runtime

_IN_FORCE = StandingOrder.ended_at.is_(None)


def end_with_seat(runtime: Runtime, tenure: str, number: int) -> None:
    """End the orders of a tenure, which ends with event `number`. The caller owns the lock and the commit."""
    _end(runtime, StandingOrder.tenure_id == tenure, number, SEAT_LOST)
    db.session.execute(update(Tenure).where(Tenure.id == tenure).values(orders=0))


def end_with_undone(runtime: Runtime, game_key: int, since: int, number: int) -> None:
    """End the orders that were made after the time `since` (ms UTC) in a game: event `number` has undone what was
    played then.

    The caller owns the lock and the commit.
    """
    later = (StandingOrder.game_key == game_key) & (StandingOrder.made_at > since)
    _end(runtime, later, number, UNDONE)
    count = select(func.count()).where(StandingOrder.tenure_id == Tenure.id, _IN_FORCE)
    here = update(Tenure).where(Tenure.game_key == game_key, Tenure.orders > 0)
    left = here.values(orders=count.scalar_subquery())
    db.session.execute(left.execution_options(synchronize_session=False))


def _end(runtime: Runtime, which: ColumnElement[bool], number: int, why: str) -> None:
    these = update(StandingOrder).where(which, _IN_FORCE)
    ended = these.values(ended_at=runtime.now(), ended_number=number, why=why)
    db.session.execute(ended.execution_options(synchronize_session=False))
