"""Nonces as the rows of a table hold them: what its people brought for the shuffles (docs/record.md)."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from service.core.database.database import db
from service.core.models.games import Tenure
from service.log.events import Nonce

_tenure = Tenure.metadata.tables["tenures"]
_NONCES = (
    select(_tenure.c.id, _tenure.c.nonce)
    .where(_tenure.c.game_key == bindparam("game"), _tenure.c.nonce.is_not(None))
    .order_by(_tenure.c.place, _tenure.c.sat_at)
)


def brought(game_key: int) -> list[Nonce]:
    """What was brought, in the order of sitting down; the nonce of somebody who left before the start stays."""
    found = db.session.execute(_NONCES, {"game": game_key})
    return [{"tenure": tenure, "nonce": nonce} for tenure, nonce in found]
