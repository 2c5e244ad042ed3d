"""Statements whose texts are made once, and connections that threads keep for them.

To build a statement anew, or to borrow a connection, takes longer than most statements do.
"""

from __future__ import annotations

import contextlib
import functools
import sqlite3
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import ClauseElement, Dialect, Engine, PoolProxiedConnection
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.sql.compiler import SQLCompiler

Values = Mapping[str, object]
"""The parameters of a statement, by name."""
Write = Callable[[Any], Any]
"""Makes of a value what the driver takes for it."""


class FixedStatement(NamedTuple):
    """A statement as a driver takes it, with named parameters."""

    text: str
    given: Values
    """The values that the statement itself has."""
    written: Mapping[str, Write]
    """For the parameters whose values are not taken as they are."""

    def parameters(self, values: Values) -> dict[str, object]:
        """What to send with the text."""
        named = {**self.given, **values}
        for name, write in self.written.items():
            named[name] = write(named[name])
        return named


@functools.lru_cache(maxsize=1024)
def fixed(statement: ClauseElement, names: tuple[str, ...], *, postgresql: bool) -> FixedStatement:
    """The statement with parameters of these names."""
    dialect = _dialect(postgresql)
    compiled = statement.compile(dialect=dialect, column_keys=list(names) or None)
    assert isinstance(compiled, SQLCompiler)
    written = {
        name: write
        for name, bound in compiled.binds.items()
        if (write := bound.type.dialect_impl(dialect).bind_processor(dialect)) is not None
    }
    return FixedStatement(compiled.string, dict(compiled.params), written)


@functools.cache
def _dialect(postgresql: bool) -> Dialect:
    if not postgresql:
        return sqlite.dialect(paramstyle="named")
    from sqlalchemy.dialects.postgresql import psycopg  # who uses SQLite does without the driver

    return psycopg.dialect()  # type: ignore[no-untyped-call]


class KeptConnections(threading.local):
    """A connection of an engine for each thread, whatever it asks, with a cursor."""

    def __init__(self, engine: Engine) -> None:  # runs again in each thread
        self._engine, self._pool = engine, engine.pool
        self._connection: PoolProxiedConnection | None = None

    def connection(self) -> PoolProxiedConnection:
        """That of this thread."""
        if self._connection is None or self._pool is not self._engine.pool:
            self._pool = self._engine.pool
            self._connection = self._engine.raw_connection()
            self._cursor = self._connection.cursor()
        return self._connection

    def cursor(self) -> DBAPICursor:
        """The cursor of that connection; nothing of it is read once it runs another statement."""
        self.connection()
        return self._cursor

    def close(self) -> None:
        """Close that of this thread; the next one is new.

        SQLite's lock is given up: a connection ends no sooner than its last cursor, which an error may remember.
        """
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if isinstance(connection.driver_connection, sqlite3.Connection):
            with contextlib.suppress(sqlite3.Error):
                connection.driver_connection.rollback()
        connection.invalidate()


def kept_connections(engine: Engine) -> KeptConnections:
    """Those of an engine, which live as long as it does."""
    known = vars(engine)
    found: KeptConnections = known.get(_KEPT) or known.setdefault(_KEPT, KeptConnections(engine))
    return found


_KEPT = "tegami.kept"
