"""The purge: once a day, whichever worker comes first deletes what nobody needs any more."""

from __future__ import annotations

from typing import NamedTuple

import structlog
from sqlalchemy import Delete, delete, exists, func, or_, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from service import erasure, people, reports
from service.database import db, insert_unless_there, transaction
from service.models import Credential, Player, Tenure
from service.models_clock import Heartbeat
from service.models_mail import Outbox
from service.models_people import Account, Admission, Tally
from service.outside import Outside

DAY = 86_400_000
MAILS = 30 * DAY
"""Ms that is kept what was sent, to whom and how it ended."""
KEYS = DAY
"""The same for mails that somebody asked for without being signed in: the row has what they typed."""
OF_KEYS = ("sign-in", "reset")
GUESTS = 30 * DAY
"""Ms after which a guest who never played and did not come back is forgotten."""
REPORTS = 90 * DAY
"""Ms that a report is kept after the operator has closed it."""
SOME = 50
"""Guests who are forgotten at one go: the worker has more to do."""

_log = structlog.get_logger("tegami.purge")
_heart = Heartbeat.metadata.tables["heartbeats"]
_NAME = "purge"


class Daily:
    """Purges once a day, beside any number of others that do."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside
        self._looked: int | None = None
        self._going = False
        """Whether there may be more guests to forget."""

    def look(self) -> int:
        """Do some of what is due; how much it was."""
        now = self._outside.now()
        done = 0
        if self._looked is None or not 0 <= now - self._looked < DAY // 24:
            self._looked = now
            if claim(now):
                self._going, done = True, sum(purge(now))
        if self._going:
            self._going = False  # unless this goes well
            forgotten = forget_guests(self._outside, SOME)
            self._going = forgotten > 0
            done += forgotten
        return done


def claim(now: int) -> bool:
    """Whether it is up to the caller to purge today."""
    with transaction():
        db.session.execute(insert_unless_there(_heart).values(name=_NAME, at=0))
        due = update(_heart).where(_heart.c.name == _NAME, _heart.c.at <= now - DAY)
        claimed = db.session.execute(due.values(at=now))
        return bool(claimed.rowcount == 1)  # type: ignore[attr-defined]


class Purged(NamedTuple):
    """How many rows of each kind went."""

    mails: int
    credentials: int
    admissions: int
    tallies: int
    reports: int


def purge(now: int) -> Purged:
    """Delete what was over long before `now` (ms UTC), guests apart: of those there may be many."""
    done = Purged(
        _delete(_old_mails(now)),
        _delete(_old_credentials(now)),
        _delete(delete(Admission).where(Admission.ends_at <= now)),
        _delete(delete(Tally).where(Tally.ends_at <= now)),
        reports.purge(now - REPORTS),
    )
    _log.info("purge", **done._asdict())
    return done


def _old_mails(now: int) -> Delete:
    """Also those that were never sent, because there is no post."""
    since = func.coalesce(Outbox.done_at, Outbox.run_at)
    asked_for = Outbox.kind.in_(OF_KEYS) & (since < now - KEYS)
    return delete(Outbox).where(or_(since < now - MAILS, asked_for))


def _old_credentials(now: int) -> Delete:
    """Those that have ended, and sign-ins that the browser has forgotten by now."""
    forgotten = now - 1000 * people.COOKIE_AGE
    lapsed = (Credential.kind == "cookie") & (Credential.created_at < forgotten)
    return delete(Credential).where(or_(Credential.ended_at < now - DAY, lapsed))


def _delete(which: Delete) -> int:
    with transaction():
        done = db.session.execute(which.execution_options(synchronize_session=False))
        return int(done.rowcount)  # type: ignore[attr-defined]


def forget_guests(outside: Outside, most: int) -> int:
    """Forget up to `most` guests who have no seat, nor had one in a game, and were not here for long; how many."""
    before = outside.now() - GUESTS
    here = exists().where(Credential.player_id == Player.id, Credential.seen_at >= before)
    played = exists().where(
        Tenure.player_id == Player.id, Tenure.ended_at.is_(None) | Tenure.began.is_not(None)
    )
    registered = exists().where(Account.player_id == Player.id)
    query = select(Player.id).where(
        Player.created_at < before, Player.erased_at.is_(None), ~registered, ~here, ~played
    )
    found = db.session.scalars(query.order_by(Player.created_at).limit(most)).all()
    db.session.rollback()  # nothing is held open, and whoever reads next reads anew
    return sum(_forget_safely(outside, player_id) for player_id in found)


def _forget_safely(outside: Outside, player_id: str) -> bool:
    """One who cannot be forgotten keeps no other from it."""
    try:
        return _forget(outside, player_id)
    except DBAPIError as error:
        db.session.rollback()
        _log.error("guest", player=player_id, error=type(error).__name__)
        return False


def _forget(outside: Outside, player_id: str) -> bool:
    """Take a guest out of everything, then the row itself; it stays, empty, where something still refers to it."""
    if not erasure.empty(outside, player_id):
        return False  # has just sat down
    try:
        _delete(delete(Player).where(Player.id == player_id))
    except IntegrityError:
        _log.warning("guest", player=player_id, kept="empty")
    return True
