"""Failures of the database, the disk and other servers, with causes that an operator can act on.

Causes are derived from error codes only. The text of an error is never shown: it may hold cards or a password.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError


class CommitUnknown(Exception):
    """Raised if the database failed during a commit, which may or may not have taken effect."""


class KnownCause(Exception):
    """A failure of a known kind, which `cause` names for the operator."""

    cause = "unknown"


class SchemaIsNewer(KnownCause):
    """Raised if the database belongs to a newer release, so that this release writes nothing into it."""

    cause = "database newer than this release"


class UnreadableLog(KnownCause):
    """Raised if the log of a game cannot be read, or the rules cannot follow it; the error that caused this says
    why.
    """

    cause = "damaged game"

    def __init__(self, game_id: str) -> None:
        super().__init__(game_id)
        self.game_id = game_id


UNREADABLE = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RecursionError,
)
"""The errors that reading a changed log may raise, here or in the rules."""


@contextmanager
def reading(game_id: str) -> Iterator[None]:
    """A block in which the log of this game is read or folded. Raises UnreadableLog if that fails."""
    try:
        yield
    except UNREADABLE as error:
        raise UnreadableLog(game_id) from error


class FailedElsewhere(KnownCause):
    """Raised for a failure in another process, of which only its kind (as its cause) and the places in the code are
    known.
    """

    def __init__(self, kind: str, at: list[str]) -> None:
        super().__init__(kind)
        self.cause, self.at = kind, at


DATABASE_FAILURES = (OperationalError, InterfaceError, CommitUnknown)
"""Failures that are no defect of the game or person at hand: while they last, nobody's work succeeds."""

DISK_FULL = "disk full"
OUT_OF_REACH = "database out of reach"
BUSY = "database busy"
READ_ONLY = "database read-only"
DISK_ERROR = "disk error"
DAMAGED = "database damaged"
NO_MEMORY = "out of memory"
REFUSED = "database refuses the sign-in"
NO_PRIMARY = "database has no primary"
BEHIND_PROXY = "a proxy needs DATABASE_PREPARED_STATEMENTS=off"
HELD = "row held by another transaction"
NOT_MIGRATED = "database not migrated"

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: DISK_FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: DISK_FULL,  # no room for the index of the write-ahead log
    sqlite3.SQLITE_CANTOPEN: OUT_OF_REACH,
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: DISK_ERROR,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: DAMAGED,
    sqlite3.SQLITE_NOMEM: NO_MEMORY,
}
_PRIMARY_CODE = 0xFF
"""The bits of SQLite's extended codes that hold the primary code."""

_BY_SQLSTATE = {
    "53100": DISK_FULL,
    "53200": NO_MEMORY,
    "53300": "database has too many connections",
    "25006": READ_ONLY,
    "25P03": OUT_OF_REACH,
    "55P03": HELD,
    "57014": BUSY,
    "42P01": NOT_MIGRATED,
    "42703": NOT_MIGRATED,
    "3D000": OUT_OF_REACH,
    "08": OUT_OF_REACH,
    "57": OUT_OF_REACH,
    "28": REFUSED,
    "40": BUSY,
    "58": DISK_ERROR,
    "XX": DAMAGED,
}
"""The causes by PostgreSQL's codes, or by the first two characters of a class of codes."""

_BY_ERRNO = {
    errno.ENOSPC: DISK_FULL,
    errno.EDQUOT: DISK_FULL,
    errno.EROFS: "disk read-only",
    errno.EACCES: "no permission",
    errno.ENOENT: "no such file or folder",
    errno.ENOTDIR: "no such file or folder",
}

_REFUSALS = ("authentication failed", "pg_hba.conf")
"""The messages with which PostgreSQL rejects us without asking for a password."""
_OF_PROXIES = ("unsupported startup parameter",)
"""The message with which PgBouncer rejects settings of connections."""
_NO_PRIMARIES = ("session is read-only", "server is in hot standby mode")
"""The messages of libpq about a server that is not of the kind that `target_session_attrs` asks for."""
_OF_SOME_ROWS = ("55P03", "40001", "40P01", "57014")
"""The codes of failures from rows that somebody else holds, or from slow statements; other work can go on."""

_NOT_COMMITTED = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_READONLY}
_MAYBE_COMMITTED = ("08", "57", "58", "XX", "40003")


def cause_of(error: BaseException) -> str:
    """The cause of an error, such as `disk full` or `database out of reach`; the kind of the error if no cause is
    known.
    """
    found: str | None = None
    if isinstance(error, KnownCause):
        found = error.cause
    elif isinstance(error, CommitUnknown) and error.__cause__ is not None:
        found = cause_of(error.__cause__)
    elif isinstance(error, DBAPIError):
        found = _cause_in_database(error)
    elif isinstance(error, sqlite3.Error):
        found = _cause_in_sqlite(error)
    elif isinstance(error, OSError):
        found = _BY_ERRNO.get(error.errno or 0)
    return found or type(error).__name__


def is_rolled_back(error: DBAPIError) -> bool:
    """Whether the database says of a failed commit that nothing was committed."""
    if isinstance(error.orig, sqlite3.Error):
        return _primary_code(error.orig) in _NOT_COMMITTED
    state = _sqlstate(error)
    return state is not None and not state.startswith(_MAYBE_COMMITTED)


def is_of_some_rows(error: BaseException) -> bool:
    """Whether the error is about rows that somebody else holds, and not about the whole database."""
    return isinstance(error, DBAPIError) and _sqlstate(error) in _OF_SOME_ROWS


def is_busy(error: sqlite3.Error) -> bool:
    """Whether the error says that somebody else holds SQLite's lock."""
    return _primary_code(error) == sqlite3.SQLITE_BUSY


def _cause_in_database(error: DBAPIError) -> str | None:
    if isinstance(error.orig, sqlite3.Error):
        return _cause_in_sqlite(error.orig)
    if getattr(error.orig, "has_no_primary", False):
        return NO_PRIMARY
    state = _sqlstate(error)
    if state is not None:
        return _BY_SQLSTATE.get(state) or _BY_SQLSTATE.get(state[:2])
    if _was_refused(error.orig):
        return REFUSED
    if any(words in str(error.orig) for words in _NO_PRIMARIES):
        return NO_PRIMARY
    if any(words in str(error.orig) for words in _OF_PROXIES):
        return BEHIND_PROXY
    return OUT_OF_REACH if isinstance(error, OperationalError) else None


def _cause_in_sqlite(error: sqlite3.Error) -> str | None:
    code = getattr(error, "sqlite_errorcode", -1)
    return _BY_SQLITE_CODE.get(code) or _BY_SQLITE_CODE.get(_primary_code(error))


def _was_refused(error: object) -> bool:
    """Whether the server responded and rejected us. A connection that was never made has no error code."""
    connection = getattr(error, "pgconn", None)
    if connection is None:
        return False
    asked = connection.used_password or connection.needs_password
    return asked or any(words in str(error) for words in _REFUSALS)


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", -1) & _PRIMARY_CODE


def _sqlstate(error: DBAPIError) -> str | None:
    return getattr(error.orig, "sqlstate", None)
