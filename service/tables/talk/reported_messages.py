"""Reported messages: what players have shown to the operator. A copy is kept, since a table can be deleted."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select, update

from service.core.database.database import changed_rows, db, insert_unless_there, rows, transaction
from service.core.models.people import Player
from service.core.models.talk import Report
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import find
from service.tables.talk import messages
from service.tables.talk.participants import participant


class ReportRow(NamedTuple):
    """A report (service/core/models/talk.py says what its columns mean), and the name of the reporter."""

    id: str
    game_id: str
    channel: str
    author: str | None
    text: str
    said_at: int
    why: str | None
    made_at: int
    closed_at: int | None
    reporter: str | None


_report, _player = Report.__table__, Player.__table__
_REPORTS = select(
    *(_report.c[name] for name in ReportRow._fields[:-1]), _player.c.name.label("reporter")
).outerjoin(_player, _player.c.id == _report.c.reporter_id)


def report(
    runtime: Runtime, game_id: str, player_id: str, message_id: str, why: str | None
) -> None:
    """Show a message to the operator; doing so again changes nothing. Raises NotFound."""
    with transaction():
        message = messages.get(participant(find(game_id), player_id), message_id)
        row = {
            "id": runtime.new_id("r"),
            "message_id": message.id,
            "game_id": game_id,
            "channel": message.channel,
            "author_id": message.player_id,
            "author": message.name,
            "text": message.text,
            "said_at": message.at,
            "reporter_id": player_id,
            "why": why,
            "made_at": runtime.now(),
        }
        db.session.execute(insert_unless_there(_report).values(row))


def list_reports(*, closed: bool = False) -> list[ReportRow]:
    """The open reports, oldest first; with `closed` the closed ones, too."""
    query = _REPORTS if closed else _REPORTS.where(_report.c.closed_at.is_(None))
    return rows(ReportRow, query.order_by(_report.c.made_at, _report.c.id))


def close(runtime: Runtime, report_id: str, *, hide: bool) -> None:
    """Close a report and, with `hide`, hide its message. Raises NotFound."""
    now = runtime.now()
    with transaction():
        this = _report.c.id == report_id
        message_id = db.session.scalar(select(Report.message_id).where(this))
        if message_id is None:
            raise NotFound
        still_open = update(Report).where(this, _report.c.closed_at.is_(None))
        db.session.execute(still_open.values(closed_at=now))
        if hide:
            messages.mark_hidden(message_id, now)


def delete_closed(before: int) -> int:
    """Delete the reports that were closed before this time (ms UTC); how many."""
    with transaction():
        return changed_rows(delete(Report).where(_report.c.closed_at < before))
