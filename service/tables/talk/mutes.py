"""Mutes: people whom the host of a table no longer lets write there."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select

from rules.kernel import Json
from service.core.database.database import changed_rows, db, insert_unless_there, rows, transaction
from service.core.models.people import Player
from service.core.models.talk import Mute
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import Table, find
from service.tables.before_start.table_setup import host_only
from service.tables.talk.messages import find_other_person
from service.tables.talk.readers_and_writers import participant


class MuteRow(NamedTuple):
    """A mute, with the name of the muted player."""

    id: str
    created_at: int
    name: str


_MUTES = select(Mute.id, Mute.created_at, Player.name).join(Player, Player.id == Mute.player_id)


def mute(runtime: Runtime, game_id: str, player_id: str, reference: Json) -> tuple[MuteRow, bool]:
    """As the host, mute somebody; returns the mute, and whether it is new. Raises NotFound, NotHost."""
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        muted_id = find_other_person(participant(table, player_id), reference)
        row = {
            "id": runtime.new_id("s"),
            "game_key": table.game.key,
            "player_id": muted_id,
            "created_at": runtime.now(),
        }
        insert_unless_there(Mute.__table__, row)
        this = (Mute.game_key == table.game.key) & (Mute.player_id == muted_id)
        (found,) = rows(MuteRow, _MUTES.where(this))
        return found, found.id == row["id"]


def unmute(game_id: str, player_id: str, mute_id: str) -> None:
    """As the host, let somebody write again. Raises NotFound, NotHost."""
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        this = delete(Mute).where(Mute.id == mute_id, Mute.game_key == table.game.key)
        if changed_rows(this) != 1:
            raise NotFound


def list_mutes(table: Table, player_id: str) -> list[MuteRow]:
    """The mutes of the table, oldest first, for its host. Raises NotHost for anybody else."""
    host_only(table, player_id)
    query = _MUTES.where(Mute.game_key == table.game.key)
    return rows(MuteRow, query.order_by(Mute.created_at, Mute.id))


def erase(player_id: str) -> None:
    """Delete the player's mutes. The caller owns the commit."""
    db.session.execute(delete(Mute).where(Mute.player_id == player_id))
