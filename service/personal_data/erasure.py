"""Erasure: delete a player for good. House players take their seats, tenures lose their player, the row is emptied.

Every seat is given up in a commit of its own, and the row is emptied once none is left. If that is interrupted, the
player still exists and can ask again. Games stay readable: the player's seat is shown as that of somebody who has left.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, func, or_, select, update

from service.core.database.database import db, rows, transaction
from service.core.models.games import Game, Tenure
from service.core.models.mail import Outbox, Unsubscribed
from service.core.models.people import Account, Credential, Player, Vacation
from service.core.models.proposals import Proposal
from service.core.runtime.problems import NotFound, NotOpen, Unavailable
from service.core.runtime.time_and_random import Runtime
from service.log import changes
from service.log.event_log import States
from service.log.table_rows import invitation_queries
from service.notifications.receivers import receivers
from service.people.accounts import accounts
from service.personal_data import messages_and_notes
from service.tables.before_start import table_setup
from service.tables.clocks import seat_clocks
from service.tables.play import leaving, proposals

_outbox = Outbox.metadata.tables["outbox"]

ATTEMPTS = 5
"""How often the seats are given up of a player who keeps sitting down."""
_EMPTY = {
    "name": "",
    "away_from": None,
    "away_until": None,
    "time_zone": None,
    "reminders": None,
    "quiet": None,
    "digest": None,
    "digested": None,
    "proven": None,
    "program": False,
}
"""What the player's row says afterwards."""


class SeatTaken(NamedTuple):
    """A game and the player's tenure there."""

    game_id: str
    tenure: str


def erase(runtime: Runtime, states: States, player_id: str) -> None:
    """Erase a player; this cannot be undone. Raises Unavailable if they keep sitting down meanwhile."""
    for _ in range(ATTEMPTS):
        leaving.leave_all(runtime, states, player_id)
        _leave_open_tables(runtime, player_id)
        if erase_unless_seated(runtime, player_id):
            return
    raise Unavailable({"Retry-After": "5"})


def _leave_open_tables(runtime: Runtime, player_id: str) -> None:
    for seat in _seats_taken(player_id, "open"):
        try:
            table_setup.leave(runtime, seat.game_id, player_id, seat.tenure)
        except (NotFound, NotOpen):  # removed or started meanwhile: the next attempt sees it
            continue


def erase_unless_seated(runtime: Runtime, player_id: str) -> bool:
    """Erase everything about the player, unless they still sit somewhere; whether it was done."""
    with transaction():
        played = select(Tenure.game_key).where(Tenure.player_id == player_id)
        proposed = select(Proposal.game_key).where(Proposal.player_id == player_id)
        # these games show the player; and games are locked before players everywhere
        seat_clocks.lock_games(runtime.now(), Game.key.in_(played.union(proposed)))
        db.session.execute(select(Player.id).where(Player.id == player_id).with_for_update())
        if _seats_taken(player_id, "open") or _seats_taken(player_id, "running"):
            return False
        now = runtime.now()
        proposals.withdraw_all(runtime, player_id)
        messages_and_notes.erase(player_id, now)
        invitation_queries.delete_of_player(now, player_id)
        _delete_mails(player_id)
        changes.forget(player_id)
        receivers.forget(player_id)
        tenures = update(Tenure).where(Tenure.player_id == player_id)
        db.session.execute(tenures.values(player_id=None, erased=True))
        own_proposals = update(Proposal).where(Proposal.player_id == player_id)
        db.session.execute(own_proposals.values(player_id=None))
        for table in (Account, Vacation, Unsubscribed, Credential):
            db.session.execute(delete(table).where(table.player_id == player_id))
        db.session.execute(
            update(Player).where(Player.id == player_id).values(**_EMPTY, erased_at=now)
        )
        return True


def _delete_mails(player_id: str) -> None:
    """Delete the mails, sent or not, to this player, to their address, or asked for with their handle or address."""
    account = accounts.find(player_id)
    logins = {each.lower() for each in (account.handle, account.folded) if each} if account else ()
    typed = func.lower(_outbox.c.data["who"].as_string())
    own = or_(
        _outbox.c.player_id == player_id,
        func.lower(_outbox.c.address).in_(logins),
        typed.in_(logins),
    )
    db.session.execute(delete(_outbox).where(own))


def _seats_taken(player_id: str, status: str) -> list[SeatTaken]:
    """Where the player sits in games of this status."""
    query = (
        select(Game.id, Tenure.id)
        .join(Tenure, Tenure.game_key == Game.key)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None), Game.status == status)
    )
    return rows(SeatTaken, query.order_by(Game.key))
