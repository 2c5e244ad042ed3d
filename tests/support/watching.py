"""An application's use of its database: every statement that reaches the driver, and every commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import psycopg
from flask import Flask
from sqlalchemy import Engine, event

from service.core.database.database import db
from tests.support.both_ways import WATCHED

FRAME = ("BEGIN", "COMMIT", "ROLLBACK", "PRAGMA")


class Watched:
    """The statements and commits since the last `clear`."""

    def __init__(self) -> None:
        self.statements: list[str] = []
        self.commits = 0

    def note(self, statement: str) -> None:
        """Note a statement, unless it only frames others; count a commit."""
        statement = " ".join(statement.split())
        self.commits += statement == "COMMIT"
        if not statement.startswith(FRAME):
            self.statements.append(statement)

    def clear(self) -> None:
        """Forget everything that was noted."""
        self.statements.clear()
        self.commits = 0


@contextmanager
def watched(app: Flask) -> Iterator[Watched]:
    """Watch the connections of `app` in the driver itself, since the idle poll bypasses SQLAlchemy."""
    seen = Watched()

    class Cursor(psycopg.Cursor[Any]):
        def execute(self, query: Any, *args: Any, **kwargs: Any) -> Any:
            seen.note(str(query))
            return super().execute(query, *args, **kwargs)

    def connect(connection: Any, _record: Any) -> None:
        if isinstance(connection, psycopg.Connection):
            connection.cursor_factory = Cursor
        else:
            connection.set_trace_callback(seen.note)

    def commit(connection: Any) -> None:
        seen.commits += connection.dialect.name == "postgresql"  # SQLite's driver says it itself

    with app.app_context():
        engines = list(db.engines.values())
    with ExitStack() as stack:
        for engine in engines:
            stack.enter_context(listening(engine, connect=connect, commit=commit))
        app.extensions[WATCHED] = seen
        stack.callback(app.extensions.pop, WATCHED)
        yield seen


@contextmanager
def listening(engine: Engine, **listeners: Callable[..., Any]) -> Iterator[None]:
    """A block in which `listeners` get the events of `engine`, on new connections only."""
    engine.dispose()
    for name, listener in listeners.items():
        event.listen(engine, name, listener)
    yield
    for name, listener in listeners.items():
        event.remove(engine, name, listener)
    engine.dispose()
