"""Statements that are sent to the database together, in one transaction, without waiting for each other's results.

On PostgreSQL they take one round trip, and the commit takes another. On SQLite, the lock that keeps out all other
writers is held only while they run.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Engine, Executable, PoolProxiedConnection
from sqlalchemy.exc import DBAPIError

from service.core.database.failures import CommitUnknown, is_busy, is_rolled_back
from service.core.database.fixed_statements import Values, fixed, kept_connections
from service.core.database.lock_patience import lock_seconds


class Overtaken(Exception):
    """Raised if a row to be changed is no longer as it was when it was read."""


class Text(NamedTuple):
    """A statement that changes rows, in the driver's form, with its parameters."""

    text: str
    values: dict[str, object]
    only_if_found: bool
    """Whether the whole batch fails if this statement changes no row."""

    @classmethod
    def of(
        cls, engine: Engine, statement: Executable, values: Values, *, only_if_found: bool = False
    ) -> Text:
        """The statement in the form that the driver of `engine` takes."""
        on_postgresql = engine.dialect.name == "postgresql"
        found = fixed(statement, tuple(values), postgresql=on_postgresql)
        return cls(found.text, found.parameters(values), only_if_found)


class Writer:
    """A writer of statements on one connection."""

    def __init__(self, connection: PoolProxiedConnection) -> None:
        self._cursor = connection.cursor()

    def begin(self) -> None:
        """Take the lock that keeps out all other writers, if the database has one. Raises the driver's errors."""

    def write(self, texts: Sequence[Text]) -> None:
        """Run these statements in a transaction. Raises Overtaken if a row has changed, and the driver's errors.

        Overtaken is raised first, since the later statements assume the row as it was read.
        """
        for text, values, only_if_found in texts:
            self._cursor.execute(text, values)
            if only_if_found and not self._cursor.rowcount:
                raise Overtaken

    def commit(self) -> None:
        """Commit the transaction. Raises the driver's errors."""
        self._cursor.execute("COMMIT")

    def roll_back(self) -> None:
        """Roll the transaction back. Raises the driver's errors."""
        self._cursor.execute("ROLLBACK")


PATIENCE = 10
"""The time (seconds) to wait for SQLite's lock."""
_LOOK_AGAIN, _SELDOM, _GROWTH = 0.0003, 0.01, 1.2
"""The pause (seconds) before SQLite's lock is tried again: the first, the longest, and the factor of growth."""
WRITER = "tegami.writer"
"""The key under which an engine holds a factory of Writers, if it does not use the usual one."""


def send(engine: Engine, texts: Callable[[], Sequence[Text]]) -> None:
    """Make all changes and commit them, or make none. `engine` is the one for quick queries.

    If there is a lock, `texts` is called after the lock is taken. Raises Overtaken if a row has changed, DBAPIError if
    the database says that nothing was committed, and CommitUnknown if it is not known whether anything was.
    """
    kept = kept_connections(engine)
    try:
        connection = kept.connection()
        try:
            _send(engine, connection, texts)
        except engine.dialect.loaded_dbapi.Error as error:
            driver: Any = connection.driver_connection
            if not engine.dialect.is_disconnect(error, driver, None):
                raise
            kept.close()  # nothing is committed, so another attempt on a new one is safe
            engine.dispose()  # the connections in the pool are as old
            _send(engine, kept.connection(), texts)
    except Overtaken:
        raise
    except engine.dialect.loaded_dbapi.Error as error:
        kept.close()
        raise _as_sqlalchemy_has_it(engine, error) from error
    except BaseException:
        kept.close()
        raise


def _send(
    engine: Engine, connection: PoolProxiedConnection, texts: Callable[[], Sequence[Text]]
) -> None:
    make: Callable[[PoolProxiedConnection], Writer] = vars(engine).get(WRITER, usual_writer(engine))
    writer = make(connection)
    writer.begin()
    try:
        writer.write(texts())
    except Overtaken:
        writer.roll_back()
        raise
    try:
        writer.commit()
    except engine.dialect.loaded_dbapi.Error as error:
        found = _as_sqlalchemy_has_it(engine, error)
        if is_rolled_back(found):
            raise
        raise CommitUnknown from found


def _as_sqlalchemy_has_it(engine: Engine, error: Exception) -> DBAPIError:
    base, dialect = engine.dialect.loaded_dbapi.Error, engine.dialect
    found = DBAPIError.instance(None, None, error, base, hide_parameters=True, dialect=dialect)
    assert isinstance(found, DBAPIError)
    return found


def usual_writer(engine: Engine) -> type[Writer]:
    """The usual class of writers for the engine's database."""
    if engine.dialect.name != "postgresql":
        return OnSqlite
    from service.core.database.on_postgresql import OnPostgresql  # not loaded with SQLite

    return OnPostgresql


class OnSqlite(Writer):
    """A writer that holds the lock from the start, since a reader that began to write half-way would fail."""

    def begin(self) -> None:
        """Take the write lock as soon as another process releases it; most processes hold it for a few milliseconds.

        SQLite would try again after 1, 2, 5, 10 and more milliseconds, so its own waiting is switched off for these
        connections.
        """
        until, pause = time.monotonic() + lock_seconds(PATIENCE), _LOOK_AGAIN
        while True:
            try:
                self._cursor.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not is_busy(error) or time.monotonic() > until:
                    raise
            time.sleep(pause)
            pause = min(pause * _GROWTH, _SELDOM)
