"""The database: SQLite embedded by default, PostgreSQL by one setting; the same code for both.

Readers see one snapshot. A writer begins with `transaction`, which on SQLite takes the write lock at once (a reader
that turns writer half-way would fail), and owns the commit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import Connection, Engine, MetaData, event
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
)


def engine_options(url: str) -> dict[str, Any]:
    """Parameters never appear in an error: they hold cards (`hide_parameters`)."""
    pooled = {} if url.startswith("sqlite") else {"pool_pre_ping": True}
    return {"hide_parameters": True, **pooled}


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


@contextmanager
def transaction() -> Iterator[None]:
    """A write transaction: committed at the end, rolled back by an exception."""
    db.session.rollback()  # what was read before is read again under the lock
    db.session.connection(execution_options={"writes": True})
    try:
        yield
        db.session.commit()
    except BaseException:
        db.session.rollback()
        raise
