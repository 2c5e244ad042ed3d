"""Giving up a seat and taking it back: resigning, returning, leaving all games."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import select

from service.core.database.database import db, transaction
from service.core.models.games import Tenure
from service.core.models.mail import Outbox
from service.core.models.returns import may_return
from service.core.runtime.problems import NotPossible
from service.log.events import HandoverReason
from service.log.table_rows import tenures
from service.log.table_rows.table import Holder, Table, find
from service.outbox import queue
from service.people import names, players
from service.tables.play import proposals, service_events
from service.tables.services import Services


class Held(NamedTuple):
    """A seat that somebody used to hold."""

    seat: int
    until: int
    """The number of the handover that ended the tenure: the person may still see the seat's views up to that event."""
    may_return: bool
    """Whether the person may take the seat back."""


def resign(services: Services, game_id: str, player_id: str, *, for_good: bool = False) -> Table:
    """Resign, and return the table. In a game for two, the other player wins; otherwise a house player takes the seat,
    permanently if `for_good`.

    Raises NotFound, NotRunning, NotSeated.
    """
    with transaction():
        table = proposals.running(game_id)
        seat = table.holding(player_id).seat
        if table.game.players == 2:
            return service_events.close(services, table, "resigned", (1 - seat,), seat)
        if for_good:
            mine = (Outbox.player_id == player_id) & (Outbox.game_key == table.game.key)
            queue.cancel(services, mine)  # including emails that belong to no tenure
        return give_to_the_house(services, table, seat, "left" if for_good else "resigned")


def give_to_the_house(services: Services, table: Table, seat: int, why: HandoverReason) -> Table:
    """Give the seat to a house player, and return the table; its former holder is no longer asked to vote.

    The caller owns the lock and the commit.
    """
    table = service_events.hand_over(services, table, seat, None, why)
    return proposals.reconsider(services, table)


def return_to_seat(services: Services, game_id: str, player_id: str) -> Table:
    """Take the player's own seat back from a house player, and return the table.

    Raises NotFound, NotRunning, NotPossible, NameTaken.
    """
    with transaction():
        table = proposals.running(game_id)
        held = held_by(table, player_id)
        if held is None or not held.may_return:
            raise NotPossible("no-seat-to-take-back")
        names.refuse_taken(table, player_id, players.get(player_id).name)
        table = service_events.hand_over(services, table, held.seat, player_id, "returned")
        proposals.ask_newcomer(services, table, player_id)
        return table


def held_by(table: Table, player_id: str | None) -> Held | None:
    """The seat that this person used to hold; None for people who sit at the table and for strangers."""
    if player_id is None or table.person(player_id) or not table.game.number:
        return None
    holders = (Tenure.game_key == table.game.key) & Tenure.seat.is_not(None)
    mine = select(Tenure.seat, Tenure.ended, may_return().label("back")).where(
        holders, Tenure.player_id == player_id
    )
    own = db.session.execute(mine.order_by(Tenure.place.desc()).limit(1)).one_or_none()
    if own is None:
        return None
    return Held(own.seat, own.ended, table.game.status == "running" and bool(own.back))


def leave_all(services: Services, player_id: str) -> None:
    """Give all seats of a player who leaves the service to house players, in one commit for each game."""
    for seat in tenures.taken(player_id, "running"):
        with transaction():
            table = find(seat.game_id, lock=True)
            person = table.person(player_id)
            if isinstance(person, Holder) and table.game.status == "running":
                give_to_the_house(services, table, person.seat, "left")
