"""For how long whoever is at work here waits for rows that somebody else holds.

Usually as long as the settings say. What was met in vain lately is tried with less patience, so that a row that is held
for long costs nobody else their time; and what has to look at very much gets more time.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

LITTLE = 0.02
"""Seconds that are waited for a row that was waited for in vain."""
MUCH = 120.0
"""Seconds that a statement may take which looks at very much."""

_lock = ContextVar[float | None]("lock", default=None)
_statement = ContextVar[float | None]("statement", default=None)


@contextmanager
def waiting(seconds: float = LITTLE) -> Iterator[None]:
    """So long rows are waited for inside."""
    before = _lock.set(seconds)
    try:
        yield
    finally:
        _lock.reset(before)


@contextmanager
def unhurried() -> Iterator[None]:
    """Statements may take long inside: they look at all games, or at all that has expired."""
    before = _statement.set(MUCH)
    try:
        yield
    finally:
        _statement.reset(before)


def wait_little(*, little: bool) -> None:
    """From now on nobody waits for rows in this thread, or as long as usual."""
    _lock.set(LITTLE if little else None)


def lock_seconds(usual: float) -> float:
    """How long a row, or SQLite's one lock, is waited for here, where that is `usual`."""
    given = _lock.get()
    return usual if given is None else given


def statement_seconds() -> float | None:
    """How long statements may take here, if not as long as usual."""
    return _statement.get()


def settings(*, postgresql: bool) -> list[str]:
    """What a transaction of PostgreSQL begins with for that. Statements are given more time, never less."""
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
