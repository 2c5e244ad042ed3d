"""The database: SQLite embedded by default, PostgreSQL by one setting; the same code for both.

Readers see one snapshot. A writer begins with `transaction`, which on SQLite takes the write lock at once (a reader
that turns writer half-way would fail) and on PostgreSQL sees what was committed while it waited for a row; it owns
the commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, Engine, MetaData, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import DeclarativeBase, Session, scoped_session

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

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # an acknowledged move survives a power cut
    "PRAGMA busy_timeout = 10000",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",  # else REPLACE deletes events past their trigger
)

_POOLED = {"pool_pre_ping": True, "isolation_level": "REPEATABLE READ"}
"""PostgreSQL: a connection that was cut is noticed, and all that one answer reads is one snapshot."""


def engine_options(url: str) -> dict[str, Any]:
    """Parameters never appear in an error: they hold cards (`hide_parameters`)."""
    return {"hide_parameters": True, **({} if url.startswith("sqlite") else _POOLED)}


def polling_options(url: str) -> dict[str, Any]:
    """The pool of idle polls: each is one statement, with neither a ping before it nor a transaction around it."""
    alone = {"isolation_level": "AUTOCOMMIT", "pool_pre_ping": False, "pool_reset_on_return": None}
    return {"url": url, **alone}


def listen(engine: Engine) -> None:
    """Teach SQLite's connections to be durable, to wait for each other and to begin as they mean to go on."""
    if engine.dialect.name != "sqlite":
        return

    @event.listens_for(engine, "connect")
    def set_up(connection: Any, _record: Any) -> None:
        connection.isolation_level = None  # the driver begins nothing by itself
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


class Uncertain(Exception):
    """The database failed during a commit: it may have happened, or not."""


@contextmanager
def transaction() -> Iterator[None]:
    """A write transaction: committed at the end, rolled back by an exception. Raises Uncertain."""
    db.session.rollback()  # what was read before is read again under the lock
    options: dict[str, Any] = {"writes": True}
    if db.engine.dialect.name != "sqlite":
        options["isolation_level"] = "READ COMMITTED"
    db.session.connection(execution_options=options)
    try:
        yield
    except BaseException:
        db.session.rollback()
        raise
    commit()


def insert_unless_there(table: Any) -> Any:
    """An INSERT that changes nothing where such a row stands already, also one that is being committed just now."""
    kind = postgresql if db.engine.dialect.name == "postgresql" else sqlite
    return kind.insert(table).on_conflict_do_nothing()


def commit() -> None:
    """Commit, or raise Uncertain: nothing else is known when the database fails just then."""
    try:
        db.session.commit()
    except DBAPIError as error:
        db.session.rollback()
        raise Uncertain from error
