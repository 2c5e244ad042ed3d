"""Whom somebody means by a place at the table or by a message, and whom the host lets write no longer."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select

from rules.kernel import Json
from service.database import db, insert_unless_there, transaction
from service.models import Player, Tenure
from service.models_talk import Mute
from service.outside import Outside
from service.problems import NotFound
from service.table import Table, find
from service.tables import host_only
from service.talk import Listener, listener

_mute, _player = Mute.__table__, Player.__table__
_MUTES = select(_mute.c.id, _mute.c.created_at, _player.c.name).join(
    _player, _player.c.id == _mute.c.player_id
)


def meant(hears: Listener, named: Json) -> str:
    """The other person whose `tenure` at this table, or whose `message`, is named. Raises NotFound."""
    if "message" in named:
        found = hears.message(named["message"]).player_id
    else:
        found = db.session.scalar(
            select(Tenure.player_id).where(
                Tenure.id == named["tenure"], Tenure.game_key == hears.table.game.key
            )
        )
    if found in {None, hears.player_id}:  # a house player, somebody who was erased, or the caller
        raise NotFound
    return str(found)


def mute(outside: Outside, game_id: str, player_id: str, named: Json) -> tuple[Any, bool]:
    """As the host, let somebody write no longer: the mute, and whether it is new. Raises NotFound, NotHost."""
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        row = {
            "id": outside.new_id("s"),
            "game_key": table.game.key,
            "player_id": meant(listener(table, player_id), named),
            "created_at": outside.now(),
        }
        db.session.execute(insert_unless_there(_mute).values(row))
        found = db.session.execute(
            _MUTES.where(_mute.c.game_key == table.game.key, _mute.c.player_id == row["player_id"])
        ).one()
        return found, found.id == row["id"]


def unmute(game_id: str, player_id: str, mute_id: str) -> None:
    """As the host, let somebody write again. Raises NotFound, NotHost."""
    with transaction():
        table = find(game_id, lock=True)
        host_only(table, player_id)
        lifted = delete(Mute).where(_mute.c.id == mute_id, _mute.c.game_key == table.game.key)
        if db.session.execute(lifted).rowcount != 1:  # type: ignore[attr-defined]
            raise NotFound


def mutes(table: Table, player_id: str) -> list[Any]:
    """As the host, see who may not write, oldest first. Raises NotHost."""
    host_only(table, player_id)
    query = _MUTES.where(_mute.c.game_key == table.game.key)
    return list(db.session.execute(query.order_by(_mute.c.created_at, _mute.c.id)))
