"""Private notes: what somebody writes down about a game, for nobody else."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select, update

from service import people
from service.database import db, insert_unless_there, transaction
from service.models_talk import Note
from service.outside import Outside
from service.table import find

_note = Note.__table__


def read(game_key: int, player_id: str) -> Any | None:
    """The player's note about this game, if there is one."""
    query = select(_note.c.text, _note.c.changed_at)
    return db.session.execute(query.where(*_own(game_key, player_id))).one_or_none()


def write(outside: Outside, game_id: str, player_id: str, text: str) -> Any:
    """Replace the player's note about this game; of two at once one comes last. Raises NotFound."""
    values = {"text": text, "changed_at": outside.now()}
    with transaction():
        game_key = find(game_id, lock=True).game.key
        people.still_there(player_id)
        of = {"game_key": game_key, "player_id": player_id}
        db.session.execute(insert_unless_there(_note).values({**of, **values}))
        db.session.execute(update(Note).where(*_own(game_key, player_id)).values(values))
        return read(game_key, player_id)


def _own(game_key: int, player_id: str) -> tuple[Any, Any]:
    return _note.c.game_key == game_key, _note.c.player_id == player_id
