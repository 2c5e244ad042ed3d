"""Messages, notes, blocks and reports of one player: their part of the export and of the erasure."""

from __future__ import annotations

from sqlalchemy import Select, delete, select, update

from rules.kernel import Json
from service.core.database.database import db
from service.core.models.games import Game
from service.core.models.people import Player
from service.core.models.talk import Block, Message, Mute, Note, ReadMark, Report
from service.core.runtime.time_and_random import rfc3339

_game, _message, _note = Game.__table__, Message.__table__, Note.__table__
_block, _player, _report = Block.__table__, Player.__table__, Report.__table__


def export(player_id: str) -> Json:
    """What this player has written, whom they have blocked, and what they have reported."""
    return {
        "messages": _in_json(_messages(player_id)),
        "notes": _in_json(_notes(player_id)),
        "blocks": _in_json(_blocks(player_id)),
        "reports": _in_json(_reports(player_id)),
    }


def _messages(player_id: str) -> Select[tuple[object, ...]]:
    return (
        select(_game.c.id.label("game"), *(_message.c[name] for name in ("channel", "at", "text")))
        .join(_message, _message.c.game_key == _game.c.key)
        .where(_message.c.player_id == player_id)
        .order_by(_message.c.at, _message.c.id)
    )


def _notes(player_id: str) -> Select[tuple[object, ...]]:
    return (
        select(_game.c.id.label("game"), _note.c.changed_at.label("at"), _note.c.text)
        .join(_note, _note.c.game_key == _game.c.key)
        .where(_note.c.player_id == player_id)
        .order_by(_game.c.key)
    )


def _blocks(player_id: str) -> Select[tuple[object, ...]]:
    return (
        select(_player.c.name, _block.c.created_at.label("at"))
        .join(_block, _block.c.blocked_id == _player.c.id)
        .where(_block.c.player_id == player_id)
        .order_by(_block.c.key)
    )


def _reports(player_id: str) -> Select[tuple[object, ...]]:
    return (
        select(_report.c.game_id.label("game"), _report.c.made_at.label("at"))
        .add_columns(*(_report.c[name] for name in ("text", "why")))
        .where(_report.c.reporter_id == player_id)
        .order_by(_report.c.made_at, _report.c.id)
    )


def _in_json(query: Select[tuple[object, ...]]) -> list[Json]:
    """The rows by the names of their columns, `at` as a time."""
    found = db.session.execute(query).mappings()
    return [{**row, "at": rfc3339(row["at"])} for row in found]


def erase(player_id: str, now: int) -> None:
    """Remove this player from all talk; placeholders of their messages stay. The caller owns the commit.

    The text of a reported message stays with the operator, without the author, until the closed report is deleted.
    """
    written = update(Message).where(_message.c.player_id == player_id)
    db.session.execute(written.values(player_id=None, name=None, text="", once=None, hidden_at=now))
    about_player = update(Report).where(_report.c.author_id == player_id)
    db.session.execute(about_player.values(author_id=None, author=None))
    by_player = update(Report).where(_report.c.reporter_id == player_id)
    db.session.execute(by_player.values(reporter_id=None))
    blocks = (_block.c.player_id == player_id) | (_block.c.blocked_id == player_id)
    db.session.execute(delete(Block).where(blocks))
    for table in (ReadMark, Note, Mute):
        db.session.execute(delete(table).where(table.player_id == player_id))
