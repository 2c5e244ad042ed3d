"""The purge: once a day, one of the workers deletes what is no longer needed."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import structlog
from sqlalchemy import Delete, delete, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from service.core.database.database import changed_rows, db, insert_unless_there, transaction
from service.core.models.games import Tenure
from service.core.models.kept_answers import KeptAnswer
from service.core.models.mail import Outbox
from service.core.models.people import Account, Admission, AttemptCount, Credential, Player
from service.core.models.receivers import PUSH, Receiver
from service.core.models.time import Heartbeat
from service.core.runtime.backoff import Backoff
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, HOUR, SECOND
from service.log import changes
from service.notifications.receivers import deliveries
from service.people.credentials import credentials
from service.personal_data import erasure
from service.tables.talk import reported_messages

MAILS_KEPT = 30 * DAY
"""Ms for which is kept which mails were sent, to whom and with what outcome."""
KEY_MAILS_KEPT = DAY
"""The same for mails that can be asked for without signing in: their rows hold what somebody typed."""
KEY_MAILS = ("sign-in", "reset")
GUESTS_KEPT = 30 * DAY
"""Ms after which a guest who has never played and has not been seen is deleted."""
REPORTS_KEPT = 90 * DAY
"""Ms for which a report is kept after the operator has closed it."""
GUESTS_AT_ONCE = 50
"""Guests that are deleted in one step, so that the worker gets back to its other duties."""

_log = structlog.get_logger("tegami.purge")
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_NAME = "purge"


class DailyPurge:
    """Purges once a day, together with any number of other workers."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._guests = Backoff("purge of a guest", runtime.now)
        self._checked_at: int | None = None
        self._claimed = False
        """Whether today's purge is this worker's, and still to be done."""
        self._more_guests = False
        """Whether there may be more guests to delete."""

    def step(self) -> int:
        """Do a part of what is due; how many rows were deleted."""
        now = self._runtime.now()
        deleted = 0
        if self._checked_at is None or not 0 <= now - self._checked_at < HOUR:
            self._claimed = claim(now) or self._claimed
            self._checked_at = now
        if self._claimed:
            deleted = sum(purge(now))
            self._claimed, self._more_guests = False, True
        if self._more_guests:
            guests = delete_guests(self._runtime, GUESTS_AT_ONCE, self._guests)
            self._more_guests = guests > 0
            deleted += guests
        return deleted


def claim(now: int) -> bool:
    """Claim today's purge; whether no other worker was first."""
    with transaction():
        db.session.execute(insert_unless_there(_heartbeat).values(name=_NAME, at=0))
        due = update(_heartbeat).where(_heartbeat.c.name == _NAME, _heartbeat.c.at <= now - DAY)
        return changed_rows(due.values(at=now)) == 1


class Purged(NamedTuple):
    """How many rows were deleted, by kind."""

    mails: int
    credentials: int
    browsers: int
    admissions: int
    tallies: int
    answers: int
    changes: int
    deliveries: int
    reports: int


def purge(now: int) -> Purged:
    """Delete what has expired at `now` (ms UTC), except guests, of whom there may be many."""
    deleted = Purged(
        _delete(_old_mails(now)),
        _delete(_old_credentials(now)),
        _delete(_lost_browsers()),
        _delete(delete(Admission).where(Admission.ends_at <= now)),
        _delete(delete(AttemptCount).where(AttemptCount.ends_at <= now)),
        _delete(delete(KeptAnswer).where(KeptAnswer.ends_at <= now)),
        _delete_changes(now),
        _delete_deliveries(now),
        reported_messages.delete_closed(now - REPORTS_KEPT),
    )
    _log.info("purge", **deleted._asdict())
    return deleted


def _old_mails(now: int) -> Delete:
    """Mails that were finished, or were due without being sent, too long ago."""
    since = func.coalesce(Outbox.done_at, Outbox.run_at)
    key_mails = Outbox.kind.in_(KEY_MAILS) & (since < now - KEY_MAILS_KEPT)
    return delete(Outbox).where(or_(since < now - MAILS_KEPT, key_mails))


def _old_credentials(now: int) -> Delete:
    """Credentials that have ended or expired, and cookies that the browser no longer keeps."""
    oldest_cookie = now - SECOND * credentials.COOKIE_MAX_AGE
    expired = (Credential.kind == "cookie") & (Credential.created_at < oldest_cookie)
    ended = or_(Credential.ended_at < now - DAY, Credential.expires_at < now - DAY)
    return delete(Credential).where(or_(ended, expired))


def _lost_browsers() -> Delete:
    """Browsers whose sign-in is gone."""
    known = select(Credential.id)
    return delete(Receiver).where(Receiver.kind == PUSH, Receiver.credential_id.not_in(known))


def _delete_changes(now: int) -> int:
    with transaction():
        return changes.delete_old(now)


def _delete_deliveries(now: int) -> int:
    with transaction():
        return deliveries.delete_old(now)


def _delete(query: Delete) -> int:
    with transaction():
        return changed_rows(query.execution_options(synchronize_session=False))


def delete_guests(runtime: Runtime, most: int, guests: Backoff) -> int:
    """Delete up to `most` guests who have not been seen for long, have no seat and have never played; how many.

    One of the `guests` whose deletion fails keeps no other waiting.
    """
    before = runtime.now() - GUESTS_KEPT
    seen = exists().where(Credential.player_id == Player.id, Credential.seen_at >= before)
    played = exists().where(
        Tenure.player_id == Player.id, Tenure.ended_at.is_(None) | Tenure.began.is_not(None)
    )
    registered = exists().where(Account.player_id == Player.id)
    query = select(Player.id).where(
        Player.created_at < before, Player.erased_at.is_(None), ~registered, ~seen, ~played
    )
    query = query.where(Player.id.not_in(guests.waiting())).order_by(Player.created_at)
    return sum(
        guests.attempt(partial(_delete_guest, runtime, player_id), False, player_id)
        for player_id in db.session.scalars(query.limit(most)).all()
    )


def _delete_guest(runtime: Runtime, player_id: str) -> bool:
    """Erase a guest, then delete the row; an empty row stays if something still refers to it."""
    if not erasure.erase_unless_seated(runtime, player_id):
        return False  # they have just sat down
    try:
        _delete(delete(Player).where(Player.id == player_id))
    except IntegrityError:
        _log.warning("guest", player=player_id, kept="empty")
    return True
