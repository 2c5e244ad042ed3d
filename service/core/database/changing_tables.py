"""Changing tables while others use them: one process at a time, in short transactions that wait for nobody."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import structlog
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from service.core.database.failures import BUSY, HELD, KnownCause, cause_of

LOCK_TIMEOUT = 500
"""The time (ms) for which a statement waits for a lock on a table, while all later users of the table queue up.

PostgreSQL looks for deadlocks after 1000 ms, so the migration gives way, and never a move.
"""
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 5.0
"""The approximate pauses (seconds) between attempts: the first and the longest.

Each is twice as long as the one before.
"""
PATIENCE = 600.0
"""The time (seconds) after which the attempt is abandoned."""
_LOCK = 0x746567616D69
"""The number of PostgreSQL's advisory lock for changing tables: the letters of `tegami`."""
_SETTINGS = (
    f"SET LOCAL lock_timeout = {LOCK_TIMEOUT}",
    "SET LOCAL statement_timeout = 0",  # filling a column may take long
    "SET LOCAL idle_in_transaction_session_timeout = 0",
)

_log = structlog.get_logger("tegami.migrations")
T = TypeVar("T")


class OthersChangeTables(KnownCause):
    """Raised while another process is changing the tables of this database."""

    cause = "another process changes the tables"


@contextmanager
def changing_tables(engine: Engine) -> Iterator[Connection]:
    """A transaction during which no other process changes tables; it is committed at the end.

    Each statement sees what was committed before it. On SQLite the transaction holds the write lock. Raises
    OthersChangeTables if another process is changing the tables.
    """
    is_postgresql = engine.dialect.name == "postgresql"
    how = {"isolation_level": "READ COMMITTED"} if is_postgresql else {"writes": True}
    with engine.connect().execution_options(**how) as connection, connection.begin():
        if is_postgresql:
            for setting in _SETTINGS:
                connection.exec_driver_sql(setting)
            taken = connection.exec_driver_sql(f"SELECT pg_try_advisory_xact_lock({_LOCK})")
            if not taken.scalar_one():
                raise OthersChangeTables
        yield connection


def patiently(
    change: Callable[[], T],
    wait: Callable[[float], object] = time.sleep,
    steady: Callable[[], float] = time.monotonic,
) -> T:
    """The result of `change`, which is repeated after longer and longer pauses while others hold locks.

    Raises the error of the last attempt if others still hold locks after PATIENCE, and any other error of `change` at
    once.
    """
    until, pause, told = steady() + PATIENCE, FIRST_PAUSE, ""
    while True:
        try:
            return change()
        except (DBAPIError, sqlite3.OperationalError, OthersChangeTables) as error:
            cause = cause_of(error)
            if cause not in {BUSY, HELD, OthersChangeTables.cause} or steady() > until:
                raise
        if cause != told:
            _log.info("waiting", task="migrate", cause=cause)
        told = cause
        wait(pause * random.uniform(0.5, 1))
        pause = min(2 * pause, LONGEST_PAUSE)
