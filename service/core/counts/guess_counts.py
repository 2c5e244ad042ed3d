"""Guess counts: how often somebody guessed a secret wrongly. After a few tries each further one has to wait, longer
each time.

They are kept in the database, as attempt counts are, so that all processes count together.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, select, update

from service.core.counts.attempt_counts import digest_of
from service.core.database.database import db, insert_unless_there, transaction
from service.core.models.people import AttemptCount
from service.core.runtime.problems import TooManyRequests
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND

_tallies = AttemptCount.metadata.tables["tallies"]
_MOST_DOUBLINGS = 32


class Waits(NamedTuple):
    """After `free` wrong guesses the next one waits for `first` ms, then each for twice as long, `longest` at most."""

    name: str
    free: int
    first: int
    longest: int
    memory: int
    """Ms after the last wrong guess in which they are forgotten; more than `longest`."""
    forgiving: bool = True
    """Whether a right guess makes the wrong ones before it forgotten."""

    def after(self, number: int) -> int:
        """Ms to wait after so many wrong guesses."""
        doublings = min(number - self.free, _MOST_DOUBLINGS)
        return 0 if doublings < 0 else min(self.first << doublings, self.longest)


class Guess(NamedTuple):
    """A guess at a secret; `subject` tells apart those who are counted separately (an account, a browser …)."""

    waits: Waits
    subject: str


def count(runtime: Runtime, secret: bytes, guesses: Sequence[Guess]) -> None:
    """Count these guesses as wrong before they are checked, so that many at once have to wait, too.

    Raises TooManyRequests if one of them has to wait, and then none of them counts.
    """
    now = runtime.now()
    with transaction():
        for digest, waits in _in_order(secret, guesses):
            number, last = _wrong_guesses(digest, waits, now)
            ready = last + waits.after(number)
            if ready > now:
                raise TooManyRequests({"Retry-After": str(1 + (ready - now) // SECOND)})
            counted = update(_tallies).where(_tallies.c.digest == digest)
            values = {"count": number + 1, "ends_at": now + waits.memory}
            db.session.execute(counted.values(values))


def _wrong_guesses(digest: bytes, waits: Waits, now: int) -> tuple[int, int]:
    """How many there were, and when the last one was (ms UTC); the row is locked."""
    new = {"digest": digest, "count": 0, "ends_at": now}
    db.session.execute(insert_unless_there(_tallies).values(new))
    query = select(_tallies.c.count, _tallies.c.ends_at).where(_tallies.c.digest == digest)
    number, ends_at = db.session.execute(query.with_for_update()).one()
    return (number, ends_at - waits.memory) if ends_at > now else (0, 0)


def forgive(secret: bytes, guesses: Sequence[Guess]) -> None:
    """These guesses were right."""
    with transaction():
        for digest, waits in _in_order(secret, guesses):
            if waits.forgiving:
                db.session.execute(delete(_tallies).where(_tallies.c.digest == digest))
            else:
                _uncount(digest)


def uncount(secret: bytes, guesses: Sequence[Guess]) -> None:
    """These guesses were not checked."""
    with transaction():
        for digest, _ in _in_order(secret, guesses):
            _uncount(digest)


def _uncount(digest: bytes) -> None:
    counted = (_tallies.c.digest == digest) & (_tallies.c.count > 0)
    db.session.execute(update(_tallies).where(counted).values(count=_tallies.c.count - 1))


def _in_order(secret: bytes, guesses: Sequence[Guess]) -> list[tuple[bytes, Waits]]:
    """Always the same order, so that two requests cannot deadlock."""
    return sorted(
        (digest_of(secret, each.waits.name, each.subject), each.waits) for each in guesses
    )
