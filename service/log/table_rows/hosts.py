"""Which tables somebody hosts: those at which no other person has sat longer."""

from __future__ import annotations

from sqlalchemy import ColumnElement, exists
from sqlalchemy.orm import aliased

from service.core.models.games import Tenure


def is_host() -> ColumnElement[bool]:
    """The condition that a tenure is that of its table's host."""
    earlier = aliased(Tenure)
    return Tenure.ended_at.is_(None) & ~exists().where(
        earlier.game_key == Tenure.game_key,
        earlier.player_id.is_not(None),
        earlier.ended_at.is_(None),
        earlier.place < Tenure.place,
    )
