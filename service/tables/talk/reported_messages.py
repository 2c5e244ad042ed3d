"""Reported messages, which players have shown to the operator. A copy of each is kept, because a table can be
deleted.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from sqlalchemy import select, update

from rules.kernel import Json
from service.core.database.database import db, delete_some, insert_unless_there, rows, transaction
from service.core.models.people import Player
from service.core.models.talk import Channel, Report
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.log.table_rows.table import find
from service.people.circles import circle_talk, circles
from service.people.circles.circle_talk import CircleMessageRow
from service.tables.talk import messages
from service.tables.talk.messages import MessageRow
from service.tables.talk.readers_and_writers import participant

REPORTS_KEPT = 90 * DAY
"""How long (ms) a report is kept after the operator has closed it."""

CIRCLE = "c_"
"""The beginning of the ids of circles."""


class ReportRow(NamedTuple):
    """A report (see service/core/models/talk.py), with the name of the reporter."""

    id: str
    game_id: str
    channel: Channel | Literal["circle"]
    author: str | None
    text: str
    said_at: int
    why: str | None
    made_at: int
    closed_at: int | None
    reporter: str | None


_REPORTS = select(
    *(Report.__table__.c[name] for name in ReportRow._fields[:-1]), Player.name.label("reporter")
).outerjoin(Player, Player.id == Report.reporter_id)


def report(
    runtime: Runtime, place_id: str, player_id: str, message_id: str, why: str | None
) -> None:
    """Show a message at a table, or in a circle, to the operator. Reporting it again changes nothing.

    Raises NotFound.
    """
    with transaction():
        message, channel = _readable(place_id, player_id, message_id)
        copy = {
            "id": runtime.new_id("r"),
            "game_id": place_id,
            "channel": channel,
            "message_id": message.id,
            "author_id": message.player_id,
            "author": message.name,
            "text": message.text,
            "said_at": message.at,
            "reporter_id": player_id,
            "why": why,
            "made_at": runtime.now(),
        }
        insert_unless_there(Report.__table__, copy)


def _readable(
    place_id: str, player_id: str, message_id: str
) -> tuple[MessageRow | CircleMessageRow, Channel | Literal["circle"]]:
    """A message at a table or in a circle, and the channel in which it was written. Raises NotFound for anybody who may
    not read it.
    """
    if place_id.startswith(CIRCLE):
        member = circles.membership(place_id, player_id)
        return circle_talk.get(member, message_id), "circle"
    message = messages.get(participant(find(place_id), player_id), message_id)
    return message, message.channel


def list_reports(*, closed: bool = False) -> list[ReportRow]:
    """The open reports, oldest first; with `closed`, the closed ones too."""
    query = _REPORTS if closed else _REPORTS.where(Report.closed_at.is_(None))
    return rows(ReportRow, query.order_by(Report.made_at, Report.id))


def close(runtime: Runtime, report_id: str, *, hide: bool) -> None:
    """Close a report and, with `hide`, hide its message. Raises NotFound."""
    now = runtime.now()
    with transaction():
        this = Report.id == report_id
        message_id = db.session.scalar(select(Report.message_id).where(this))
        if message_id is None:
            raise NotFound
        still_open = update(Report).where(this, Report.closed_at.is_(None))
        db.session.execute(still_open.values(closed_at=now))
        if hide:
            messages.mark_hidden(message_id, now)
            circle_talk.mark_hidden(message_id, now)


def purge(now: int, most: int) -> int:
    """Delete at most `most` reports that were closed long ago; returns their number."""
    return delete_some(Report.__table__, most, Report.closed_at < now - REPORTS_KEPT)


def exported(player_id: str) -> list[Json]:
    """The player's reports, for the export."""
    said = Report.game_id.label("game"), Report.made_at.label("at"), Report.text, Report.why
    query = select(*said).where(Report.reporter_id == player_id)
    return exported_rows(query.order_by(Report.made_at, Report.id))


def erase(player_id: str) -> None:
    """Remove the player from reports, both as an author and as a reporter. The caller owns the commit.

    The operator keeps the text of a reported message, without its author, until the closed report is deleted.
    """
    about = update(Report).where(Report.author_id == player_id)
    db.session.execute(about.values(author_id=None, author=None))
    own = update(Report).where(Report.reporter_id == player_id)
    db.session.execute(own.values(reporter_id=None))
