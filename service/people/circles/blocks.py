"""Blocks: people whom a player does not want at their tables, as inviters, or as writers where the player is the host.

Blocked people only learn that something is not allowed. At other people's tables the two are kept apart unless the one
who sits down second insists (`refuse_beside`). That person is told in the same words whichever of the two blocked the
other. Lists leave things out only for the person who has blocked, since the other could notice the difference.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import ColumnElement, Exists, SQLColumnExpression, and_, delete, exists, or_, select

from rules.kernel import Json
from service.core.database.database import (
    changed_rows,
    columns,
    db,
    insert_unless_there,
    rows,
    transaction,
)
from service.core.models.circles import Follow
from service.core.models.games import Tenure
from service.core.models.people import Player
from service.core.models.talk import Block
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import KeptApart, NotAdmitted, NotFound
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows import private_tables
from service.log.table_rows.table import Table
from service.people import players

HIGHEST_KEY = 2**31 - 1
"""The highest key that the column of keys can hold."""


class BlockRow(NamedTuple):
    """A block, with the name of the blocked player."""

    key: int
    id: str
    created_at: int
    name: str


_block, _player = Block.__table__, Player.__table__
_BLOCKS = select(*columns(BlockRow, _block, _player)).join(
    _player, _player.c.id == _block.c.blocked_id
)


def blocked_clause(
    blocker_id: str | ColumnElement[str] | None, player_id: str | ColumnElement[str]
) -> Exists:
    """The SQL condition that `blocker_id` has blocked `player_id`."""
    return exists().where(_block.c.player_id == blocker_id, _block.c.blocked_id == player_id)


def has_blocked(blocker_id: str | None, player_id: str) -> bool:
    """Whether `blocker_id` has blocked `player_id`."""
    return bool(db.session.scalar(select(blocked_clause(blocker_id, player_id))))


def host_has_blocked(table: Table, player_id: str) -> bool:
    """Whether the host of this table has blocked this player."""
    return has_blocked(table.host.player_id if table.host else None, player_id)


def refuse_blocked(table: Table, player_id: str) -> None:
    """Raise NotAdmitted if the host of this table has blocked this player."""
    if host_has_blocked(table, player_id):
        raise NotAdmitted


def refuse_beside(table: Table, player_id: str) -> None:
    """Raise KeptApart if this player has blocked somebody who sits at this table, or the other way round."""
    others = {each.player_id for each in table.people if each.player_id} - {player_id}
    mine = and_(_block.c.player_id == player_id, _block.c.blocked_id.in_(others))
    theirs = and_(_block.c.blocked_id == player_id, _block.c.player_id.in_(others))
    if db.session.scalar(select(exists().where(or_(mine, theirs)))):
        raise KeptApart


def between(people: Iterable[str], one: str | None = None) -> set[tuple[str, str]]:
    """The blocks between these people, or only those by or against `one` of them, as (blocker, blocked)."""
    all_of = set(people)
    query = select(_block.c.player_id, _block.c.blocked_id)
    if one is not None:
        query = query.where(or_(_block.c.player_id == one, _block.c.blocked_id == one))
    here = query.where(_block.c.player_id.in_(all_of), _block.c.blocked_id.in_(all_of))
    return {(blocker, blocked) for blocker, blocked in db.session.execute(here)}


def sits_at(game_key: SQLColumnExpression[int], blocker_id: str | None) -> Exists:
    """The SQL condition that somebody whom this player has blocked sits at the table with this key."""
    there = Tenure.__table__.alias()
    blocked = _block.c.blocked_id == there.c.player_id
    sits = (there.c.game_key == game_key) & there.c.ended_at.is_(None)
    return exists().where(_block.c.player_id == blocker_id, blocked, sits)


def is_unwanted(table: Table, inviter_id: str, player_id: str) -> bool:
    """Whether this player has blocked the person who invites them to this table, or somebody who sits there."""
    people = {inviter_id, *(each.player_id for each in table.people if each.player_id)}
    mine = _block.c.player_id == player_id
    return bool(db.session.scalar(select(exists().where(mine, _block.c.blocked_id.in_(people)))))


def block(runtime: Runtime, player_id: str, blocked_id: str) -> tuple[BlockRow, bool]:
    """Block a player; return the block, and whether it is new.

    A new block changes the keys of the blocking player's private tables, and neither of the two follows the other any
    longer.
    """
    now = runtime.now()
    row = {
        "id": runtime.new_id("b"),
        "player_id": player_id,
        "blocked_id": blocked_id,
        "created_at": now,
    }
    with transaction():
        hosted = private_tables.lock_hosted(player_id)  # games are always locked before players
        players.lock_both(
            player_id, blocked_id
        )  # a follow does so, too: it sees the block, or the block ends it
        insert_unless_there(_block, row)
        this = (_block.c.player_id == player_id) & (_block.c.blocked_id == blocked_id)
        (found,) = rows(BlockRow, _BLOCKS.where(this))
        new = found.id == row["id"]
        if new:
            private_tables.end_keys(now, hosted)
            _end_follows(player_id, blocked_id)
        return found, new


def _end_follows(player_id: str, blocked_id: str) -> None:
    both = player_id, blocked_id
    between = Follow.player_id.in_(both) & Follow.followed_id.in_(both)
    db.session.execute(delete(Follow).where(between))


def unblock(player_id: str, block_id: str) -> None:
    """Remove a block of the player. Raises NotFound if the player has no such block."""
    with transaction():
        own = delete(Block).where(_block.c.id == block_id, _block.c.player_id == player_id)
        if changed_rows(own) != 1:
            raise NotFound


def page(player_id: str, cursor: str | None, limit: int) -> tuple[list[BlockRow], str | None]:
    """A page of the player's blocks, newest first, and the cursor of the next page (None: there is none)."""
    before = min(int(cursor), HIGHEST_KEY) if cursor else HIGHEST_KEY
    query = _BLOCKS.where(_block.c.player_id == player_id, _block.c.key < before)
    found = rows(BlockRow, query.order_by(_block.c.key.desc()).limit(limit + 1))
    return found[:limit], str(found[limit - 1].key) if found[limit:] else None


def exported(player_id: str) -> list[Json]:
    """The people whom the player has blocked, with the times, for the export."""
    query = select(_player.c.name, _block.c.created_at.label("at"))
    mine = query.join(_block, _block.c.blocked_id == _player.c.id)
    return exported_rows(mine.where(_block.c.player_id == player_id).order_by(_block.c.key))


def erase(player_id: str) -> None:
    """Delete the blocks made by the player or against the player. The caller owns the commit."""
    either = (_block.c.player_id == player_id) | (_block.c.blocked_id == player_id)
    db.session.execute(delete(Block).where(either))
