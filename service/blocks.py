"""Blocks: people who may not sit down at one's tables, invite one, or write where one is the host.

They are told nothing but that something is not possible.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, exists, select

from service.database import db, insert_unless_there, transaction
from service.models import Player
from service.models_talk import Block
from service.outside import Outside
from service.problems import NotAdmitted, NotFound
from service.table import Table

MOST_KEY = 2**31 - 1
"""The highest key that the column holds."""

_block, _player = Block.__table__, Player.__table__
_BLOCKS = select(_block.c.key, _block.c.id, _block.c.created_at, _player.c.name).join(
    _player, _player.c.id == _block.c.blocked_id
)


def between(player_id: str | None, other_id: Any) -> Any:
    """An expression: whether the first of them has blocked the other one."""
    return exists().where(_block.c.player_id == player_id, _block.c.blocked_id == other_id)


def has_blocked(player_id: str | None, other_id: str) -> bool:
    """Whether the first of them has blocked the other one."""
    return bool(db.session.scalar(select(between(player_id, other_id))))


def unwanted(table: Table, player_id: str) -> bool:
    """Whether the host of this table has blocked this player."""
    return has_blocked(table.host and table.host.player_id, player_id)


def admit(table: Table, player_id: str) -> None:
    """Let a person sit down. Raises NotAdmitted for whom the host has blocked."""
    if unwanted(table, player_id):
        raise NotAdmitted


def block(outside: Outside, player_id: str, other_id: str) -> tuple[Any, bool]:
    """Block somebody: the block, and whether it is new."""
    row = {
        "id": outside.new_id("b"),
        "player_id": player_id,
        "blocked_id": other_id,
        "created_at": outside.now(),
    }
    with transaction():
        db.session.execute(insert_unless_there(_block).values(row))
        this = (_block.c.player_id == player_id) & (_block.c.blocked_id == other_id)
        found = db.session.execute(_BLOCKS.where(this)).one()
        return found, found.id == row["id"]


def unblock(player_id: str, block_id: str) -> None:
    """Lift a block of one's own. Raises NotFound."""
    with transaction():
        own = delete(Block).where(_block.c.id == block_id, _block.c.player_id == player_id)
        if db.session.execute(own).rowcount != 1:  # type: ignore[attr-defined]
            raise NotFound


def page(player_id: str, cursor: str | None, limit: int) -> tuple[list[Any], str | None]:
    """A page of the player's blocks, newest first, and the cursor of the next one."""
    before = min(int(cursor), MOST_KEY) if cursor else MOST_KEY
    query = _BLOCKS.where(_block.c.player_id == player_id, _block.c.key < before)
    rows = db.session.execute(query.order_by(_block.c.key.desc()).limit(limit + 1)).all()
    return list(rows[:limit]), str(rows[limit - 1].key) if rows[limit:] else None
