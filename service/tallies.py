"""Tallies: how often something was tried, counted in the database, so that all processes count together."""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import text

from service.database import db, transaction
from service.outside import Outside
from service.problems import TooManyRequests

HOUR = 3_600_000

_COUNT = text(
    """
    INSERT INTO tallies (digest, count, ends_at) VALUES (:digest, 1, :ends_at)
    ON CONFLICT (digest) DO UPDATE SET
        count = CASE WHEN tallies.ends_at <= :now THEN 1 ELSE tallies.count + 1 END,
        ends_at = CASE WHEN tallies.ends_at <= :now THEN :ends_at ELSE tallies.ends_at END
    RETURNING count, ends_at
    """
)
_FORGIVE = text("UPDATE tallies SET count = count - 1 WHERE digest = :digest AND count > 0")


class Limit(NamedTuple):
    """`most` times within `window` ms, which begin with the first."""

    name: str
    most: int
    window: int


class Try(NamedTuple):
    """What somebody does that is limited; `who` is anything by which they are told from others."""

    limit: Limit
    who: str


def count(outside: Outside, secret: bytes, tries: Iterable[Try]) -> None:
    """Count these tries. Raises TooManyRequests, and then none of them counts."""
    now = outside.now()
    with transaction():
        for digest, limit in _in_order(secret, tries):
            values = {"digest": digest, "now": now, "ends_at": now + limit.window}
            number, ends_at = db.session.execute(_COUNT, values).one()
            if number > limit.most:
                raise TooManyRequests({"Retry-After": str(1 + (ends_at - now) // 1000)})


def forgive(secret: bytes, tries: Iterable[Try]) -> None:
    """These tries were right ones: they do not count."""
    with transaction():
        for digest, _ in _in_order(secret, tries):
            db.session.execute(_FORGIVE, {"digest": digest})


def _in_order(secret: bytes, tries: Iterable[Try]) -> list[tuple[bytes, Limit]]:
    """Always the same order, so that no two wait for each other; `secret` lets nobody guess who is meant."""
    return sorted((digest_of(secret, each), each.limit) for each in tries)


def digest_of(secret: bytes, tried: Try) -> bytes:
    """What stands in the database of a try."""
    return hmac.digest(secret, f"tally {tried.limit.name} {tried.who}".encode(), "sha256")
