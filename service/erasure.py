"""Erasure: a person goes for good. Seats go to house players, tenures lose their person, the row is emptied.

Every seat is given up in a commit of its own; only when none is left is the row emptied. If that is interrupted the
person is still there and can ask again. Games stay readable: where the person sat stands that somebody was there.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, or_, select, update

from service import accounts, consent, offers, said, seats, tables, waits
from service.database import db, transaction
from service.log import States
from service.models import Credential, Game, Player, Tenure
from service.models_clock import Proposal
from service.models_mail import Outbox, Unsubscribed
from service.models_people import Account, Vacation
from service.outside import Outside
from service.problems import NotFound, NotOpen, Unavailable

_outbox = Outbox.metadata.tables["outbox"]

PATIENCE = 5
"""How often a person is got up from wherever they have just sat down."""
_EMPTY = {
    "name": "",
    "away_from": None,
    "away_until": None,
    "time_zone": None,
    "reminders": None,
}
"""What is left of a person's row."""


def erase(outside: Outside, states: States, player_id: str) -> None:
    """Erase a person; nothing brings them back. Raises Unavailable if they sit down faster than they can be got up."""
    for _ in range(PATIENCE):
        seats.leave_all(outside, states, player_id)
        _leave_open_tables(outside, player_id)
        if empty(outside, player_id):
            return
    raise Unavailable({"Retry-After": "5"})


def _leave_open_tables(outside: Outside, player_id: str) -> None:
    for row in _held(player_id, "open"):
        try:
            tables.leave(outside, row.id, player_id, row.tenure)
        except (NotFound, NotOpen):  # removed, or started, just now: the next look sees it
            continue


def empty(outside: Outside, player_id: str) -> bool:
    """Empty the row, unless the person still sits somewhere."""
    with transaction():
        sat = select(Tenure.game_key).where(Tenure.player_id == player_id)
        asked = select(Proposal.game_key).where(Proposal.player_id == player_id)
        # they show it; and before the player, as everywhere
        waits.lock_games(Game.key.in_(sat.union(asked)))
        db.session.execute(select(Player.id).where(Player.id == player_id).with_for_update())
        if _held(player_id, "open") or _held(player_id, "running"):
            return False
        now = outside.now()
        consent.withdraw_all(outside, player_id)
        said.forget(player_id, now)
        offers.forget(player_id)
        _forget_mail(player_id)
        held = update(Tenure).where(Tenure.player_id == player_id)
        db.session.execute(held.values(player_id=None, erased=True))
        proposed = update(Proposal).where(Proposal.player_id == player_id)
        db.session.execute(proposed.values(player_id=None))
        for kept in (Account, Vacation, Unsubscribed, Credential):
            db.session.execute(delete(kept).where(kept.player_id == player_id))
        db.session.execute(
            update(Player).where(Player.id == player_id).values(**_EMPTY, erased_at=now)
        )
        return True


def _forget_mail(player_id: str) -> None:
    """Nothing is sent any more, nor kept of what was: to this person, or because of a handle or address of theirs."""
    account = accounts.find(player_id)
    named = {each.lower() for each in (account.handle, account.folded) if each} if account else ()
    typed = func.lower(_outbox.c.data["who"].as_string())
    theirs = or_(
        _outbox.c.player_id == player_id,
        func.lower(_outbox.c.address).in_(named),
        typed.in_(named),
    )
    db.session.execute(delete(_outbox).where(theirs))


def _held(player_id: str, status: str) -> list[Any]:
    """The games of a status where the person sits, with the tenure."""
    query = (
        select(Game.id, Tenure.id.label("tenure"))
        .join(Tenure, Tenure.game_key == Game.key)
        .where(Tenure.player_id == player_id, Tenure.ended_at.is_(None), Game.status == status)
    )
    return list(db.session.execute(query.order_by(Game.key)))
