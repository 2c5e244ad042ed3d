"""The rows of invitations, as a table sees them: for whom a place is kept, who has been asked, who has come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, delete, func, or_, select

from service.database import db
from service.models_people import Account
from service.models_tables import Invitation

_invitation, _account = (
    Invitation.metadata.tables["invitations"],
    Account.metadata.tables["accounts"],
)


def addressed_to(player_id: str) -> ColumnElement[bool]:
    """That an invitation is for this player, or was mailed to the verified address of this player."""
    theirs = select(_account.c.folded).where(_account.c.player_id == player_id)
    return or_(
        _invitation.c.player_id == player_id, _invitation.c.address == theirs.scalar_subquery()
    )


def is_asked(game_key: int, player_id: str) -> bool:
    """Whether this player is invited to the table, and has not declined."""
    asked = select(_invitation.c.key).where(
        _invitation.c.game_key == game_key,
        _invitation.c.declined_at.is_(None),
        addressed_to(player_id),
    )
    return db.session.execute(asked.limit(1)).first() is not None


def kept(game_keys: Iterable[int], but: str | None = None) -> dict[int, int]:
    """How many places are kept for people, by game; `but` is not counted."""
    query = (
        select(_invitation.c.game_key, func.count())
        .where(_invitation.c.game_key.in_(list(game_keys)), _invitation.c.declined_at.is_(None))
        .where(_invitation.c.player_id.is_not(None), _invitation.c.player_id != (but or ""))
        .group_by(_invitation.c.game_key)
    )
    return {row[0]: row[1] for row in db.session.execute(query)}


def kept_count(game_key: Any) -> Any:
    """An expression: how many places a game keeps for people."""
    return (
        select(func.count())
        .where(_invitation.c.game_key == game_key, _invitation.c.player_id.is_not(None))
        .where(_invitation.c.declined_at.is_(None))
        .scalar_subquery()
    )


def settle(game_key: int, player_id: str) -> None:
    """This player has sat down. The caller owns the commit."""
    mine = delete(Invitation).where(_invitation.c.game_key == game_key, addressed_to(player_id))
    db.session.execute(mine)


def forget_game(game_key: int) -> None:
    """The game has started: nobody is asked any more, and no address is kept. The caller owns the commit."""
    db.session.execute(delete(Invitation).where(_invitation.c.game_key == game_key))


def forget(player_id: str) -> None:
    """Invitations by this player and to this player, while the account is there. The caller owns the commit."""
    concerned = or_(_invitation.c.inviter_id == player_id, addressed_to(player_id))
    db.session.execute(delete(Invitation).where(concerned))
