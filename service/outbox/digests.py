"""Digests: one email a day about every game that waits, at an hour of the reader's choice, instead of one for each
turn.

The next digest of a player is one row of the outbox. The emails that it replaces wait with it in the outbox
(mail_sending/bundling.py): they are done when it has been sent, and are sent separately if the player no longer wants a
digest. So nothing is lost if things change meanwhile.
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
"""The kind of email of a digest."""
BUNDLED = ("turn", "reminder", "nudge")
"""The kinds of emails that a digest replaces."""
TIME_TO_PLAY = HOUR
"""The time (ms) that a digest leaves for a move: emails about earlier deadlines are sent alone and left out of it."""
TOLD = "digest"
"""The outcome of an email that a digest has replaced."""
USUAL = "08:00"
"""The time of digests that were requested without a time."""
_DAYS = 4
"""The number of days among which at least one has no digest, however far somebody travels."""

_outbox, _player = Outbox.metadata.tables["outbox"], Player.metadata.tables["players"]


class Digest(NamedTuple):
    """The time at which a digest is due (ms UTC), and its day in the reader's time zone."""

    at: int
    day: str


def following(reader: Recipient, now: int) -> Digest | None:
    """The next digest of this reader; None if they want none.

    Each day has at most one, even if its hour is changed.
    """
    if reader.digest is None:
        return None
    today = datetime.fromtimestamp(now / SECOND, reader.zone).date()
    coming = (_on(today + timedelta(days), reader.digest, reader) for days in range(_DAYS))
    fresh = (each for each in coming if reader.digested is None or each.day > reader.digested)
    return next((each for each in fresh if each.at > now), None)


def _on(day: date, at: str, reader: Recipient) -> Digest:
    """The digest at a local time.

    A time that the day does not have becomes the next one; of a time that occurs twice, the first counts.
    """
    wall = datetime(day.year, day.month, day.day, int(at[:2]), int(at[3:]), tzinfo=reader.zone)
    return Digest(int(wall.timestamp() * SECOND), day.isoformat())


def unsent(player_id: str) -> int | None:
    """The time (ms UTC) at which the unsent digest of this player is due; None if there is none."""
    mine = (_outbox.c.kind == KIND) & (_outbox.c.player_id == player_id)
    query = select(_outbox.c.run_at).where(mine, _outbox.c.done_at.is_(None))
    return db.session.scalar(query.order_by(_outbox.c.run_at).limit(1))


def plan(runtime: Runtime, reader: Recipient) -> Digest | None:
    """Queue and return the next digest of this reader, in place of any other; None if they want none.

    The caller owns the transaction. The key names the day: if it is sent twice by mistake, both are one email with one
    Message-ID.
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
    """Plan the digest again after a change of its time or the time zone, in the caller's transaction.

    The emails that wait for it are decided again, too. An email that a sender may be sending is left alone, since it
    would be sent twice.
    """
    reader = recipients.find(player_id)
    if reader is None:
        return
    plan(runtime, reader)
    waiting = (_outbox.c.done_at.is_(None), _outbox.c.lease_until > runtime.now() + LEASE)
    mine = (_outbox.c.player_id == player_id, _outbox.c.kind.in_(BUNDLED))
    db.session.execute(update(_outbox).where(*waiting, *mine).values(lease_until=0))


def set_hour(runtime: Runtime, player_id: str, at: str | None) -> None:
    """Set the time of day of a player's digest (None: no more digests), in the caller's transaction."""
    mine = _player.c.id == player_id
    other = _player.c.digest.is_(None) if at else _player.c.digest.is_not(None)
    db.session.execute(update(_player).where(mine, other).values(digest=at))
    plan_anew(runtime, player_id)


def note_sent(runtime: Runtime, row: OutboxRow) -> None:
    """Note that this digest was sent, in the caller's transaction: the emails that it replaces are done.

    It also plans the next digest. Emails that were queued after the sender had claimed the digest may not be in it, and
    stay.
    """
    now, reader = runtime.now(), recipients.find(row.player_id)
    if reader is None:
        return
    read = (_outbox.c.player_id == reader.player_id, _outbox.c.kind.in_(BUNDLED))
    in_it = _outbox.c.created_at <= max(row.run_at, now - LONGEST_CLAIM)
    # A turn is told however long its own email waits for people who are online; a reminder keeps its time.
    is_told = or_(_outbox.c.run_at <= now, _outbox.c.kind != "reminder")
    told = update(_outbox).where(*read, _outbox.c.done_at.is_(None), is_told, in_it)
    db.session.execute(told.values(done_at=now, outcome=TOLD, cause=None))
    day = row.key.rpartition(" ")[2]
    noted = update(_player).where(_player.c.id == reader.player_id)
    db.session.execute(noted.values(digested=day))
    plan(runtime, reader._replace(digested=day))
