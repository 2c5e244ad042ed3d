"""Attempt counts: how often something was tried or guessed, counted in the database for all processes together.

Attempts are limited within a window. After a few wrong guesses at a secret, there is a wait before each further guess,
longer each time.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from sqlalchemy import delete, select, text

from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.people import AttemptCount
from service.core.runtime.problems import Problem, TooManyRequests
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND

_tallies = AttemptCount.metadata.tables["tallies"]
_COUNT = text(
    """
    INSERT INTO tallies (digest, count, ends_at) VALUES (:digest, 1, :ends_at)
    ON CONFLICT (digest) DO UPDATE SET
        count = CASE WHEN tallies.ends_at <= :now THEN 1 ELSE tallies.count + 1 END,
        ends_at = CASE WHEN tallies.ends_at <= :now THEN :ends_at ELSE tallies.ends_at END
    RETURNING count, ends_at
    """
)
_FOUND = text("SELECT count, ends_at FROM tallies WHERE digest = :digest AND ends_at > :now")
_SET = text("UPDATE tallies SET count = :count, ends_at = :ends_at WHERE digest = :digest")
_UNCOUNT = text("UPDATE tallies SET count = count - 1 WHERE digest = :digest AND count > 0")
_MOST_DOUBLINGS = 32


class Limit(NamedTuple):
    """At most `most` attempts within a window of `window` ms, which begins with the first attempt."""

    name: str
    most: int
    window: int


class Waits(NamedTuple):
    """The wait (ms) before a guess: `first` after `free` wrong ones, then twice as long each time, at most
    `longest`.
    """

    name: str
    free: int
    first: int
    longest: int
    memory: int
    """The time (ms) after the last wrong guess at which all of them are forgotten; it is longer than `longest`."""
    forgiving: bool = True
    """Whether a right guess makes the service forget the wrong ones before it."""

    def after(self, number: int) -> int:
        """The wait (ms) after this number of wrong guesses."""
        doublings = min(number - self.free, _MOST_DOUBLINGS)
        return 0 if doublings < 0 else min(self.first << doublings, self.longest)


class Attempt(NamedTuple):
    """An attempt that is limited; `subject` is what attempts are counted by (a player, an address …)."""

    limit: Limit
    subject: str


class Guess(NamedTuple):
    """A guess at a secret; `subject` is what guesses are counted by (an account, a browser …)."""

    waits: Waits
    subject: str


class Count(NamedTuple):
    """The number of attempts within the present window, including this one; the window ends at `ends_at` (ms UTC)."""

    limit: Limit
    number: int
    ends_at: int

    @property
    def is_over(self) -> bool:
        """Whether this attempt exceeds the limit."""
        return self.number > self.limit.most

    @property
    def is_last(self) -> bool:
        """Whether this is the last attempt that is allowed within the window."""
        return self.number == self.limit.most


def count(runtime: Runtime, secret: bytes, attempts: Iterable[Attempt]) -> None:
    """Count these attempts. If one exceeds its limit, raises TooManyRequests and counts none of them."""
    with transaction(counting=True):
        count_within(runtime, secret, attempts)


def count_within(runtime: Runtime, secret: bytes, attempts: Iterable[Attempt]) -> None:
    """Count these attempts like `count`, but in the caller's transaction: if that is rolled back, nothing is
    counted.
    """
    for each in count_if_allowed(runtime, secret, attempts):
        if each.is_over:
            raise _too_many(runtime.now(), each.ends_at)


def count_if_allowed(runtime: Runtime, secret: bytes, attempts: Iterable[Attempt]) -> list[Count]:
    """Count these attempts in the caller's transaction, and return their counts.

    If one of them is over its limit, as its count shows, none of them is counted.
    """
    attempts = list(attempts)
    counts = count_all(runtime, secret, attempts)
    if any(each.is_over for each in counts):
        for digest, _ in _in_order(secret, attempts):
            db.session.execute(_UNCOUNT, {"digest": digest})
    return counts


def count_all(runtime: Runtime, secret: bytes, attempts: Iterable[Attempt]) -> list[Count]:
    """Count these attempts in the caller's transaction, even those over their limits, and return their counts."""
    now, counts = runtime.now(), list[Count]()
    for digest, limit in _in_order(secret, attempts):
        values = {"digest": digest, "now": now, "ends_at": now + limit.window}
        counts.append(Count(limit, *db.session.execute(_COUNT, values).one()))
    return counts


def find(runtime: Runtime, secret: bytes, attempt: Attempt) -> Count:
    """The number of attempts within the present window; nothing is counted."""
    now = runtime.now()
    values = {"digest": _digest(secret, attempt.limit.name, attempt.subject), "now": now}
    number, ends_at = db.session.execute(_FOUND, values).one_or_none() or (0, now)
    return Count(attempt.limit, number, ends_at)


def count_wrong(runtime: Runtime, secret: bytes, guesses: Iterable[Guess]) -> None:
    """Count these guesses as wrong before they are checked, so that simultaneous guesses have to wait, too.

    If one of them has to wait, raises TooManyRequests and counts none of them.
    """
    now = runtime.now()
    with transaction(counting=True):
        for digest, waits in _in_order(secret, guesses):
            new = {"digest": digest, "count": 0, "ends_at": now}
            insert_unless_there(_tallies, new)
            query = select(_tallies.c.count, _tallies.c.ends_at).where(_tallies.c.digest == digest)
            number, ends_at = db.session.execute(query.with_for_update()).one()
            number, last = (number, ends_at - waits.memory) if ends_at > now else (0, 0)
            ready = last + waits.after(number)
            if ready > now:
                raise _too_many(now, ready)
            new |= {"count": number + 1, "ends_at": now + waits.memory}
            db.session.execute(_SET, new)


def forgive(secret: bytes, guesses: Iterable[Guess]) -> None:
    """Forget the wrong guesses before these right ones, or, if the wait is not forgiving, only these guesses."""
    with transaction(counting=True):
        for digest, waits in _in_order(secret, guesses):
            if waits.forgiving:
                db.session.execute(delete(_tallies).where(_tallies.c.digest == digest))
            else:
                db.session.execute(_UNCOUNT, {"digest": digest})


def uncount(secret: bytes, tried: Iterable[Attempt | Guess]) -> None:
    """Subtract attempts that succeeded or had no effect, and guesses that were not checked."""
    with transaction(counting=True):
        for digest, _ in _in_order(secret, tried):
            db.session.execute(_UNCOUNT, {"digest": digest})


def _too_many(now: int, until: int) -> Problem:
    return TooManyRequests({"Retry-After": str(1 + (until - now) // SECOND)})


Rule = TypeVar("Rule", bound=Limit | Waits)


def _in_order(secret: bytes, tried: Iterable[tuple[Rule, str]]) -> list[tuple[bytes, Rule]]:
    """The digests of the counts, each with its rule, always in the same order, so that two requests cannot deadlock."""
    return sorted((_digest(secret, rule.name, subject), rule) for rule, subject in tried)


def _digest(secret: bytes, name: str, subject: str) -> bytes:
    """The digest that is the key of the count with this name. Nobody can guess the subject from it without `secret`."""
    return hmac.digest(secret, f"tally {name} {subject}".encode(), "sha256")
