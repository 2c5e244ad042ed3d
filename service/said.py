"""All that a person has said and written down: to be handed over, or to be forgotten."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select, update

from rules.kernel import Json
from service.database import db
from service.models import Game, Player
from service.models_talk import Block, Message, Mute, Note, ReadMark, Report
from service.outside import rfc3339

_game, _message, _note = Game.__table__, Message.__table__, Note.__table__
_block, _player, _report = Block.__table__, Player.__table__, Report.__table__


def export(player_id: str) -> Json:
    """Messages, notes, blocks and reports of this player, for the export of one's data."""
    messages = (
        select(_game.c.id, *(_message.c[name] for name in ("channel", "at", "text")))
        .join(_message, _message.c.game_key == _game.c.key)
        .where(_message.c.player_id == player_id)
        .order_by(_message.c.at, _message.c.id)
    )
    notes = (
        select(_game.c.id, _note.c.changed_at.label("at"), _note.c.text)
        .join(_note, _note.c.game_key == _game.c.key)
        .where(_note.c.player_id == player_id)
        .order_by(_game.c.key)
    )
    blocks = (
        select(_player.c.name, _block.c.created_at.label("at"))
        .join(_block, _block.c.blocked_id == _player.c.id)
        .where(_block.c.player_id == player_id)
        .order_by(_block.c.key)
    )
    reports = (
        select(_report.c.game_id.label("id"), _report.c.made_at.label("at"))
        .add_columns(*(_report.c[name] for name in ("text", "why")))
        .where(_report.c.reporter_id == player_id)
        .order_by(_report.c.made_at, _report.c.id)
    )
    queries = {"messages": messages, "notes": notes, "blocks": blocks, "reports": reports}
    return {name: [_told(row) for row in db.session.execute(q)] for name, q in queries.items()}


def _told(row: Any) -> Json:
    told = dict(row._mapping)
    named = {"game": told.pop("id")} if "id" in told else {}
    return {**named, **told, "at": rfc3339(row.at)}


def forget(player_id: str, now: int) -> None:
    """Take this player out of all talk, in the caller's transaction; where something was said, a mark stays.

    What was reported stays with the operator until it is closed and purged, without saying who it was.
    """
    said = update(Message).where(_message.c.player_id == player_id)
    db.session.execute(said.values(player_id=None, name=None, text="", once=None, hidden_at=now))
    reported = update(Report).where(_report.c.author_id == player_id)
    db.session.execute(reported.values(author_id=None, author=None))
    shown = update(Report).where(_report.c.reporter_id == player_id)
    db.session.execute(shown.values(reporter_id=None))
    blocks = (_block.c.player_id == player_id) | (_block.c.blocked_id == player_id)
    db.session.execute(delete(Block).where(blocks))
    for kept in (ReadMark, Note, Mute):
        db.session.execute(delete(kept).where(kept.player_id == player_id))
