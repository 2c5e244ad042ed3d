"""Queries for the invitations to a table: who is invited, and for whom places are kept."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import ColumnElement, ScalarSelect, delete, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute

from service.core.database.database import db
from service.core.models.following import Listener
from service.core.models.games import Game, Invitation
from service.core.models.people import Account
from service.core.models.talk import Block
from service.log import changes

_invitation, _account, _listener = Invitation.__table__, Account.__table__, Listener.__table__
_game, _block = Game.__table__, Block.__table__
_is_blocked = exists().where(
    _block.c.player_id == _listener.c.player_id, _block.c.blocked_id == _invitation.c.inviter_id
)
_INVITED = (
    select(_listener.c.player_id, _game.c.id, _game.c.revision)
    .select_from(_invitation)
    .join(_game, _game.c.key == _invitation.c.game_key)
    .outerjoin(_account, _account.c.folded == _invitation.c.address)
    .join(
        _listener,
        _listener.c.player_id == func.coalesce(_invitation.c.player_id, _account.c.player_id),
    )
    .where(_invitation.c.declined_at.is_(None), ~_is_blocked)
)
"""The query for listeners who find invitations in their lists, with the games as they are now."""


def addressed_to(player_id: str) -> ColumnElement[bool]:
    """The condition that an invitation is for this player or for the player's verified address."""
    own_address = select(_account.c.folded).where(_account.c.player_id == player_id)
    return or_(
        _invitation.c.player_id == player_id, _invitation.c.address == own_address.scalar_subquery()
    )


def is_invited(game_key: int, player_id: str) -> bool:
    """Whether this player is invited to the table, and has not declined."""
    return _is_there(game_key, addressed_to(player_id))


def is_open(game_key: int, invitation_id: str) -> bool:
    """Whether this is an invitation to the table that has not been declined, withdrawn or used."""
    return _is_there(game_key, _invitation.c.id == invitation_id)


def _is_there(game_key: int, which: ColumnElement[bool]) -> bool:
    here = _invitation.c.game_key == game_key
    query = select(_invitation.c.key).where(here, _invitation.c.declined_at.is_(None), which)
    return db.session.execute(query.limit(1)).first() is not None


def kept_places(game_keys: Iterable[int], except_for: str | None = None) -> dict[int, int]:
    """The number of places that each game keeps for invited players other than `except_for`."""
    query = select(Game.key, kept_places_expression(Game.key, except_for))
    return dict(db.session.execute(query.where(Game.key.in_(list(game_keys)))).all())


def kept_places_expression(
    game_key: InstrumentedAttribute[int], except_for: str | None = None
) -> ScalarSelect[int]:
    """The SQL expression for the number of places that a game keeps for invited players other than `except_for`."""
    kept = select(func.count()).where(_invitation.c.declined_at.is_(None))
    others = _invitation.c.player_id != (except_for or "")  # not true of NULL, for an address
    return kept.where(_invitation.c.game_key == game_key, others).scalar_subquery()


def delete_of_seated(game_key: int, player_id: str) -> None:
    """Delete the invitations of a player who has sat down. The caller owns the commit."""
    mine = delete(Invitation).where(_invitation.c.game_key == game_key, addressed_to(player_id))
    db.session.execute(mine)


def delete_used(now: int, game_key: int, invitation_id: str) -> str | None:
    """Delete the invitation whose key somebody has used to sit down. The caller owns the commit.

    Returns the address to which that key was mailed; None if there is no such invitation.
    """
    used = (_invitation.c.game_key == game_key) & (_invitation.c.id == invitation_id)
    address: str | None = db.session.scalar(select(_invitation.c.address).where(used))
    end(now, used)
    return address


def delete_of_removed(now: int, game_key: int, player_id: str) -> None:
    """Delete the invitations from and to a player whom the host has removed. The caller owns the commit."""
    concerned = or_(_invitation.c.inviter_id == player_id, addressed_to(player_id))
    end(now, (_invitation.c.game_key == game_key) & concerned)


def delete_of_game(now: int, game_key: int) -> None:
    """Delete all invitations to a game that has started or is gone. The caller owns the commit."""
    end(now, _invitation.c.game_key == game_key)


def delete_of_player(now: int, player_id: str) -> None:
    """Delete the invitations from and to a player whose account still exists. The caller owns the commit."""
    end(now, or_(_invitation.c.inviter_id == player_id, addressed_to(player_id)))


def end(now: int, which: ColumnElement[bool]) -> None:
    """Delete invitations, so that they disappear from the lists of the invited players. The caller owns the commit."""
    for player_id, game, revision in db.session.execute(_INVITED.where(which)):
        changes.note_for("invitation", changes.AtGame(game, revision, now), [player_id])
    db.session.execute(delete(Invitation).where(which))
