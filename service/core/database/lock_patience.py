"""The time for which the running code waits for rows that somebody else has locked.

Usually that is as long as the settings say. Work that recently waited for a row without success waits less, so that a
row held for long does not delay others. Work that reads very much gets more time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LITTLE = 0.02
"""The wait (seconds) for a row for which an earlier wait had no success."""
ROW_WAIT = 0.25
"""The time (seconds) for which the worker waits for a row that somebody else holds, before it comes back later."""
MUCH = 120.0
"""The time (seconds) for a statement that reads very much."""

_lock = ContextVar[float | None]("lock", default=None)
_statement = ContextVar[float | None]("statement", default=None)


@contextmanager
def waiting(seconds: float = LITTLE) -> Iterator[None]:
    """A block in which waits for locked rows end after this time."""
    before = _lock.set(seconds)
    try:
        yield
    finally:
        _lock.reset(before)


@contextmanager
def unhurried() -> Iterator[None]:
    """A block in which statements may take long, because they look at all games or at everything that has expired."""
    before = _statement.set(MUCH)
    try:
        yield
    finally:
        _statement.reset(before)


def wait_little(*, little: bool) -> None:
    """Make this thread wait only a `little` for rows from now on, or as long as usual."""
    _lock.set(LITTLE if little else None)


def lock_seconds(usual: float) -> float:
    """The time (seconds) for which the running code waits for a row, or for SQLite's lock; `usual` unless limited
    here.
    """
    given = _lock.get()
    return usual if given is None else given


def statement_seconds() -> float | None:
    """The time limit (seconds) of the running code's statements; None for the usual limit."""
    return _statement.get()


def settings(*, postgresql: bool) -> list[str]:
    """The statements that set the present time limits when a PostgreSQL transaction starts; empty on SQLite.

    Statements get more time than usual, never less.
    """
    lock, statement, told = _lock.get(), _statement.get(), list[str]()
    if postgresql and lock is not None:
        told.append(f"SET LOCAL lock_timeout = {round(lock * 1000)}")
    if postgresql and statement is not None:
        told.append(_MORE.format(ms=round(statement * 1000)))
    return told


_MORE = """
SELECT set_config('statement_timeout', '{ms}', true) FROM pg_settings
WHERE name = 'statement_timeout' AND CAST(setting AS integer) BETWEEN 1 AND {ms}
"""
