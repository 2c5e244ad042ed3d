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

import psycopg
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from sqlalchemy import ClauseElement, Dialect, Engine, PoolProxiedConnection
from sqlalchemy.dialects import sqlite
from sqlalchemy.dialects.postgresql import asyncpg
from sqlalchemy.sql.compiler import SQLCompiler

Write = Callable[[Any], Any]
"""Makes of a value what the driver takes for it."""


class FixedStatement(NamedTuple):
    """A statement as a driver takes it."""

    text: str
    names: tuple[str, ...]
    """Of its parameters, in their order."""
    given: Mapping[str, object]
    """The values that the statement itself has."""
    written: Mapping[str, Write]
    """For the parameters whose values are not taken as they are."""

    def parameters(self, values: Mapping[str, object]) -> list[object]:
        """What to send with the text."""
        if not self.names:
            return []
        named = {**self.given, **values}
        return [
            self.written[name](named[name]) if name in self.written else named[name]
            for name in self.names
        ]


@functools.lru_cache(maxsize=1024)
def fixed(statement: ClauseElement, names: tuple[str, ...], *, postgresql: bool) -> FixedStatement:
    """The statement with parameters of these names.

    On PostgreSQL they are numbered, and say their types, as asyncpg wants them; nothing else of that is used.
    """
    make: Callable[[], Dialect] = asyncpg.dialect if postgresql else sqlite.dialect
    dialect = make()
    compiled = statement.compile(dialect=dialect, column_keys=list(names) or None)
    assert isinstance(compiled, SQLCompiler)
    written = {
        name: write
        for name, bound in compiled.binds.items()
        if (write := bound.type.dialect_impl(dialect).bind_processor(dialect)) is not None
    }
    order = tuple(compiled.positiontup or ())
    return FixedStatement(compiled.string, order, dict(compiled.params), written)


class KeptConnections:
    """A connection of an engine for each thread, whatever it asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._local = engine, threading.local()

    def connection(self) -> PoolProxiedConnection:
        """That of this thread."""
        pool, kept = self._engine.pool, self._local.__dict__
        connection: PoolProxiedConnection | None = kept.get("connection")
        if connection is None or kept["pool"] is not pool:
            connection = self._engine.raw_connection()
            kept.update(connection=connection, pool=pool)
        return connection

    def close(self) -> None:
        """Close that of this thread; the next one is new."""
        connection = self._local.__dict__.pop("connection", None)
        if connection is not None:
            _let_go(connection.driver_connection)
            connection.invalidate()


def _let_go(driver: object) -> None:
    """Give up SQLite's lock: the connection ends no sooner than the last cursor, which an error may remember."""
    if isinstance(driver, sqlite3.Connection):
        with contextlib.suppress(sqlite3.Error):
            driver.rollback()


def kept_connections(engine: Engine) -> KeptConnections:
    """Those of an engine, which live as long as it does."""
    known = vars(engine)
    found: KeptConnections = known.get(_KEPT) or known.setdefault(_KEPT, KeptConnections(engine))
    return found


_KEPT = "tegami.kept"
_TYPES = {int: 20, bytes: 17}
"""PostgreSQL's types of parameters that are not text: bigint and bytea."""
PREPARED = "tegami.prepared"
"""Where a connection has the names of its prepared statements, by query."""


class Sent(NamedTuple):
    """A statement as PostgreSQL's own library takes it: psycopg's cursors take longer than the statement."""

    query: str
    values: list[bytes | None]
    types: list[int]
    formats: list[int]

    @classmethod
    def of(cls, query: str, values: list[object]) -> Sent:
        """A query with its parameters."""
        if not values:
            return cls(query, [], [], [])
        sent = [_as_sent(value) for value in values]
        types = [_TYPES.get(type(value), 0) for value in values]
        return cls(query, sent, types, [int(isinstance(value, bytes)) for value in values])

    def prepare(self, connection: PoolProxiedConnection) -> bytes | None:
        """The name under which the connection knows the query; None if it shall not prepare any.

        The operator's address says so for a proxy's sake.
        """
        driver: psycopg.Connection[Any] = connection.dbapi_connection  # type: ignore[assignment]
        if driver.prepare_threshold is None:
            return None
        known = connection.info
        prepared = known[PREPARED] if PREPARED in known else known.setdefault(PREPARED, {})
        if self.query not in prepared:
            name = b"tegami_%d" % len(prepared)
            checked(driver.pgconn.prepare(name, self.query.encode(), self.types))
            prepared[self.query] = name
        found: bytes = prepared[self.query]
        return found


def _as_sent(value: object) -> bytes | None:
    if value is None or isinstance(value, bytes):
        return value
    return str(value).encode()


_SUCCEEDED = (int(ExecStatus.COMMAND_OK), int(ExecStatus.TUPLES_OK))


def checked(result: PGresult) -> PGresult:
    """The result of a statement that has succeeded. Raises the driver's errors."""
    if result.status not in _SUCCEEDED:
        raise psycopg.errors.error_from_result(result)
    return result
