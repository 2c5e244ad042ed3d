"""Statements that are sent to the database together, in one transaction: none of them waits for the one before.

On PostgreSQL they take one round trip, and the commit another. On SQLite the lock that keeps out all other writers is
held no longer than they take.
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
    """A row that was to be changed is not as it was read."""


class Text(NamedTuple):
    """A statement that changes rows, as the driver takes it, with its parameters."""

    text: str
    values: dict[str, object]
    only_if_found: bool
    """Whether everything is given up unless a row is changed."""

    @classmethod
    def of(
        cls, engine: Engine, statement: Executable, values: Values, *, only_if_found: bool = False
    ) -> Text:
        """The statement as the driver of `engine` takes it."""
        on_postgresql = engine.dialect.name == "postgresql"
        found = fixed(statement, tuple(values), postgresql=on_postgresql)
        return cls(found.text, found.parameters(values), only_if_found)


class Writer:
    """Writes on one connection."""

    def __init__(self, connection: PoolProxiedConnection) -> None:
        self._cursor = connection.cursor()

    def begin(self) -> None:
        """Take the lock that keeps out all other writers, where there is one. Raises the driver's errors."""

    def write(self, texts: Sequence[Text]) -> None:
        """Run these statements in a transaction. Raises Overtaken and the driver's errors.

        Overtaken comes first: what follows is written for the row as it was read.
        """
        for text, values, only_if_found in texts:
            self._cursor.execute(text, values)
            if only_if_found and not self._cursor.rowcount:
                raise Overtaken

    def commit(self) -> None:
        """Commit it. Raises the driver's errors."""
        self._cursor.execute("COMMIT")

    def roll_back(self) -> None:
        """Undo it. Raises the driver's errors."""
        self._cursor.execute("ROLLBACK")


PATIENCE = 10
"""Seconds to wait for SQLite's lock."""
_LOOK_AGAIN, _SELDOM, _GROWTH = 0.0003, 0.01, 1.2
"""Seconds after which to look at it again, at first and at most, and by how much they grow."""
WRITER = "tegami.writer"
"""Where an engine has what makes a Writer of a connection, if it is not the usual one."""


def send(engine: Engine, texts: Callable[[], Sequence[Text]]) -> None:
    """Make all changes and commit them, or make none. `engine` is that of quick queries.

    `texts` is asked for them once the lock is taken, if there is one. Raises Overtaken, CommitUnknown, and DBAPIError
    if the database says that nothing is committed.
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
            kept.close()  # nothing is committed, so it may be tried on a new one
            engine.dispose()  # those in the pool are as old
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
    """What writes to the engine's database."""
    if engine.dialect.name != "postgresql":
        return OnSqlite
    from service.core.database.on_postgresql import OnPostgresql  # who uses SQLite does without it

    return OnPostgresql


class OnSqlite(Writer):
    """Holds the lock from the beginning: a reader that began to write half-way would fail."""

    def begin(self) -> None:
        """Take the write lock, as soon as another process lets go of it: most hold it for a few milliseconds.

        SQLite would look again after 1, 2, 5, 10 and more milliseconds, so these connections do not let it wait.
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
