"""The database: SQLite embedded by default, PostgreSQL by one setting; the same code for both.

A statement is run in one of three ways:

* by `db.session`, usually: what a request reads is one snapshot, and what `transaction` writes is committed at its end.
  On SQLite, a transaction takes the write lock at once, because a reader that begins to write half-way would fail; on
  PostgreSQL it sees what was committed while it waited for a row. `rows`, `one_row` and `changed_rows` return results;
* by `write` in a `batch`, if nothing is read under the lock: a move does without a session, and sends everything at
  once;
* by a `QuickQuery`, if one statement is enough: the polls, the worker's glances and, as `read_alone`, the table before
  a move, for which a session would cost more than the query.
"""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

import orjson
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    ColumnElement,
    Connection,
    Delete,
    Engine,
    Executable,
    FromClause,
    Select,
    Table,
    TextClause,
    bindparam,
    delete,
    event,
    select,
    text,
    tuple_,
)
from sqlalchemy.exc import DBAPIError

from service.core.database import lock_patience, reading_from
from service.core.database.batches import PATIENCE, Overtaken, Text, send
from service.core.database.failures import CommitUnknown, is_rolled_back
from service.core.database.fixed_statements import Values
from service.core.database.quick_queries import QuickQuery
from service.core.database.schema import refuse_if_newer
from service.core.database.tables import Base, Look
from service.core.database.write_queue import WriteQueue
from service.core.settings.database_address import USUAL, Patience

db = SQLAlchemy(
    model_class=Base, session_options={"expire_on_commit": False, "class_": reading_from.Session}
)

_WAIT = "PRAGMA busy_timeout = {}"
_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # an acknowledged move survives a power cut
    _WAIT.format(PATIENCE * 1000),
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # otherwise REPLACE deletes events past their trigger
)

_POOLED = {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ"}
"""Options for PostgreSQL: lost connections are noticed, and one request reads one snapshot."""


_COMMON: dict[str, object] = {"hide_parameters": True, "json_deserializer": orjson.loads}
"""Options for both databases: errors do not show parameters, which hold cards, and a fast decoder reads JSON
columns.
"""


def engine_options(url: str) -> dict[str, object]:
    """The options of the engine for the database with this address."""
    return {**_COMMON, **({} if url.startswith("sqlite") else _POOLED)}


def polling_options(url: str) -> dict[str, object]:
    """The options of the pool for quick queries: each is one statement, without a ping or a transaction.

    Nobody waits for a connection: there are as many connections as threads.
    """
    alone = {"isolation_level": "AUTOCOMMIT", "pool_pre_ping": False, "pool_reset_on_return": None}
    alone["max_overflow"] = -1
    return {"url": url, **_COMMON, "execution_options": {"alone": True}, **alone}


def listen(
    engines: Iterable[Engine],
    patience: Patience = USUAL,
    look: Look | None = None,
    *,
    prepared: bool = True,
) -> None:
    """Set up the connections of engines to one database.

    The arguments only matter on PostgreSQL: `patience` limits waiting, `look` is shown the database's time, and
    statements are `prepared` or not.
    """
    for engine in engines:
        if engine.dialect.name == "sqlite":
            _listen_on_sqlite(engine)
    others = [engine for engine in engines if engine.dialect.name != "sqlite"]
    if others:
        from service.core.database import on_postgresql  # not loaded with SQLite

        on_postgresql.listen(others, patience, look, prepared=prepared)


def _listen_on_sqlite(engine: Engine) -> None:
    """Make connections durable, let them wait for locks, and take the write lock when a writer begins."""
    is_alone = engine.get_execution_options().get("alone")

    @event.listens_for(engine, "connect")
    def set_up(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # so that the driver begins no transaction
        for pragma in _PRAGMAS:
            connection.execute(pragma)
        if is_alone:  # batches wait in their own way, sessions repeat reads
            connection.execute("PRAGMA busy_timeout = 0")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        if options.get("alone"):
            return
        patience = lock_patience.lock_seconds(PATIENCE)
        if options.get("writes") and patience != PATIENCE:
            connection.exec_driver_sql(_WAIT.format(round(patience * 1000)))
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            finally:
                connection.exec_driver_sql(_WAIT.format(PATIENCE * 1000))
        else:
            connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get("writes") else "BEGIN")


Moment = int | ColumnElement[int]
"""A time in a query (ms UTC): a number, or a parameter."""


R = TypeVar("R")


def columns(row: type, *tables: FromClause) -> list[ColumnElement[object]]:
    """The columns named like the fields of `row` (a NamedTuple or dataclass), each from the first table that has it."""
    names: tuple[str, ...] = row.__match_args__  # type: ignore[attr-defined]
    return [next(table.c[name] for table in tables if name in table.c) for name in names]


def rows(row: Callable[..., R], query: Executable, values: Values | None = None) -> list[R]:
    """The rows that `query` selects, each made from its columns by `row`, such as a NamedTuple or `Game.of`."""
    return [row(*found) for found in db.session.execute(query, values)]


def one_row(row: Callable[..., R], query: Executable, values: Values | None = None) -> R | None:
    """The only row that `query` selects, made by `row`; None if there is none."""
    found = db.session.execute(query, values).one_or_none()
    return None if found is None else row(*found)


def has_row_locks() -> bool:
    """Whether writers lock rows, as on PostgreSQL. On SQLite, a transaction keeps out all other writers instead."""
    return db.engine.dialect.name != "sqlite"


_WRITING = "tegami.writing"
"""The key under which a session in a write transaction keeps its WrittenLast objects, by kind."""
_changed = ContextVar("changed", default=False)
_batch = ContextVar[tuple[Engine, list[Text]] | None]("batch", default=None)
"""The engine and statements of a batch. It needs no session, which would cost more than the statements."""


class NestedTransaction(RuntimeError):
    """Raised by code that would end the session's present write transaction half-way."""


_together = ContextVar[ExitStack | None]("together", default=None)
"""The stack that ends the one transaction of everything written in a block of `one_commit`."""


@contextmanager
def one_commit() -> Iterator[None]:
    """A block in which every `transaction` is committed together with the others, at the end of the block.

    Reads in the block see the changes. If anything fails, nothing is written. Raises what `transaction` raises.
    """
    with ExitStack() as together:
        outside = _together.set(together)
        try:
            yield
        finally:
            _together.reset(outside)


@contextmanager
def transaction(*, counting: bool = False) -> Iterator[None]:
    """A write transaction: committed at its end, rolled back by an exception.

    A transaction that is only `counting` attempts is not part of `one_commit` and does not affect `has_changed`: the
    attempt itself may still fail. Raises NestedTransaction inside another transaction, SchemaIsNewer if a newer release
    is installed, and CommitUnknown if it is not known whether the commit took effect.
    """
    together = _together.get()
    if together is None or counting:
        with _transaction(counting=counting):
            yield
        return
    if not is_writing():
        together.enter_context(_transaction(counting=False))
    try:
        yield
    except BaseException:
        with together.pop_all():  # rolled back at once
            raise


@contextmanager
def _transaction(*, counting: bool) -> Iterator[None]:
    release_connection()  # what was read before is read again under the lock
    session, engine = db.session(), db.engine
    refuse_if_newer(engine)
    options: dict[str, object] = {"writes": True}
    if engine.dialect.name != "sqlite":
        options["isolation_level"] = "READ COMMITTED"
    queue = write_queue(engine)
    with queue.turn() if queue else nullcontext():
        session.info[_WRITING] = {}
        try:
            connection = session.connection(execution_options=options)
            for setting in lock_patience.settings(postgresql=not queue):
                connection.exec_driver_sql(setting)
            yield
            for last in session.info[_WRITING].values():
                last.write()
            commit()
            if not counting:
                _changed.set(True)
        except BaseException:
            session.rollback()
            raise
        finally:
            del session.info[_WRITING]


@contextmanager
def taking_time() -> Iterator[None]:
    """A block in the present transaction whose statements may take long because they look at all games."""
    with lock_patience.unhurried():
        for setting in lock_patience.settings(postgresql=has_row_locks()):
            db.session.execute(text(setting))
        yield


class WrittenLast(Protocol):
    """Rows that a transaction collects and writes right before its commit."""

    def write(self) -> None:
        """Write the rows."""


L = TypeVar("L", bound=WrittenLast)


def at_end(kind: type[L]) -> L:
    """The object of this kind that the present transaction writes last, created at the first call."""
    last: dict[type[L], L] = db.session().info[_WRITING]
    return last.get(kind) or last.setdefault(kind, kind())


@contextmanager
def batch() -> Iterator[None]:
    """A write transaction of statements whose results nobody needs: `write` collects them, and they are sent at the
    end.

    Nothing is read inside the block. Raises NestedTransaction, SchemaIsNewer and CommitUnknown as `transaction` does,
    and Overtaken if a row has changed.
    """
    release_connection()
    refuse_if_newer(db.engine)
    engine, texts = db.engines["polls"], list[Text]()
    settings = lock_patience.settings(postgresql=engine.dialect.name != "sqlite")
    texts += [Text(setting, {}, only_if_found=False) for setting in settings]
    outside = _batch.set((engine, texts))
    try:
        yield
    finally:
        _batch.reset(outside)
    if db.session.registry.has() and db.session().in_transaction():
        raise NestedTransaction("what is read beside a batch may be changed before it is sent")
    queue = write_queue(db.engine)
    if queue:
        queue.send(engine, texts)
    else:
        send(engine, lambda: texts)
    _changed.set(True)


def has_changed() -> bool:
    """Whether something was committed since `forget_changes`.

    If so, a failure cannot be reported as changing nothing.
    """
    return _changed.get()


def forget_changes() -> None:
    """Forget earlier commits, so that `has_changed` takes only later ones into account."""
    _changed.set(False)


_queues = WeakKeyDictionary[Engine, WriteQueue]()


def write_queue(engine: Engine) -> WriteQueue | None:
    """The queue in which the writers of this process wait for each other; None except on SQLite."""
    if engine.dialect.name != "sqlite":
        return None
    return _queues.get(engine) or _queues.setdefault(engine, WriteQueue())


def release_connection() -> None:
    """Give the connection back, and with it the snapshot: the next query sees the present.

    Requests that only read need not call this. Loops call it after each round, and so does code about to do something
    slow, such as hashing a password. Raises NestedTransaction in a write transaction, whose changes would be lost.
    """
    if is_writing():
        raise NestedTransaction("this would end the transaction half-way")
    if reading_from.is_replica():
        raise NestedTransaction(
            "what is read here may be old, and nothing is written because of it"
        )
    if db.session.registry.has():
        db.session().rollback()


def is_writing() -> bool:
    """Whether a write transaction or a batch has begun, so that what is read in it may never be committed.

    This creates no session.
    """
    if _batch.get() is not None:
        return True
    return db.session.registry.has() and _WRITING in db.session().info


def read_alone(query: Select[Any], values: Values) -> Sequence[Sequence[Any]]:
    """The rows of one SELECT, without a transaction; for callers that read again before they change anything."""
    if is_writing() or reading_from.is_replica():
        return db.session.execute(query, values).all()
    quick = _quick(db.engines["polls"], query)
    try:
        return quick.all(values)
    except quick.errors:
        # The session's pool connects again, or reports the fault.
        return db.session.execute(query, values).all()


def _quick(engine: Engine, query: Select[Any]) -> QuickQuery:
    """The quick form of a query, made once for the engine."""
    known: dict[Select[Any], QuickQuery] = vars(engine).setdefault(_QUICK, {})
    return known.get(query) or known.setdefault(query, QuickQuery(engine, query))


_QUICK = "tegami.quick"


def changed_rows(statement: Executable, values: Values | None = None) -> int:
    """Run a statement in the session's transaction; return the number of rows that it has changed."""
    done = db.session.execute(statement, values)
    return int(done.rowcount)  # type: ignore[attr-defined]  # of a CursorResult


def write(statement: Executable, values: Values, *, only_if_found: bool = False) -> None:
    """Run a statement whose result nobody needs, in the session's transaction or with its batch.

    With `only_if_found`, Overtaken is raised if no row is changed; in a batch, this happens at the end of the batch.
    """
    batched = _batch.get()
    if batched is not None:
        engine, texts = batched
        texts.append(Text.of(engine, statement, values, only_if_found=only_if_found))
        return
    if not changed_rows(statement, values) and only_if_found:
        raise Overtaken


def write_rows(table: FromClause, rows: Sequence[Values], clause: str = "") -> None:
    """Insert rows with the same columns in one statement; `clause` is appended to it."""
    if rows:
        values = {f"{name}_{n}": value for n, row in enumerate(rows) for name, value in row.items()}
        write(_insertion(table, tuple(rows[0]), len(rows), clause), values)


UNLESS_THERE = "ON CONFLICT DO NOTHING"
"""A clause for `write_rows` that skips rows that exist, even rows that another transaction is just committing."""


@functools.lru_cache(maxsize=256)
def _insertion(table: FromClause, names: tuple[str, ...], count: int, clause: str) -> TextClause:
    """An INSERT of `count` rows. SQLAlchemy would compile such a statement each time."""
    assert isinstance(table, Table)
    columns = ", ".join(f'"{name}"' for name in names)
    rows = (", ".join(f":{name}_{n}" for name in names) for n in range(count))
    values = ", ".join(f"({row})" for row in rows)
    typed = [
        bindparam(f"{name}_{n}", type_=table.c[name].type) for n in range(count) for name in names
    ]
    return text(f"INSERT INTO {table.name} ({columns}) VALUES {values} {clause}").bindparams(*typed)  # noqa: S608 - the names are ours


def insert_unless_there(table: FromClause, row: Values) -> bool:
    """Insert a row in the session's transaction unless it exists; return whether it was inserted.

    See UNLESS_THERE.
    """
    statement = _insertion(table, tuple(row), 1, UNLESS_THERE)
    return changed_rows(statement, {f"{name}_0": value for name, value in row.items()}) == 1


def commit() -> None:
    """Commit. Raises the database's own error if that says that nothing was committed, and CommitUnknown otherwise."""
    try:
        db.session.commit()
    except DBAPIError as error:
        db.session.rollback()
        if is_rolled_back(error):
            raise
        raise CommitUnknown from error


def delete_some(table: FromClause, most: int, *where: ColumnElement[bool]) -> int:
    """Delete at most `most` rows that satisfy the condition, in a separate transaction; return their number."""
    keys = list(table.primary_key)
    found = select(*keys).where(*where).limit(most)
    return delete_rows(delete(table).where(tuple_(*keys).in_(found)))  # type: ignore[arg-type]  # it is a table


def delete_rows(query: Delete) -> int:
    """Delete rows in a separate transaction; return their number."""
    with transaction():
        return changed_rows(query.execution_options(synchronize_session=False))
