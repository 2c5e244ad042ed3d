"""The server from which a session reads: the primary server, or a replica in blocks that ask for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from flask_sqlalchemy.session import Session as UsualSession
from sqlalchemy import Connection, Engine
from sqlalchemy.orm import Session as AnySession

REPLICA = "replica"
"""The name of the engine of the replica, where there is one."""

_reading = ContextVar("reading", default=False)


class Session(UsualSession):
    """A session with a connection to each server from which it reads, each with one snapshot until it is given back."""

    def get_bind(self, *given: object, **named: object) -> Engine | Connection:
        """The engine or connection to use, as in SQLAlchemy."""
        if _reading.get():
            return self._db.engines[REPLICA]
        self.info[_PRIMARY] = True
        return super().get_bind(*given, **named)  # type: ignore[arg-type]  # passed on as they came


_PRIMARY = "tegami.primary"
"""The key of the mark on a session that has used the primary server."""


def has_read_primary(session: AnySession) -> bool:
    """Whether the session has read from the primary server without a failure, so that the server is available."""
    return session.in_transaction() and _PRIMARY in session.info


def is_replica() -> bool:
    """Whether reads here come from a replica, and may be a moment old.

    Nothing may be written on the basis of such reads.
    """
    return _reading.get()


@contextmanager
def replica() -> Iterator[None]:
    """A block in which sessions read from the replica."""
    before = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(before)
