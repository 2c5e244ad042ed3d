"""Only moves: where everybody sees that a seat has only one move, a person can have it played, everywhere or at one
table.

The rules declare which moves these are (`State.forced`), and tests prove that playing one reveals nothing about a hand.
Nobody else knows that a person has them played.
"""

from __future__ import annotations

from sqlalchemy import select, update

from service.core.database.database import db, transaction
from service.core.models.games import Seat, Tenure
from service.core.models.orders import plays_only_move
from service.core.models.people import Player
from service.core.runtime.time_and_random import Runtime
from service.people import players
from service.people.players import PlayerRow
from service.tables.clocks import own_answers


def set_everywhere(runtime: Runtime, player_id: str, wanted: bool) -> PlayerRow:
    """Set whether only moves are played at all tables for which the person has not decided otherwise; returns the
    player's row after that.
    """
    with transaction():
        players.update_row(player_id, {"only_move": wanted})
        mine = select(Tenure.id).where(Tenure.player_id == player_id, Tenure.ended_at.is_(None))
        own_answers.look_again(
            runtime.now(), Seat.tenure_id.in_(mine.where(Tenure.only_move.is_(None)))
        )
        return players.get(player_id)


def set_at_table(runtime: Runtime, tenure: str, wanted: bool | None) -> None:
    """Set whether only moves are played at one table; None means as everywhere."""
    with transaction():
        mine = update(Tenure).where(Tenure.id == tenure, Tenure.ended_at.is_(None))
        db.session.execute(mine.values(only_move=wanted))
        own_answers.look_again(runtime.now(), Seat.tenure_id == tenure)


def at_table(tenure: str) -> tuple[bool | None, bool]:
    """The person's decision for this table (None: none), and whether only moves are played there as a result."""
    query = select(Tenure.only_move, plays_only_move()).join(Player, Player.id == Tenure.player_id)
    found = db.session.execute(query.where(Tenure.id == tenure)).one()
    return found[0], bool(found[1])
