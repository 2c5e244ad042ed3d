"""Checks that several kinds of mail share: is it still worth sending?"""

from __future__ import annotations

from sqlalchemy import bindparam, select

from service.core.database.database import db
from service.core.models.games import Game, Seat
from service.core.models.mail import OutboxRow
from service.tables.services import Services

_ASKED = (
    select(Seat.seat)
    .join(Game, Game.key == Seat.game_key)
    .where(Seat.tenure_id == bindparam("tenure"), Seat.asked == bindparam("number"))
    .where(Seat.waiting, Game.status == "running")
)


def still_asked(_services: Services, row: OutboxRow) -> bool:
    """Whether the tenure holds its seat, and the game waits for its answer to question `number`."""
    values = {"tenure": row.tenure_id, "number": row.number}
    return db.session.execute(_ASKED, values).first() is not None
