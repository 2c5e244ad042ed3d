"""Attempt counts: how often something was tried, counted in the database, so that all processes count together."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import text

from service.core.database.database import db, transaction
from service.core.runtime.problems import TooManyRequests
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND

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
_UNCOUNT = text("UPDATE tallies SET count = count - 1 WHERE digest = :digest AND count > 0")


class Limit(NamedTuple):
    """At most `most` attempts within `window` ms, which begin with the first one."""

    name: str
    most: int
    window: int


class Attempt(NamedTuple):
    """Something that is limited; `subject` tells apart those who are counted separately (a player, an address …)."""

    limit: Limit
    subject: str


class Count(NamedTuple):
    """How often something was tried within the present window, this time included; the window ends at `ends_at`."""

    limit: Limit
    number: int
    ends_at: int

    @property
    def is_over(self) -> bool:
        """Whether this was once too often."""
        return self.number > self.limit.most

    @property
    def is_last(self) -> bool:
        """Whether no more is allowed within this window."""
        return self.number == self.limit.most


def count(runtime: Runtime, secret: bytes, attempts: Iterable[Attempt]) -> None:
    """Count these attempts. Raises TooManyRequests, and then none of them counts."""
    now = runtime.now()
    with transaction():
        for each in _counts(now, secret, attempts):
            if each.is_over:
                raise TooManyRequests({"Retry-After": str(1 + (each.ends_at - now) // SECOND)})


def count_if_allowed(runtime: Runtime, secret: bytes, attempts: Iterable[Attempt]) -> list[Count]:
    """Count these attempts in the caller's transaction; none of them if one is over its limit, as the result shows."""
    attempts = list(attempts)
    counts = list(_counts(runtime.now(), secret, attempts))
    if any(each.is_over for each in counts):
        _uncount(secret, attempts)
    return counts


def find(runtime: Runtime, secret: bytes, attempt: Attempt) -> Count:
    """How often this was tried within the present window; it counts nothing."""
    now = runtime.now()
    found = db.session.execute(
        _FOUND, {"digest": digest_of(secret, attempt.limit.name, attempt.subject), "now": now}
    )
    number, ends_at = found.one_or_none() or (0, now)
    return Count(attempt.limit, number, ends_at)


def _counts(now: int, secret: bytes, attempts: Iterable[Attempt]) -> Iterator[Count]:
    for digest, limit in _in_order(secret, attempts):
        values = {"digest": digest, "now": now, "ends_at": now + limit.window}
        number, ends_at = db.session.execute(_COUNT, values).one()
        yield Count(limit, number, ends_at)


def uncount(secret: bytes, attempts: Iterable[Attempt]) -> None:
    """Take back the count of attempts that succeeded."""
    with transaction():
        _uncount(secret, attempts)


def _uncount(secret: bytes, attempts: Iterable[Attempt]) -> None:
    for digest, _ in _in_order(secret, attempts):
        db.session.execute(_UNCOUNT, {"digest": digest})


def _in_order(secret: bytes, attempts: Iterable[Attempt]) -> list[tuple[bytes, Limit]]:
    """Always the same order, so that two requests cannot deadlock."""
    return sorted(
        (digest_of(secret, attempt.limit.name, attempt.subject), attempt.limit)
        for attempt in attempts
    )


def digest_of(secret: bytes, name: str, subject: str) -> bytes:
    """The key of the count of this name. Without `secret` nobody can guess the subject."""
    return hmac.digest(secret, f"tally {name} {subject}".encode(), "sha256")
