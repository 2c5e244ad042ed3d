"""How many tables that have not started one person may have, and in which order the lobby shows them."""

from __future__ import annotations

from sqlalchemy import or_, select

from service.core.database.database import db
from service.core.models.games import Game, Tenure
from service.core.models.people import Player
from service.core.runtime.problems import TooManyTables
from service.log.table_rows.table import is_host

MOST_OPEN = 10
"""Tables that a person has opened, or is the host of, and that have not started."""


def next_rank(player_id: str) -> int:
    """The rank of another table of this player, the lowest that is free. The caller owns the commit.

    Raises TooManyTables.
    """
    own_row = select(Player.id).where(Player.id == player_id)
    db.session.execute(own_row.with_for_update(key_share=True))  # one new table at a time
    own = (Tenure.player_id == player_id) & or_(Tenure.place == 1, is_host())
    query = select(Game.opener_rank).join(Tenure, Tenure.game_key == Game.key)
    ranks = db.session.scalars(query.where(Game.status == "open", own)).all()
    if len(ranks) >= MOST_OPEN:
        raise TooManyTables
    return min(set(range(MOST_OPEN)).difference(ranks))
