"""A replica of PostgreSQL, a standby server, that serves reads that may be a moment old, to relieve the primary server.

Its age follows from positions in the write-ahead log, not from clocks. Once a second, a process notes the position of
the primary server; a replica is as recent as the last of these positions that it has reached. The replica is asked for
its position on the same connection that reads, so there may be several replicas behind one address. A read that the
replica cannot serve in time goes to the primary server, as if there were no replica.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import structlog
from sqlalchemy import Engine, text
from sqlalchemy.exc import SQLAlchemyError

from service.core.database import reading_from
from service.core.database.database import db, is_writing
from service.core.database.failures import cause_of
from service.core.database.quick_queries import QuickQuery
from service.core.settings.database_address import Patience

EVERY = 1.0
"""The time (seconds) between two looks at the primary server, and for which a failed replica is left alone."""
PATIENCE = 2.0
"""The time (seconds) that a replica may take for a connection or a statement before the primary server is asked."""
ANSWERED, BEHIND, FAILED = "answered", "behind", "failed"
"""The possible outcomes of asking a replica."""

_WRITTEN = text("SELECT CAST(pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS bigint)")
_SHOWN = text("""
SELECT CAST(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS bigint) WHERE pg_is_in_recovery()
""")
_REPLICA = "tegami.replica"
"""The key under which the engine of a replica holds its Replica."""
_TASK = "replica"

_log = structlog.get_logger("tegami.replica")
R = TypeVar("R")


def impatient(patience: Patience) -> Patience:
    """The time limits for a replica, given the time limits for the primary server."""
    return patience._replace(
        connect=min(patience.connect or PATIENCE, PATIENCE),
        statement=min(patience.statement or PATIENCE, PATIENCE),
    )


class Positions:
    """Recent positions of the primary server and their times, from which the age of a position follows.

    Thread-safe.
    """

    def __init__(self, kept: float) -> None:
        self._lock = threading.Lock()
        self._kept = kept
        """How long (seconds) positions are kept."""
        self._written = deque[tuple[float, int]]()

    def note(self, at: float, position: int) -> None:
        """Note the position of the primary server at this time (seconds).

        If the position is behind an earlier one, it is from another server, and the earlier ones are forgotten.
        """
        with self._lock:
            if self._written and position < self._written[-1][1]:
                self._written.clear()
            self._written.append((at, position))
            while at - self._written[0][0] > self._kept:
                self._written.popleft()

    def age(self, position: int, now: float) -> float:
        """The greatest possible age (seconds) of data at this position; infinite if it is older than all noted
        positions.
        """
        with self._lock:
            reached = (at for at, written in reversed(self._written) if written <= position)
            return now - next(reached, -math.inf)


class Replica:
    """The replica behind one address, used as long as it is at most `most` seconds behind.

    `count` is called with the outcome of each use.
    """

    def __init__(
        self,
        primary: Engine,
        most: float,
        count: Callable[[str], None] = lambda _result: None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most, self._count, self._steady = most, count, steady
        self._primary = QuickQuery(primary, _WRITTEN)
        self._positions = Positions(most)
        self._lock = threading.Lock()
        self._look_at = self._away_until = -math.inf
        self._failing = False

    def read(self, read: Callable[[], R], is_there: Callable[[], bool]) -> R | None:
        """The result of `read` on the replica; None if the replica is not recent enough, or `is_there` is false on
        it.
        """
        now = self._steady()
        if now < self._away_until:
            self._count(FAILED)
            return None
        self._look(now)
        try:
            with reading_from.replica():
                if self.age() > self._most or not is_there():
                    self._count(BEHIND)
                    return None
                found = read()
        except SQLAlchemyError as error:
            # Whatever the failure is, the primary server answers, or reports the fault.
            self._away_until = now + EVERY
            self._count(FAILED)
            self._tell(cause_of(error))
            return None
        self._count(ANSWERED)
        self._tell(None)
        return found

    def _tell(self, cause: str | None) -> None:
        """Log the first failure after a success, by its cause, and the first success after a failure (None)."""
        with self._lock:
            before, self._failing = self._failing, cause is not None
        if cause is not None and not before:
            _log.warning("failing", task=_TASK, cause=cause, told="the primary server answers")
        elif cause is None and before:
            _log.info("recovered", task=_TASK)

    def age(self) -> float:
        """The greatest possible age (seconds) of what a session reads here; infinite if the server is not a standby."""
        position = db.session.scalar(_SHOWN)
        return math.inf if position is None else self._positions.age(position, self._steady())

    def behind(self) -> int | None:
        """The number of bytes by which a server is behind the primary server; None if it is not a standby.

        Raises SQLAlchemyError if the database fails.
        """
        written = db.session.scalar(_WRITTEN) or 0
        with reading_from.replica():
            shown = db.session.scalar(_SHOWN)
        return None if shown is None else max(0, int(written) - int(shown))

    def _look(self, now: float) -> None:
        """Look up the position of the primary server, unless another thread has just done so; `now` is in seconds."""
        with self._lock:
            if now < self._look_at:
                return
            self._look_at = now + EVERY
        with suppress(*self._primary.errors):  # while it is away, the replica stays as near
            ((written,),) = self._primary.all({})
            self._positions.note(now, int(written))


def use(replica: Replica | None) -> None:
    """Let the application in context read from this replica, or from none if it is None."""
    vars(db.engine)[_REPLICA] = replica


def used() -> Replica | None:
    """The replica of the application in context; None if it has none."""
    found: Replica | None = vars(db.engine).get(_REPLICA)
    return found


def a_moment_old(read: Callable[[], R], is_there: Callable[[], bool] = lambda: True) -> R:
    """The result of `read`, which is never None; it may be as old as the operator allows (DATABASE_REPLICA_LAG).

    `is_there` returns whether a replica has the requested data. In a write transaction, the primary server is read.
    """
    replica = used()
    if replica is None or is_writing() or reading_from.is_replica():
        return read()
    found = replica.read(read, is_there)
    return read() if found is None else found
