"""Digests: one mail a day, at an hour of the reader's own, with every game that waits, instead of one for each turn.

The next digest of a player is one row of the outbox. The mails that it stands for wait in the outbox beside it
(mail_sending/bundling.py): when it has been sent they are done, and when the player wants no digest any more they
are sent. So nothing is lost, whatever is changed meanwhile.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, or_, select, update

from service.core.database.database import db
from service.core.models.mail import Outbox, OutboxRow
from service.core.models.people import Player
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import HOUR, SECOND
from service.outbox import queue, recipients
from service.outbox.queue import LEASE, LONGEST_CLAIM
from service.outbox.recipients import Recipient

KIND = "digest"
"""The kind of mail."""
BUNDLED = ("turn", "reminder", "nudge")
"""The kinds of mail for which a digest stands."""
TIME_TO_PLAY = HOUR
"""Ms that a digest leaves for a move: what is due sooner after it is sent alone, and is not in it again."""
TOLD = "digest"
"""The outcome of a mail for which a digest stood."""
USUAL = "08:00"
"""When digests come that were asked for without an hour."""
_DAYS = 4
"""In so many days there is one without a digest, wherever somebody travels."""

_outbox, _player = Outbox.metadata.tables["outbox"], Player.metadata.tables["players"]


class Digest(NamedTuple):
    """When a digest is due (ms UTC), and its day in the time zone of the reader."""

    at: int
    day: str


def following(reader: Recipient, now: int) -> Digest | None:
    """The next digest of this reader; None if they want none. Each day has at most one, also if its hour is changed."""
    if reader.digest is None:
        return None
    today = datetime.fromtimestamp(now / SECOND, reader.zone).date()
    coming = (_on(today + timedelta(days), reader.digest, reader) for days in range(_DAYS))
    fresh = (each for each in coming if reader.digested is None or each.day > reader.digested)
    return next((each for each in fresh if each.at > now), None)


def _on(day: date, at: str, reader: Recipient) -> Digest:
    """By the clock on the wall: an hour that the day does not have is the one after, of two the first counts."""
    wall = datetime(day.year, day.month, day.day, int(at[:2]), int(at[3:]), tzinfo=reader.zone)
    return Digest(int(wall.timestamp() * SECOND), day.isoformat())


def unsent(player_id: str) -> int | None:
    """When the digest is due that is to be sent to this player; None if there is none."""
    mine = (_outbox.c.kind == KIND) & (_outbox.c.player_id == player_id)
    query = select(_outbox.c.run_at).where(mine, _outbox.c.done_at.is_(None))
    return db.session.scalar(query.order_by(_outbox.c.run_at).limit(1))


def plan(runtime: Runtime, reader: Recipient) -> Digest | None:
    """Queue the next digest of this reader, in place of any other, in the caller's transaction; None: there is none.

    The key names the day: what is sent twice for it, by whatever mishap, is one mail with one Message-ID.
    """
    digest = following(reader, runtime.now())
    key = f"{KIND} {reader.player_id} {digest.day}" if digest else ""
    undone = (_outbox.c.key == key) & _outbox.c.outcome.is_distinct_from("sent")
    mine = _outbox.c.player_id == reader.player_id
    others = or_((_outbox.c.kind == KIND) & mine & _outbox.c.done_at.is_(None), undone)
    db.session.execute(delete(_outbox).where(others))
    if digest:
        queue.put(runtime, KIND, key, run_at=digest.at, player_id=reader.player_id)
    return digest


def plan_anew(runtime: Runtime, player_id: str) -> None:
    """After a change of the hour, or of the time zone: plan the digest, and let what waits for it be decided again.

    In the caller's transaction. A mail that a sender may be sending is left alone: it would be sent twice.
    """
    reader = recipients.find(player_id)
    if reader is None:
        return
    plan(runtime, reader)
    waiting = (_outbox.c.done_at.is_(None), _outbox.c.lease_until > runtime.now() + LEASE)
    mine = (_outbox.c.player_id == player_id, _outbox.c.kind.in_(BUNDLED))
    db.session.execute(update(_outbox).where(*waiting, *mine).values(lease_until=0))


def set_hour(runtime: Runtime, player_id: str, at: str | None) -> None:
    """Let a player who has none have a digest at this time of the day; None: no more. In the caller's transaction."""
    mine = _player.c.id == player_id
    other = _player.c.digest.is_(None) if at else _player.c.digest.is_not(None)
    db.session.execute(update(_player).where(mine, other).values(digest=at))
    plan_anew(runtime, player_id)


def note_sent(runtime: Runtime, row: OutboxRow) -> None:
    """This digest has been sent: what it stood for is done, and the next is planned. In the caller's transaction.

    What was queued after its sender had claimed it may not be in it, and stays.
    """
    now, reader = runtime.now(), recipients.find(row.player_id)
    if reader is None:
        return
    read = (_outbox.c.player_id == reader.player_id, _outbox.c.kind.in_(BUNDLED))
    in_it = _outbox.c.created_at <= max(row.run_at, now - LONGEST_CLAIM)
    # a turn is told however long its own mail waits for those who are online; a reminder has its time
    is_told = or_(_outbox.c.run_at <= now, _outbox.c.kind != "reminder")
    told = update(_outbox).where(*read, _outbox.c.done_at.is_(None), is_told, in_it)
    db.session.execute(told.values(done_at=now, outcome=TOLD, cause=None))
    day = row.key.rpartition(" ")[2]
    noted = update(_player).where(_player.c.id == reader.player_id)
    db.session.execute(noted.values(digested=day))
    plan(runtime, reader._replace(digested=day))
