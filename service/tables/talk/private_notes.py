"""Private notes: what a player writes down about a game, for nobody else."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import ColumnElement, select, update

from service.core.database.database import columns, db, insert_unless_there, one_row, transaction
from service.core.models.talk import Note
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import find
from service.people import players


class NoteRow(NamedTuple):
    """The text of a note, and when it was last changed (ms UTC)."""

    text: str
    changed_at: int


_note = Note.__table__
_NOTE = select(*columns(NoteRow, _note))


def read(game_key: int, player_id: str) -> NoteRow | None:
    """The player's note about this game, if there is one."""
    return one_row(NoteRow, _NOTE.where(_own(game_key, player_id)))


def write(runtime: Runtime, game_id: str, player_id: str, text: str) -> NoteRow:
    """Replace the player's note about this game; the last of simultaneous writes stays. Raises NotFound."""
    note = NoteRow(text, runtime.now())
    with transaction():
        game_key = find(game_id, lock=True).game.key
        players.prevent_erasure(player_id)
        row = {"game_key": game_key, "player_id": player_id, **note._asdict()}
        db.session.execute(insert_unless_there(_note).values(row))
        own = update(Note).where(_own(game_key, player_id))
        db.session.execute(own.values(note._asdict()))
        return note


def _own(game_key: int, player_id: str) -> ColumnElement[bool]:
    return (_note.c.game_key == game_key) & (_note.c.player_id == player_id)
