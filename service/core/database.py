"""The database: SQLite embedded by default, PostgreSQL by one setting; the same code for both.

Readers see one snapshot. A writer begins with `transaction`, which owns the commit. On SQLite it takes the write lock
at once, because a reader that begins to write half-way would fail; on PostgreSQL it sees what was committed while it
waited for a row.
"""

from __future__ import annotations

import functools
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

import psycopg
from flask_sqlalchemy import SQLAlchemy
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult
from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Connection,
    CursorResult,
    Dialect,
    Engine,
    Executable,
    FromClause,
    MetaData,
    PoolProxiedConnection,
    Row,
    Select,
    Table,
    TextClause,
    bindparam,
    event,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.orm import DeclarativeBase, Session, scoped_session
from sqlalchemy.sql.compiler import SQLCompiler

from service.core.failures import CommitUnknown, is_rolled_back

# A registry is invariant in its session's class, which Flask-SQLAlchemy makes.
AnySession = Session | scoped_session[Any]


class Base(DeclarativeBase):
    """Tables with names for all constraints, so that migrations can name them on both databases."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})

_PATIENCE = 10
"""Seconds to wait for SQLite's lock."""
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # an acknowledged move survives a power cut
    f"PRAGMA busy_timeout = {_PATIENCE * 1000}",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # else REPLACE deletes events past their trigger
)

_POOLED = {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ"}
"""PostgreSQL: a lost connection is noticed, and one request reads one snapshot."""


def engine_options(url: str) -> dict[str, object]:
    """Options of the engine. Parameters stay out of errors (`hide_parameters`), because they hold cards."""
    return {"hide_parameters": True, **({} if url.startswith("sqlite") else _POOLED)}


def polling_options(url: str) -> dict[str, object]:
    """The pool of quick queries: each is one statement, with neither a ping before it nor a transaction around it.

    Nobody waits for a connection: there are as many as threads.
    """
    alone = {"isolation_level": "AUTOCOMMIT", "pool_pre_ping": False, "pool_reset_on_return": None}
    alone["max_overflow"] = -1
    return {"url": url, "hide_parameters": True, "execution_options": {"alone": True}, **alone}


def listen(engine: Engine) -> None:
    """Set up SQLite's connections: durable, waiting for locks, and taking the write lock when a writer begins."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not options.get("alone"):
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


Moment = int | ColumnElement[int]
"""A time in a query (ms UTC): itself, or a parameter."""


class QuickQuery:
    """A query that runs so often that threads keep connections for it: to borrow one takes as long as the query.

    `engine` is that of `polling_options`; it connects only when it is used, which is after the fork.
    """

    def __init__(self, engine: Engine, query: ClauseElement) -> None:
        self._engine, self._on_postgresql = engine, engine.dialect.name == "postgresql"
        numbered: Callable[..., Dialect] = postgresql.dialect
        dialect = numbered(paramstyle="numeric_dollar") if self._on_postgresql else engine.dialect
        compiled = query.compile(dialect=dialect)
        assert isinstance(compiled, SQLCompiler)
        self._text, self._names = compiled.string, compiled.positiontup or []
        self._given = dict(compiled.params)
        self._readers = list(_readers(query, engine.dialect))
        self.errors = (SQLAlchemyError, engine.dialect.loaded_dbapi.Error)
        """What `first` raises."""

    def first(self, values: Mapping[str, object]) -> tuple[Any, ...] | None:
        """The first row, or None. Raises `errors`."""
        found = self.all(values)
        return found[0] if found else None

    def all(self, values: Mapping[str, object]) -> list[tuple[Any, ...]]:
        """All rows. Raises `errors`; the next call connects anew then."""
        named = {**self._given, **values}
        given = [named[name] for name in self._names]
        kept = _kept_connections(self._engine)
        try:
            ask = _ask_postgresql if self._on_postgresql else _ask_driver
            found = ask(kept.connection(), self._text, given)
        except self.errors:
            kept.close()
            raise
        return [_as_read(row, self._readers) for row in found] if self._readers else found


class _KeptConnections:
    """A connection of an engine for each thread, whatever it asks."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._local = engine, threading.local()

    def connection(self) -> PoolProxiedConnection:
        """That of this thread."""
        pool = self._engine.pool
        if "connection" not in self._local.__dict__ or self._local.pool is not pool:
            self._local.connection, self._local.pool = self._engine.raw_connection(), pool
        connection: PoolProxiedConnection = self._local.connection
        return connection

    def close(self) -> None:
        """Close that of this thread; the next one is new."""
        connection = self._local.__dict__.pop("connection", None)
        if connection is not None:
            connection.invalidate()


def _kept_connections(engine: Engine) -> _KeptConnections:
    """Those of an engine, which live as long as it does."""
    known = vars(engine)
    found: _KeptConnections = known.get(_KEPT) or known.setdefault(_KEPT, _KeptConnections(engine))
    return found


_KEPT = "tegami.kept"


_Reader = Callable[[Any], Any]
"""Makes the value of a column of what the driver has found."""


def _readers(query: ClauseElement, dialect: Dialect) -> Iterator[tuple[int, _Reader]]:
    """The columns of a SELECT that are not taken as they are found, by number; a text's columns are."""
    columns = query.selected_columns if isinstance(query, Select) else ()
    for number, column in enumerate(columns):
        reader = column.type.dialect_impl(dialect).result_processor(dialect, None)
        if reader is not None:
            yield number, reader


def _as_read(row: tuple[Any, ...], readers: Sequence[tuple[int, _Reader]]) -> tuple[Any, ...]:
    values = list(row)
    for number, reader in readers:
        values[number] = reader(values[number])
    return tuple(values)


def _ask_driver(
    connection: PoolProxiedConnection, query: str, values: list[object]
) -> list[tuple[Any, ...]]:
    cursor = connection.cursor()
    cursor.execute(query, values)
    found = list[tuple[Any, ...]](cursor.fetchall())
    cursor.close()
    return found


_TYPES = {int: 20, bytes: 17}
"""PostgreSQL's types of parameters that are not text: bigint and bytea."""
PREPARED = "tegami.prepared"
"""Where a connection has the names of its prepared statements, by query."""


def _ask_postgresql(
    connection: PoolProxiedConnection, query: str, values: list[object]
) -> list[tuple[Any, ...]]:
    """Ask by PostgreSQL's own library: psycopg's cursors take longer than the query."""
    driver: psycopg.Connection[Any] = connection.driver_connection  # type: ignore[assignment]
    library, types = driver.pgconn, [_TYPES.get(type(value), 0) for value in values]
    sent = [_as_sent(value) for value in values]
    formats = [int(isinstance(value, bytes)) for value in values]
    if driver.prepare_threshold is None:  # as the operator's address says, for a proxy's sake
        result = library.exec_params(query.encode(), sent, types, formats)
    else:
        prepared = connection.info.setdefault(PREPARED, {})
        if query not in prepared:
            name = b"tegami_%d" % len(prepared)
            _checked(library.prepare(name, query.encode(), types))
            prepared[query] = name
        result = library.exec_prepared(prepared[query], sent, formats)  # type: ignore[arg-type]  # None is NULL
    transformer = psycopg.adapt.Transformer(driver)
    transformer.set_pgresult(_checked(result))
    return transformer.load_rows(0, result.ntuples, tuple)


def _as_sent(value: object) -> bytes | None:
    if value is None or isinstance(value, bytes):
        return value
    return str(value).encode()


def _checked(result: PGresult) -> PGresult:
    if result.status not in {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}:
        raise psycopg.errors.error_from_result(result)
    return result


R = TypeVar("R", bound=tuple[object, ...])


def columns(row: type[R], *tables: FromClause) -> list[ColumnElement[object]]:
    """The columns that the fields of `row`, a NamedTuple, name: each in the first of `tables` that has it."""
    found = (next(table.c[name] for table in tables if name in table.c) for name in row._fields)  # type: ignore[attr-defined]
    return list(found)


def rows(row: type[R], query: Executable, values: Mapping[str, object] | None = None) -> list[R]:
    """What `query` selects, as rows of the NamedTuple `row`, whose fields have the order of its columns."""
    return [row(*found) for found in db.session.execute(query, values)]


def one_row(
    row: type[R], query: Executable, values: Mapping[str, object] | None = None
) -> R | None:
    """The only row that `query` selects, if there is one."""
    found = db.session.execute(query, values).one_or_none()
    return None if found is None else row(*found)


def has_row_locks() -> bool:
    """Whether a writer locks rows; on SQLite its transaction keeps out all other writers."""
    return db.engine.dialect.name != "sqlite"


_WRITING = "tegami.writing"
_LAST = "tegami.last"


class NestedTransaction(RuntimeError):
    """The session is in a write transaction, which this would end half-way."""


@contextmanager
def transaction() -> Iterator[None]:
    """A write transaction: committed at the end, rolled back by an exception.

    Raises NestedTransaction and CommitUnknown.
    """
    release_connection()  # what was read before is read again under the lock
    session, engine = db.session(), db.engine
    options: dict[str, object] = {"writes": True}
    if engine.dialect.name != "sqlite":
        options["isolation_level"] = "READ COMMITTED"
    with _in_line(engine):
        session.info[_WRITING] = None
        try:
            session.info[_WRITING] = session.connection(execution_options=options)
            session.info[_LAST] = {}
            yield
            for last in session.info[_LAST].values():
                last.write()
            commit()
        except BaseException:
            session.rollback()
            raise
        finally:
            del session.info[_WRITING]
            session.info.pop(_LAST, None)


class WrittenLast(Protocol):
    """What a transaction collects, and writes right before its commit."""

    def write(self) -> None:
        """Write it."""


L = TypeVar("L", bound=WrittenLast)


def at_end(kind: type[L]) -> L:
    """The one object of this kind in the transaction at hand, made when it is first asked for."""
    last: dict[type[L], L] = db.session().info[_LAST]
    return last.get(kind) or last.setdefault(kind, kind())


_lines = WeakKeyDictionary[Engine, threading.Lock]()
"""Where the writers of this process wait for each other, on SQLite."""


@contextmanager
def _in_line(engine: Engine) -> Iterator[None]:
    """On SQLite, which lets one write and the others sleep a while, be woken as soon as the one before is done."""
    if engine.dialect.name != "sqlite":
        yield
        return
    line = _lines.setdefault(engine, threading.Lock())
    is_next = line.acquire(timeout=_PATIENCE)  # after that SQLite says what is wrong
    try:
        yield
    finally:
        if is_next:
            line.release()


def release_connection() -> None:
    """Give the connection back, and with it the snapshot that was read: the next query sees the present.

    A request that just reads need not do this. A loop does it after each round, and so does whoever is about to do
    something slow, such as hashing a password. Raises NestedTransaction, since changes would be lost.
    """
    session = db.session()
    if _WRITING in session.info:
        raise NestedTransaction("this would end the transaction half-way")
    session.rollback()


def read(query: Executable, values: Mapping[str, object]) -> Sequence[Row[Any]]:
    """What a SELECT finds in the session's snapshot."""
    return db.session.execute(query, values).all()


def read_alone(query: Select[Any], values: Mapping[str, object]) -> Sequence[Sequence[Any]]:
    """What one SELECT finds, without a transaction around it: for whoever reads anew before anything is changed."""
    if _WRITING in db.session().info:
        return read(query, values)
    quick = _quick(db.engines["polls"], query)
    try:
        return quick.all(values)
    except quick.errors:
        return read(query, values)  # the session's pool connects anew, or tells what is wrong


def _quick(engine: Engine, query: Select[Any]) -> QuickQuery:
    """The quick form of a query, which lives as long as the engine."""
    known: dict[Select[Any], QuickQuery] = vars(engine).setdefault(_QUICK, {})
    return known.get(query) or known.setdefault(query, QuickQuery(engine, query))


_QUICK = "tegami.quick"


def execute(query: Executable, values: Mapping[str, object] | None = None) -> CursorResult[Any]:
    """Run a statement in the session's transaction, without what the session adds for entities."""
    session = db.session()
    connection: Connection = session.info.get(_WRITING) or session.connection()
    return connection.execute(query, values)


def write_rows(table: FromClause, rows: Sequence[Mapping[str, object]], clause: str = "") -> None:
    """Insert rows that have the same columns, in one statement; `clause` is its end."""
    if rows:
        values = {f"{name}_{n}": value for n, row in enumerate(rows) for name, value in row.items()}
        execute(_insert_several(table, tuple(rows[0]), len(rows), clause), values)


UNLESS_THERE = "ON CONFLICT DO NOTHING"
"""For `write_rows`: leave out rows that exist, even those that another transaction is just committing."""


@functools.lru_cache(maxsize=256)
def _insert_several(
    table: FromClause, names: tuple[str, ...], count: int, clause: str
) -> TextClause:
    """An INSERT of `count` rows. SQLAlchemy's own one would be compiled each time."""
    assert isinstance(table, Table)
    columns = ", ".join(f'"{name}"' for name in names)
    rows = (", ".join(f":{name}_{n}" for name in names) for n in range(count))
    values = ", ".join(f"({row})" for row in rows)
    typed = [
        bindparam(f"{name}_{n}", type_=table.c[name].type) for n in range(count) for name in names
    ]
    return text(f"INSERT INTO {table.name} ({columns}) VALUES {values} {clause}").bindparams(*typed)  # noqa: S608 - names of ours


def insert_unless_there(table: FromClause) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that does nothing if such a row exists, even one that another transaction is just committing."""
    assert isinstance(table, Table)  # `__table__` is declared as more than that
    if db.engine.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


def commit() -> None:
    """Commit. Raises CommitUnknown, unless the database says that nothing was committed: then its own error."""
    try:
        db.session.commit()
    except DBAPIError as error:
        db.session.rollback()
        if is_rolled_back(error):
            raise
        raise CommitUnknown from error
