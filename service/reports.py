"""Reports: messages that people have shown to the operator. A copy is kept, since a table can go."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, select, update

from service.database import db, insert_unless_there, transaction
from service.models import Player
from service.models_talk import Report
from service.outside import Outside
from service.problems import NotFound
from service.table import find
from service.talk import cover, listener

_report, _player = Report.__table__, Player.__table__


def report(
    outside: Outside, game_id: str, player_id: str, message_id: str, why: str | None
) -> None:
    """Show a message to the operator; a second time changes nothing. Raises NotFound."""
    with transaction():
        message = listener(find(game_id), player_id).message(message_id)
        row = {
            "id": outside.new_id("r"),
            "message_id": message.id,
            "game_id": game_id,
            "channel": message.channel,
            "author_id": message.player_id,
            "author": message.name,
            "text": message.text,
            "said_at": message.at,
            "reporter_id": player_id,
            "why": why,
            "made_at": outside.now(),
        }
        db.session.execute(insert_unless_there(_report).values(row))


def reports(*, closed: bool = False) -> list[Any]:
    """The open reports, oldest first, each with the name of its `reporter`; with `closed` those too."""
    query = select(_report, _player.c.name.label("reporter")).outerjoin(
        _player, _player.c.id == _report.c.reporter_id
    )
    if not closed:
        query = query.where(_report.c.closed_at.is_(None))
    return list(db.session.execute(query.order_by(_report.c.made_at, _report.c.id)))


def close(outside: Outside, report_id: str, *, hide: bool) -> None:
    """Be done with a report, and hide its message if so wished. Raises NotFound."""
    now = outside.now()
    with transaction():
        which = _report.c.id == report_id
        found = db.session.execute(select(_report.c.message_id).where(which)).one_or_none()
        if found is None:
            raise NotFound
        still_open = update(Report).where(which, _report.c.closed_at.is_(None))
        db.session.execute(still_open.values(closed_at=now))
        if hide:
            cover(found.message_id, now)


def purge(before: int) -> int:
    """Delete the reports that were closed before this moment (ms UTC); the number of them."""
    with transaction():
        done = db.session.execute(delete(Report).where(_report.c.closed_at < before))
        return int(done.rowcount)  # type: ignore[attr-defined]
