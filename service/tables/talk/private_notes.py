"""Private notes: a player's own notes about a game, which nobody else sees."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select

from rules.kernel import Json
from service.core.database.database import columns, db, one_row, transaction, write_rows
from service.core.models.games import Game
from service.core.models.talk import Note
from service.core.runtime.exports import exported_rows
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import find
from service.people import players


class NoteRow(NamedTuple):
    """The text of a note, and when it was last changed (ms UTC)."""

    text: str
    changed_at: int


_REPLACED = (
    "ON CONFLICT (game_key, player_id) "
    "DO UPDATE SET text = excluded.text, changed_at = excluded.changed_at"
)


def read(game_key: int, player_id: str) -> NoteRow | None:
    """The player's note about this game; None if there is none."""
    query = select(*columns(NoteRow, Note.__table__)).where(Note.game_key == game_key)
    return one_row(NoteRow, query.where(Note.player_id == player_id))


def write(runtime: Runtime, game_id: str, player_id: str, text: str) -> NoteRow:
    """Replace the player's note about this game, and return it; of simultaneous writes, the later one stays. Raises
    NotFound.
    """
    note = NoteRow(text, runtime.now())
    with transaction():
        game_key = find(game_id, lock=True).game.key
        players.prevent_erasure(player_id)
        row = {"game_key": game_key, "player_id": player_id, **note._asdict()}
        write_rows(Note.__table__, [row], _REPLACED)
        return note


def exported(player_id: str) -> list[Json]:
    """The player's notes, for the export."""
    query = select(Game.id.label("game"), Note.changed_at.label("at"), Note.text)
    mine = query.join(Note, Note.game_key == Game.key)
    return exported_rows(mine.where(Note.player_id == player_id).order_by(Game.key))


def erase(player_id: str) -> None:
    """Delete the player's notes. The caller owns the commit."""
    db.session.execute(delete(Note).where(Note.player_id == player_id))
