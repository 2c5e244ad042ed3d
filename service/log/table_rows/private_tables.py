"""The right to see a table.

Everybody has it unless the table is private: then its people, the invited, key holders and the members of its circle
have it. Only its player may see a lesson, or a try at a daily deal.

Keys are derived, not stored. The table's own key is in the link that its people are shown. The host can change that
key, and the earlier one stops working. A mailed invitation has a separate key, which is as good as the invitation.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Sequence

from sqlalchemy import select, update

from service.core.database.database import db
from service.core.models.circles import CircleMember
from service.core.models.games import Game, Tenure
from service.core.runtime.problems import NoSuchTable
from service.core.runtime.time_and_random import base62
from service.log import changes
from service.log.table_rows import invitation_queries, removals
from service.log.table_rows.table import GameRow, Table, has_held_seat, is_host

_member = CircleMember.__table__
_MAILED = re.compile(r"(i_[0-9A-Za-z]{16,32})\.[0-9A-Za-z]+", re.ASCII)
"""The pattern of the key of a mailed invitation: the invitation's id and its signature."""


def is_open_to(private: bool, seated: object) -> bool:
    """Whether the caller may see the game without more checks: it is not `private`, or the caller is `seated` there."""
    return not private or seated is not None


def refuse_strangers(table: Table, player_id: str | None, key: str | None, secret: bytes) -> None:
    """Raise NotFound if the table is private and this caller may not see it."""
    if is_open_to(table.game.private, table.person(player_id)):
        return
    if table.game.alone:
        raise NoSuchTable
    invitation_id = invitation_of(key, secret)
    if player_id and removals.is_shut_out(table, player_id, invitation_id):
        raise NoSuchTable
    if invitation_id and invitation_queries.is_open(table.game.key, invitation_id):
        return
    if key and not invitation_id and _is_same(key, table_key(table.game, secret)):
        return
    if player_id and _is_in_circle(table.game.circle_key, player_id):
        return
    if player_id is None or not (
        has_held_seat(table, player_id) or invitation_queries.is_invited(table.game.key, player_id)
    ):
        raise NoSuchTable


def _is_in_circle(circle_key: int | None, player_id: str) -> bool:
    """Whether this player is a member of the circle to which a table belongs."""
    if circle_key is None:
        return False
    mine = (_member.c.circle_key == circle_key) & (_member.c.player_id == player_id)
    present = select(_member.c.key).where(mine, _member.c.removed_at.is_(None))
    return db.session.execute(present).first() is not None


def table_key(game: GameRow, secret: bytes) -> str:
    """The key in the table's invitation link."""
    changed = f" {game.invitation_number}" if game.invitation_number else ""
    return base62(hmac.digest(secret, f"invitation {game.id}{changed}".encode(), "sha256"))


def lock_hosted(player_id: str) -> Sequence[int]:
    """Lock the private tables that this player hosts, except games that are over; return their keys in the database."""
    hosted = select(Tenure.game_key).where(Tenure.player_id == player_id, is_host())
    private = Game.key.in_(hosted) & Game.private & (Game.status != "over")
    locked = select(Game.key).where(private).order_by(Game.key).with_for_update()
    return db.session.scalars(locked).all()


def end_keys(now: int, game_keys: Sequence[int]) -> None:
    """Make the present keys of these tables stop working. The caller owns the locks and the commit."""
    changed = update(Game).where(Game.key.in_(game_keys))
    number, revision = Game.invitation_number + 1, Game.revision + 1
    db.session.execute(changed.values(invitation_number=number, revision=revision))
    changes.note_tables(now, Game.key.in_(game_keys))


def mailed_key(invitation_id: str, secret: bytes) -> str:
    """The key in the email of an invitation."""
    signature = hmac.digest(secret, f"mailed invitation {invitation_id}".encode(), "sha256")
    return f"{invitation_id}.{base62(signature)}"


def invitation_of(key: str | None, secret: bytes) -> str | None:
    """The id of the invitation whose key this is; None for any other key."""
    match = _MAILED.fullmatch(key or "")
    return match[1] if match and _is_same(match[0], mailed_key(match[1], secret)) else None


def _is_same(key: str, expected: str) -> bool:
    return hmac.compare_digest(key.encode(), expected.encode())
