"""Looks that several kinds of mail share: is what they are about still so?"""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, select

from service.api.common import Tools
from service.database import db
from service.models import Game, Seat

_ASKED = (
    select(Seat.seat)
    .join(Game, Game.key == Seat.game_key)
    .where(Seat.tenure_id == bindparam("tenure"), Seat.asked == bindparam("number"))
    .where(Seat.waiting, Game.status == "running")
)


def still_asked(_kit: Tools, row: Any) -> bool:
    """Whether this tenure holds its seat and is waited for with question `number`."""
    asked = {"tenure": row.tenure_id, "number": row.number}
    return db.session.execute(_ASKED, asked).first() is not None
