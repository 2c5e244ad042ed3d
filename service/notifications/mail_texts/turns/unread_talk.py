"""A table's talk in emails: messages that the reader has not read on the page, and that no earlier email contained."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, select

from service.core.database.database import db
from service.core.models.mail import Outbox
from service.core.models.talk import Message, ReadMark
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.people.circles import blocks
from service.people.names import harmless

MOST_MESSAGES = 10
"""The largest number of messages in one email. If there are more, the earliest are only on the page."""
CHANNEL = "seats"
WITH_TALK = ("turn", "reminder", "nudge", "response")
"""The kinds of emails that contain talk."""

_message, _mark, _outbox = Message.__table__, ReadMark.__table__, Outbox.__table__


class UnreadTalk(NamedTuple):
    """Messages in words, oldest first, and whether earlier ones were left out."""

    lines: list[str]
    more: bool


NO_TALK = UnreadTalk([], more=False)
"""The talk for a person who does not sit at the table: none."""


def unread_talk(game: GameForReader, reader: Holder) -> UnreadTalk:
    """The messages of others that the reader of this email, who sits at the table, has not been sent."""
    game_key, reader_id = game.table.game.key, reader.player_id
    read = _read_up_to(game_key, reader_id)
    query = (
        select(_message.c.name, _message.c.text)
        .where(_message.c.game_key == game_key, _message.c.channel == CHANNEL)
        .where(_message.c.hidden_at.is_(None), _message.c.player_id.is_distinct_from(reader_id))
        .where(_message.c.number > read, _message.c.at >= _told_at(game, reader))
        .where(~blocks.blocked_clause(reader_id, _message.c.player_id))
        .order_by(_message.c.number.desc())
        .limit(MOST_MESSAGES + 1)
    )
    found, lines = db.session.execute(query).all(), list[str]()
    for writer, written in reversed(found[:MOST_MESSAGES]):
        name = harmless(writer) if writer else game.words.say("person.gone")
        text = " ".join(harmless(line).strip() for line in written.splitlines())
        lines.append(game.words.say("mail.talk.message", {"name": name, "text": text}))
    return UnreadTalk(lines, len(found) > MOST_MESSAGES)


def _read_up_to(game_key: int, reader_id: str | None) -> int:
    """The number of the last message that the reader has read on the page."""
    mine = (_mark.c.player_id == reader_id) & (_mark.c.channel == CHANNEL)
    query = select(_mark.c.number).where(_mark.c.game_key == game_key, mine)
    return db.session.scalar(query) or 0


def _told_at(game: GameForReader, reader: Holder) -> int:
    """The time (ms UTC) up to which talk was sent with an email about an earlier question; 0 if there was none.

    When the game is over, all questions are earlier ones. Messages that were written while the email was on its way are
    sent again, rather than not at all.
    """
    query = select(func.max(_outbox.c.run_at)).where(_outbox.c.kind.in_(WITH_TALK))
    query = query.where(_outbox.c.tenure_id == reader.tenure)
    if not game.table.game.is_over:
        query = query.where(_outbox.c.number != reader.asked)
    return db.session.scalar(query.where(_outbox.c.outcome == "sent")) or 0
