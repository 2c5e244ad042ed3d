"""People whom a host has removed before the start: they are shut out of that table until its host invites them."""

from __future__ import annotations

from sqlalchemy import ColumnElement, exists, or_, select

from service.core.database.database import db
from service.core.models.games import Game, Invitation, Tenure
from service.core.runtime.problems import NotAdmitted
from service.log.table_rows import invitation_queries
from service.log.table_rows.table import Table

REMOVED = "removed"
"""The reason why the tenure of a removed person ended."""

_tenure, _game, _invitation = Tenure.__table__, Game.__table__, Invitation.__table__


def is_shut_out(table: Table, player_id: str, invitation_id: str | None = None) -> bool:
    """Whether the host removed this player, and has not invited them since.

    An invitation is for the player if it is addressed to them, or if they bring the key of `invitation_id`.
    """
    ended = select(_tenure.c.ended_at, _tenure.c.why).where(
        _tenure.c.game_key == table.game.key,
        _tenure.c.player_id == player_id,
        _tenure.c.ended_at.is_not(None),
    )
    last = db.session.execute(ended.order_by(_tenure.c.ended_at.desc()).limit(1)).one_or_none()
    if last is None or last.why != REMOVED or table.host is None:
        return False
    anew = select(_invitation.c.key).where(
        _invitation.c.game_key == table.game.key,
        _invitation.c.inviter_id == table.host.player_id,
        _invitation.c.made_at > last.ended_at,
        _invitation.c.declined_at.is_(None),
        or_(invitation_queries.addressed_to(player_id), _invitation.c.id == invitation_id),
    )
    return db.session.execute(anew.limit(1)).first() is None


def removed_since(time: ColumnElement[int]) -> ColumnElement[bool]:
    """The condition that the host removed somebody from the table of an invitation at this time or later."""
    here = (_tenure.c.game_key == _invitation.c.game_key) & (_tenure.c.why == REMOVED)
    return exists().where(here, _tenure.c.ended_at >= time)


def refuse_removed(table: Table, player_id: str, invitation_id: str | None = None) -> None:
    """Raise NotAdmitted if this player is shut out."""
    if is_shut_out(table, player_id, invitation_id):
        raise NotAdmitted


def open_tables_left(player_id: str) -> list[str]:
    """The ids of the open tables from which hosts have removed this player."""
    removed = select(_game.c.id).join(_tenure, _tenure.c.game_key == _game.c.key)
    mine = (_tenure.c.player_id == player_id) & (_tenure.c.why == REMOVED)
    return list(db.session.scalars(removed.where(mine, _game.c.status == "open").distinct()))
