"""Connections to PostgreSQL with a time limit on every wait.

PostgreSQL itself ends statements, and waits for rows, that take too long. It cannot do so if it has gone silent,
because its machine is gone or the network swallows packets. So each connection gives up by itself a little later, and
tells the other connections of its process. They then fail at once, and one at a time tries whether the database is
back.
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
"""The time (seconds) after a wait's own limit at which a connection gives up, if the database has not reported the
limit.
"""
AGAIN = 1.0
"""The time (seconds) before a connection tries whether a silent database is back."""

Parameter = str | int | None
"""The value of one of libpq's connection parameters."""
R = TypeVar("R")


class NoAnswer(psycopg.OperationalError):
    """Raised if the database does not respond."""


class NotWritable(psycopg.OperationalError):
    """Raised if the database is read-only.

    The driver calls this a programming error, but here it means that a database is failing over.
    """

    sqlstate = "25006"


class OnStandby(NotWritable):
    """Raised if the server is not the primary one, which alone accepts writes."""

    has_no_primary = True


class TooLate(psycopg.OperationalError):
    """Raised if the database has ended an idle transaction. The driver calls this a programming error, too."""

    sqlstate = "25P03"


class Reach:
    """The knowledge of a process's connections about whether their database responds. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.silent_at = 0.0
        """When a wait last failed (s, monotonic). Connections made before are of no use."""
        self._looks_at: float | None = None
        """When the next attempt to connect is allowed; None: at any time."""

    def may_connect(self, patience: float) -> bool:
        """Whether the caller may try to connect. While the database is silent, only one caller at a time may."""
        with self._lock:
            if self._looks_at is None:
                return True
            now = time.monotonic()
            if now < self._looks_at:
                return False
            self._looks_at = now + max(patience, AGAIN)
            return True

    def is_silent(self) -> None:
        """Note that a wait for the database has failed, so that the other connections fail at once."""
        with self._lock:
            self.silent_at = time.monotonic()
            self._looks_at = self.silent_at + AGAIN

    def answers(self) -> None:
        """Note that a connection has succeeded, so that all may connect again."""
        self._looks_at = None


class Connection(psycopg.Connection[TupleRow]):
    """A connection that waits for responses only for a limited time."""

    reach: Reach | None = None
    most: float | None = None
    """The time limit (seconds) of the connection's waits; None if there is none."""
    since = 0.0
    """The time at which the connection was made (seconds, monotonic)."""
    begins_with: str | None = None
    """The statement that begins each transaction if a proxy shares connections, which would lose settings; otherwise
    None.
    """

    def wait(self, gen: PQGen[R], interval: float = 0.1, timeout: float | None = None) -> R:
        """Wait for PostgreSQL as psycopg does, and return the result.

        Raises NoAnswer, NotWritable (as OnStandby if the server is not the primary one) and TooLate, and closes the
        connection if it is of no more use.
        """
        if self.reach is not None and self.since < self.reach.silent_at:
            self.pgconn.finish()
            raise NoAnswer
        given, begun = statement_seconds(), time.monotonic()
        most = self.most if given is None or self.most is None else max(self.most, given + BEYOND)
        try:
            return super().wait(gen, interval, most if timeout is None else timeout)
        except psycopg.errors.ReadOnlySqlTransaction as error:
            if not self._may_be_standby():
                raise NotWritable(str(error)) from error
            self.pgconn.finish()  # the next one may find the primary server
            raise OnStandby(str(error)) from error
        except psycopg.errors.IdleInTransactionSessionTimeout as error:
            raise TooLate(str(error)) from error
        except psycopg.OperationalError:
            if most is None or time.monotonic() - begun < most:
                raise
            self.pgconn.finish()
            if self.reach is not None:
                self.reach.is_silent()
            raise NoAnswer from None

    def _may_be_standby(self) -> bool:
        """Whether the server may be another one than the primary.

        A proxy that hands connections on knows only the answer of the first connection.
        """
        return self.begins_with is not None or self.info.parameter_status("in_hot_standby") == "on"


def connect(
    reach: Reach,
    patience: Patience,
    given: Mapping[str, Parameter],
    look: Look | None = None,
    *,
    prepared: bool,
) -> Connection:
    """A connection with the `given` parameters; time limits among them take precedence over `patience`.

    `look` is shown the server's time; `prepared` is whether statements may be prepared. Raises NoAnswer while the
    database is silent, and otherwise the driver's errors.
    """
    usual, patience = patience, given_patience(patience, given)
    if not reach.may_connect(patience.connect or usual.connect):
        raise NoAnswer
    told: dict[str, Parameter] = {**waiting(patience, session=prepared), **given}
    if prepared and "options" in given:
        told["options"] = f"{waiting(patience, session=True)['options']} {given['options']}"
    begun = time.monotonic()
    try:
        made = Connection.connect(**told, autocommit=True)  # type: ignore[arg-type]  # it knows all of them
    except psycopg.Error:
        if not patience.connect or time.monotonic() - begun < patience.connect:
            reach.answers()  # even if the answer is a refusal
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
    """The statement that sets the time limits for one transaction, where a connection cannot keep them."""
    told = (f"set_config('{name}', '{ms}', true)" for name, ms in limits(patience).items())
    return f"SELECT {', '.join(told)}"


def _not_look(ask: Callable[[], int | None]) -> None:
    """Do nothing, where the time of the database does not matter."""
    ask()


_GREETING = """
SELECT pg_backend_pid(), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)
"""


def _greet(connection: Connection, look: Look) -> bool:
    """Let `look` see the server's time; return whether a proxy such as PgBouncer shares connections.

    It does if PostgreSQL's process differs from the one that accepted us. We then do without everything that the proxy
    might lose, however it is configured.
    """
    found = list[tuple[int, int]]()

    def ask() -> int:
        found.extend(connection.execute(_GREETING, prepare=False).fetchall())
        return found[0][1]

    look(ask)
    return found[0][0] != connection.info.backend_pid
