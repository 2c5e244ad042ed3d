"""Connections to PostgreSQL, which nobody waits for without an end.

PostgreSQL itself ends statements and waits for rows that take too long. A database that says nothing any more, because
its machine is gone or the network swallows packets, cannot: so each connection gives up by itself a little later.
Whoever has waited in vain tells the others of its process: they fail at once, and one at a time tries whether it is
there again.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.rows import TupleRow

from service.core.database.lock_patience import statement_seconds
from service.core.database.tables import Look
from service.core.settings.database_address import Patience, given_patience, limits, waiting

BEYOND = 1.0
"""Seconds after which a connection gives up that has not even heard that its statement took too long."""
AGAIN = 1.0
"""Seconds after which one looks whether a silent database is there again."""

Parameter = str | int | None
"""What is said of a connection to libpq."""
R = TypeVar("R")


class NoAnswer(psycopg.OperationalError):
    """The database says nothing."""


class OnStandby(psycopg.errors.ReadOnlySqlTransaction):
    """This is not the primary server, which alone can be written to."""

    has_no_primary = True


class Reach:
    """What the connections of a process know of whether their database answers. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.silent_at = 0.0
        """When somebody last waited in vain (s, monotonic): what was connected before is of no use."""
        self._looks_at: float | None = None
        """When the next one may try to connect; None: anybody may."""

    def may_connect(self, patience: float) -> bool:
        """Whether whoever asks may try; while the database is silent, one at a time may."""
        with self._lock:
            if self._looks_at is None:
                return True
            now = time.monotonic()
            if now < self._looks_at:
                return False
            self._looks_at = now + max(patience, AGAIN)
            return True

    def is_silent(self) -> None:
        """Somebody has waited in vain."""
        with self._lock:
            self.silent_at = time.monotonic()
            self._looks_at = self.silent_at + AGAIN

    def answers(self) -> None:
        """Somebody has connected."""
        self._looks_at = None


class Connection(psycopg.Connection[TupleRow]):
    """A connection that waits for answers as long as it may."""

    reach: Reach | None = None
    most: float | None = None
    """Seconds that it waits."""
    since = 0.0
    """When it was made (s, monotonic)."""
    begins_with: str | None = None
    """What each transaction begins with, if a proxy hands the connection on after it, so that nothing is kept."""

    def wait(self, gen: PQGen[R], interval: float = 0.1, timeout: float | None = None) -> R:
        """As psycopg has it. Raises NoAnswer or OnStandby, and ends the connection, if it is of no use."""
        if self.reach is not None and self.since < self.reach.silent_at:
            self.pgconn.finish()
            raise NoAnswer
        given, begun = statement_seconds(), time.monotonic()
        most = self.most if given is None or self.most is None else max(self.most, given + BEYOND)
        try:
            return super().wait(gen, interval, most if timeout is None else timeout)
        except psycopg.errors.ReadOnlySqlTransaction as error:
            if self.info.parameter_status("in_hot_standby") != "on":
                raise
            self.pgconn.finish()  # the next one may find the primary server
            raise OnStandby(str(error)) from error
        except psycopg.OperationalError:
            if most is None or time.monotonic() - begun < most:
                raise
            self.pgconn.finish()
            if self.reach is not None:
                self.reach.is_silent()
            raise NoAnswer from None


def connect(
    reach: Reach,
    patience: Patience,
    given: Mapping[str, Parameter],
    look: Look | None = None,
    *,
    prepared: bool,
) -> Connection:
    """Connect with the parameters that are `given`; what they say of times is so. Raises the driver's errors."""
    usual, patience = patience, given_patience(patience, given)
    if not reach.may_connect(patience.connect or usual.connect):
        raise NoAnswer
    told: dict[str, Parameter] = {**waiting(patience, session=prepared), **given}
    if prepared and "options" in given:
        told["options"] = f"{waiting(patience, session=True)['options']} {given['options']}"
    begun = time.monotonic()
    try:
        made = Connection.connect(**told, autocommit=True)  # type: ignore[arg-type]  # all of them are known to it
    except psycopg.Error:
        if not patience.connect or time.monotonic() - begun < patience.connect:
            reach.answers()  # if only to refuse us
        else:
            reach.is_silent()
        raise
    reach.answers()
    made.reach, made.since = reach, time.monotonic()
    made.most = patience.statement + BEYOND if patience.statement else None
    is_behind_proxy = _greet(made, look or _not_look)
    if is_behind_proxy or not prepared:
        made.prepare_threshold, made.begins_with = None, _for_transaction(patience)
    made.autocommit = False
    return made


def _for_transaction(patience: Patience) -> str:
    """Sets for one transaction what a connection cannot keep."""
    told = (f"set_config('{name}', '{ms}', true)" for name, ms in limits(patience).items())
    return f"SELECT {', '.join(told)}"


def _not_look(ask: Callable[[], int | None]) -> None:
    """Nobody wants to know the time."""
    ask()


_GREETING = """
SELECT pg_backend_pid(), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
"""


def _greet(connection: Connection, look: Look) -> bool:
    """Let `look` see what time it is there; whether PostgreSQL's process is another than the one that let us in.

    Then there is a proxy that shares connections, such as PgBouncer. Whatever it is set to, we do without what it might
    lose.
    """
    found = list[tuple[int, int]]()

    def ask() -> int:
        found.extend(connection.execute(_GREETING, prepare=False).fetchall())
        return found[0][1]

    look(ask)
    return found[0][0] != connection.info.backend_pid
