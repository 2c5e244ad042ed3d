"""The purge: once a day, one of the workers deletes everything that is no longer needed."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

import structlog
from sqlalchemy import ColumnElement, delete, update
from sqlalchemy.exc import IntegrityError

from service import personal_data
from service.core.database import database
from service.core.database.database import db
from service.core.database.lock_patience import unhurried
from service.core.database.tables import Base
from service.core.models.people import AttemptCount, Player
from service.core.models.server import Heartbeat, KeptAnswer
from service.core.readiness import clock_jumps, heartbeats
from service.core.runtime.backoff import Backoff
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, HOUR
from service.log import changes
from service.notifications.receivers import browsers, deliveries
from service.outbox import queue
from service.outbox.addresses import undelivered
from service.people.accounts import admission_codes, guests
from service.people.circles.series import series
from service.people.credentials import authorization_codes, credentials, made_by_tokens
from service.tables.before_start import lessons, live_wishes
from service.tables.play.analyses import analyses
from service.tables.play.daily_deals import thoughts, tries
from service.tables.talk import reported_messages

ROWS_AT_ONCE = 500
"""The most rows that are deleted in one step, so that the worker can return to its other duties."""
GUESTS_AT_ONCE = 10
"""The most guests that are deleted in one step: each guest has rows in all tables."""

EXPIRING: dict[str, Callable[[int, int], int]] = {
    "mails": queue.purge,
    "bounces": undelivered.purge,
    "expired tokens": made_by_tokens.end_expired,
    "credentials": credentials.purge,
    "authorization codes": authorization_codes.purge,
    "browsers": browsers.purge,
    "admissions": admission_codes.purge,
    "tallies": lambda now, most: _delete(AttemptCount, most, AttemptCount.ends_at <= now),
    "answers": lambda now, most: _delete(KeptAnswer, most, KeptAnswer.ends_at <= now),
    "changes": changes.purge,
    "deliveries": deliveries.purge,
    "reports": reported_messages.purge,
    "processes": heartbeats.purge,
    "lessons": lessons.purge,
    "daily games": tries.purge,
    "daily thoughts": thoughts.purge,
    "live wishes": live_wishes.purge,
    "analyses": analyses.purge,
    "series": series.purge,
}
"""Functions that take a time (ms UTC) and a number, and delete at most so many expired rows, by kind; guests are
handled separately.
"""

_log = structlog.get_logger("tegami.purge")
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_NAME = "purge"


class DailyPurge:
    """The purge, once a day, together with any number of other workers."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._guests = Backoff("purge of a guest", runtime.now)
        self._kinds = Backoff("purge", runtime.now)
        self._checked_at: int | None = None
        self._left = set[str]()
        """The parts of today's purge that this worker has claimed and not finished. A part that fails delays no
        other.
        """
        self._more_guests = False
        """Whether there may be more guests to delete."""

    def step(self) -> int:
        """Do a part of the work that is due; returns the number of deleted rows."""
        now = self._runtime.now()
        if self._checked_at is None or not 0 <= now - self._checked_at < HOUR:
            if not self._is_held(now) and claim(now):
                self._left, self._more_guests = set(EXPIRING), True
            self._checked_at = now
        deleted = 0
        if not (self._left or self._more_guests) or self._is_held(now):
            return deleted
        if self._left:
            with unhurried():
                done = purge(now, self._left, self._kinds)
            deleted = sum(done.values())
            self._left -= {name for name, gone in done.items() if not gone}
        if self._more_guests:
            gone = delete_guests(self._runtime, GUESTS_AT_ONCE, self._guests)
            self._more_guests = gone > 0
            deleted += gone
        return deleted

    def _is_held(self, now: int) -> bool:
        return self._runtime.jump() != 0 or clock_jumps.holds_purge(now)


def claim(now: int) -> bool:
    """Claim today's purge; returns False if another worker was first."""
    with database.transaction():
        database.insert_unless_there(_heartbeat, {"name": _NAME, "at": 0})
        due = update(_heartbeat).where(_heartbeat.c.name == _NAME, _heartbeat.c.at <= now - DAY)
        return database.changed_rows(due.values(at=now)) == 1


def purge(
    now: int, kinds: Collection[str] = EXPIRING, failing: Backoff | None = None
) -> dict[str, int]:
    """Delete expired rows of these `kinds`, until ROWS_AT_ONCE are gone; returns the number of rows by kind.

    Kinds that fail are left out, and added to `failing`. There may be more rows, except of kinds of which none were
    found.
    """
    deleted = dict[str, int]()
    for name in (each for each in EXPIRING if each in kinds):
        left = ROWS_AT_ONCE - sum(deleted.values())
        if left <= 0:
            break
        run = partial(EXPIRING[name], now, left)
        gone = failing.attempt(run, None, name) if failing else run()
        if gone is not None:
            deleted[name] = gone
    if deleted:
        _log.info("purge", **deleted)
    return deleted


def _delete(table: type[Base], most: int, expired: ColumnElement[bool]) -> int:
    return database.delete_some(table.__table__, most, expired)


def delete_guests(runtime: Runtime, most: int, failing: Backoff) -> int:
    """Delete at most `most` guests who were not seen for a long time, have no seat and have never played; returns their
    number.

    A guest in `failing`, whose deletion has failed, does not delay the others.
    """
    query = guests.unseen(before=runtime.now() - guests.GUESTS_KEPT)
    query = query.where(Player.id.not_in(failing.waiting()))
    return sum(
        failing.attempt(partial(_delete_guest, runtime, player_id), False, player_id)
        for player_id in db.session.scalars(query.limit(most)).all()
    )


def _delete_guest(runtime: Runtime, player_id: str) -> bool:
    """Erase a guest, then delete the row; returns whether it was done. An empty row stays if something still refers to
    it.
    """
    if not personal_data.erase_unless_seated(runtime, player_id):
        return False  # the guest has just sat down
    try:
        database.delete_rows(delete(Player).where(Player.id == player_id))
    except IntegrityError:
        _log.warning("guest", player=player_id, kept="empty")
    return True
