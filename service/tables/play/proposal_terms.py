"""What may be proposed to a table now, and on which terms."""

from __future__ import annotations

from sqlalchemy import func, select

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Tenure
from service.core.runtime.problems import AlreadySeated, HeldAnother, NotForGuests, NotPossible
from service.core.runtime.units import DAY, SECOND
from service.log.table_rows import removals
from service.log.table_rows.table import Table
from service.people import blocks, names, players
from service.people.accounts import accounts

LONGEST_PAUSE = 30 * DAY // SECOND
"""The longest pause that can be proposed, in seconds."""
LONGEST_EXTENSION = 14 * DAY // SECOND
"""The longest extension that can be proposed, in seconds."""


def terms_of(table: Table, player_id: str, wish: Json) -> Json:
    """What exactly is proposed.

    Raises NotSeated, NotForGuests, AlreadySeated, HeldAnother, NameTaken, and NotPossible for what makes no
    sense at this table now.
    """
    kind = wish["kind"]
    if kind == "substitute":
        return _substitution(table, player_id, wish["seat"])
    own = table.holding(player_id)
    if kind == "pause" and table.game.paused_at:
        raise NotPossible("paused")
    if kind == "resume" and not table.game.paused_at:
        raise NotPossible("not-paused")
    if kind == "extend":
        seat = wish.get("seat", own.seat)
        if table.game.pace is None:
            raise NotPossible("no-clock")
        if not _is_held(table, seat, house=False):
            raise NotPossible("no-person-there")
        return {"seat": seat, "seconds": wish["seconds"]}
    return {name: wish[name] for name in ("seconds", "outcome") if name in wish}


def _substitution(table: Table, player_id: str, seat: int) -> Json:
    """A newcomer for a house player: somebody who has held no other seat of this game."""
    if table.person(player_id):
        raise AlreadySeated
    elsewhere = select(func.count()).where(
        Tenure.game_key == table.game.key, Tenure.player_id == player_id, Tenure.seat != seat
    )
    if db.session.scalar(elsewhere):
        raise HeldAnother
    left = select(Tenure.id).where(
        Tenure.game_key == table.game.key, Tenure.player_id == player_id, Tenure.why == "left"
    )
    barred = (
        db.session.execute(left.limit(1)).first() is not None
        or blocks.host_has_blocked(table, player_id)
        or removals.is_shut_out(table, player_id)
    )
    if barred or not _is_held(table, seat, house=True):
        raise NotPossible("not-to-be-taken-over")  # whoever is blocked is not told so
    if accounts.address_of(player_id) is None and any(each.player_id for each in table.people):
        raise NotForGuests  # it is mailed to everybody at the table
    names.refuse_taken(table, player_id, players.get(player_id).name)
    return {"seat": seat}


def _is_held(table: Table, seat: int, *, house: bool) -> bool:
    """Whether there is such a seat, and a house player (or else a person) holds it."""
    held = (holder for holder in table.holders if holder.seat == seat)
    return any((holder.player_id is None) == house for holder in held)
