"""Follows: players whom a player wants to meet again.

Following reveals nothing that others may not see: neither who is online nor where somebody plays in private. The tables
of followed people come first in the lobby, and these people are suggested when a player invites somebody. Followed
people see who follows them, and can end that. A block ends it in both directions, and the blocked person cannot follow
again.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Exists, Select, SQLColumnExpression, case, delete, exists, func, or_, select
from sqlalchemy.orm import aliased

from rules.kernel import Json
from service.core.database.database import (
    changed_rows,
    db,
    insert_unless_there,
    rows,
    transaction,
)
from service.core.models.circles import Follow
from service.core.models.games import Tenure
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotForGuests, NotFound, NotPossible
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.tenures import have_played
from service.people import players
from service.people.accounts import accounts
from service.people.circles import blocks

MOST_FOLLOWED = 500
"""The largest number of people whom somebody can follow."""
HIGHEST_KEY = 2**31 - 1
"""The highest key that the column of keys can hold."""


class FollowRow(NamedTuple):
    """A follow, with the other one of the two people."""

    key: int
    id: str
    created_at: int
    name: str
    program: bool
    mutual: bool
    """Whether each of the two follows the other."""


_follow, _player = Follow.__table__, Player.__table__
_back = aliased(_follow)
_MUTUAL = exists().where(
    _back.c.player_id == _follow.c.followed_id, _back.c.followed_id == _follow.c.player_id
)
_ROWS = select(
    *(_follow.c[name] for name in ("key", "id", "created_at")),
    *(_player.c[name] for name in ("name", "program")),
    case((_MUTUAL, True), else_=False).label("mutual"),
)
_FOLLOWED = _ROWS.join(_player, _player.c.id == _follow.c.followed_id)
_FOLLOWERS = _ROWS.join(_player, _player.c.id == _follow.c.player_id)


def refuse_guests(player_id: str) -> None:
    """Raise NotForGuests for anybody without a verified address."""
    if accounts.address_of(player_id) is None:
        raise NotForGuests


def follow(runtime: Runtime, player_id: str, followed_id: str) -> tuple[FollowRow, bool]:
    """Follow a player; return the follow, and whether it is new.

    Raises NotForGuests if the player has no verified address, NotPossible at the limit, and NotSignedIn if the player
    has just been erased. Raises NotFound if the other person is a guest, is not known to the player, or if one has
    blocked the other: the response does not tell which.
    """
    refuse_guests(player_id)
    row = {
        "id": runtime.new_id("f"),
        "player_id": player_id,
        "followed_id": followed_id,
        "created_at": runtime.now(),
    }
    with transaction():
        players.lock_both(player_id, followed_id)  # a block does so, too
        if not _may_follow(player_id, followed_id):
            raise NotFound
        if _number(player_id) >= MOST_FOLLOWED and not does_follow(player_id, followed_id):
            raise NotPossible("follows")
        insert_unless_there(_follow, row)
        this = (_follow.c.player_id == player_id) & (_follow.c.followed_id == followed_id)
        (found,) = rows(FollowRow, _FOLLOWED.where(this))
        return found, found.id == row["id"]


def _may_follow(player_id: str, other_id: str) -> bool:
    if accounts.find(other_id) is None:
        return False
    if blocks.has_blocked(other_id, player_id) or blocks.has_blocked(player_id, other_id):
        return False
    return does_follow(other_id, player_id) or have_played(player_id, other_id)


def _number(player_id: str) -> int:
    counted = select(func.count()).where(_follow.c.player_id == player_id)
    return db.session.scalar(counted) or 0


def follow_of(player_id: str, followed_id: str) -> str | None:
    """The id of the follow by which `player_id` follows `followed_id`; None if there is none."""
    this = (_follow.c.player_id == player_id) & (_follow.c.followed_id == followed_id)
    return db.session.scalar(select(_follow.c.id).where(this))


def may_follow(player_id: str, other_id: str) -> bool:
    """Whether `player_id` has a verified address and may follow `other_id`."""
    return accounts.address_of(player_id) is not None and _may_follow(player_id, other_id)


def does_follow(player_id: str, followed_id: str) -> bool:
    """Whether `player_id` follows `followed_id`."""
    this = exists().where(_follow.c.player_id == player_id, _follow.c.followed_id == followed_id)
    return bool(db.session.scalar(select(this)))


def follows_anybody(player_id: str) -> bool:
    """Whether this player follows somebody."""
    return bool(db.session.scalar(select(exists().where(_follow.c.player_id == player_id))))


def sits_at(game_key: SQLColumnExpression[int], player_id: str) -> Exists:
    """The SQL condition that somebody whom this player follows sits at the table with this key."""
    there = Tenure.__table__.alias()
    sits = (there.c.game_key == game_key) & there.c.ended_at.is_(None)
    followed = _follow.c.followed_id == there.c.player_id
    return exists().where(_follow.c.player_id == player_id, followed, sits)


def person_of(player_id: str, follow_id: str) -> str:
    """The id of the person whom this player follows by this follow.

    Raises NotFound if the player has no such follow.
    """
    mine = (_follow.c.id == follow_id) & (_follow.c.player_id == player_id)
    found = db.session.scalar(select(_follow.c.followed_id).where(mine))
    if found is None:
        raise NotFound
    return str(found)


def unfollow(player_id: str, follow_id: str) -> None:
    """Stop following a person. Raises NotFound if the player has no such follow."""
    _end(_follow.c.player_id, player_id, follow_id)


def remove_follower(player_id: str, follow_id: str) -> None:
    """Remove a follower of this player; that person is not told. Raises NotFound if there is no such follower."""
    _end(_follow.c.followed_id, player_id, follow_id)


def _end(side: SQLColumnExpression[str], player_id: str, follow_id: str) -> None:
    with transaction():
        if changed_rows(delete(Follow).where(_follow.c.id == follow_id, side == player_id)) != 1:
            raise NotFound


def followed(player_id: str, cursor: str | None, limit: int) -> tuple[list[FollowRow], str | None]:
    """A page of the people whom this player follows, newest first, and the cursor of the next page (None: there is
    none).
    """
    return _page(_FOLLOWED.where(_follow.c.player_id == player_id), cursor, limit)


def followers(player_id: str, cursor: str | None, limit: int) -> tuple[list[FollowRow], str | None]:
    """A page of the people who follow this player, newest first, and the cursor of the next page (None: there is
    none).
    """
    return _page(_FOLLOWERS.where(_follow.c.followed_id == player_id), cursor, limit)


def _page(
    query: Select[*tuple[object, ...]], cursor: str | None, limit: int
) -> tuple[list[FollowRow], str | None]:
    before = min(int(cursor), HIGHEST_KEY) if cursor else HIGHEST_KEY
    query = query.where(_follow.c.key < before).order_by(_follow.c.key.desc())
    found = rows(FollowRow, query.limit(limit + 1))
    return found[:limit], str(found[limit - 1].key) if found[limit:] else None


def exported(player_id: str) -> list[Json]:
    """The people whom the player follows and who follow the player, with the times, for the export."""
    at = _follow.c.created_at.label("at")
    mine = _follow.c.player_id == player_id
    other = case((mine, _follow.c.followed_id), else_=_follow.c.player_id)
    query = select(_player.c.name, at, case((mine, True), else_=False).label("yours"))
    query = query.join(_follow, _player.c.id == other)
    query = query.where(or_(mine, _follow.c.followed_id == player_id))
    return exported_rows(query.order_by(_follow.c.key))


def erase(player_id: str) -> None:
    """Delete the follows by and of the player. The caller owns the commit."""
    either = (_follow.c.player_id == player_id) | (_follow.c.followed_id == player_id)
    db.session.execute(delete(Follow).where(either))
