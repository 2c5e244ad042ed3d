"""Statements whose texts are made once, and connections that threads keep for them.

Building a statement again, or borrowing a connection, takes longer than running most statements.
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
"""A function that turns a value into what the driver takes."""


class FixedStatement(NamedTuple):
    """A statement in the driver's form, with named parameters."""

    text: str
    given: Values
    """The values that are part of the statement."""
    written: Mapping[str, Write]
    """The functions that convert parameters that the driver does not take as they are, by name."""

    def parameters(self, values: Values) -> dict[str, object]:
        """The parameters to send with the text."""
        named = {**self.given, **values}
        for name, write in self.written.items():
            named[name] = write(named[name])
        return named


@functools.lru_cache(maxsize=1024)
def fixed(statement: ClauseElement, names: tuple[str, ...], *, postgresql: bool) -> FixedStatement:
    """The driver's form of a statement, with parameters of these names."""
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
    from sqlalchemy.dialects.postgresql import psycopg  # not loaded with SQLite

    return psycopg.dialect()  # type: ignore[no-untyped-call]


class KeptConnections(threading.local):
    """One connection of an engine for each thread, with a cursor, kept between queries."""

    def __init__(self, engine: Engine) -> None:  # runs again in each thread
        self._engine, self._pool = engine, engine.pool
        self._connection: PoolProxiedConnection | None = None

    def connection(self) -> PoolProxiedConnection:
        """This thread's connection."""
        if self._connection is None or self._pool is not self._engine.pool:
            self._pool = self._engine.pool
            self._connection = self._engine.raw_connection()
            self._cursor = self._connection.cursor()
        return self._connection

    def cursor(self) -> DBAPICursor:
        """The cursor of the thread's connection. Read its rows before the thread runs another statement."""
        self.connection()
        return self._cursor

    def close(self) -> None:
        """Close this thread's connection; a new one is made when it is next needed.

        The cursor is closed first to release SQLite's lock: an error may still refer to it, and the connection lives
        as long as its cursor.
        """
        connection, self._connection = self._connection, None
        if connection is None:
            return
        if isinstance(connection.driver_connection, sqlite3.Connection):
            with contextlib.suppress(sqlite3.Error):
                connection.driver_connection.rollback()
        connection.invalidate()


def kept_connections(engine: Engine) -> KeptConnections:
    """The kept connections of an engine, the same object each time."""
    known = vars(engine)
    found: KeptConnections = known.get(_KEPT) or known.setdefault(_KEPT, KeptConnections(engine))
    return found


_KEPT = "tegami.kept"
