"""Failures: their causes come from the codes of the databases and the system, never from the text of an error."""

from __future__ import annotations

import errno
import sqlite3

import psycopg
import pytest
from psycopg import errors
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError, OperationalError

from service.core.database.failures import CommitUnknown, cause_of, is_rolled_back


def postgresql(kind):
    return OperationalError("COMMIT", None, kind("the marker"))


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (postgresql(errors.DiskFull), "disk full"),
        (postgresql(psycopg.OperationalError), "database out of reach"),
        (postgresql(errors.AdminShutdown), "database out of reach"),
        (postgresql(errors.TooManyConnections), "database has too many connections"),
        (postgresql(errors.DeadlockDetected), "database busy"),
        (postgresql(errors.InvalidPassword), "database refuses the sign-in"),
        (postgresql(errors.UndefinedTable), "database not migrated"),
        (postgresql(errors.NotNullViolation), "OperationalError"),
        (OSError(errno.ENOSPC, "the marker"), "disk full"),
        (OSError(errno.ENOENT, "the marker"), "no such file or folder"),
        (OSError(errno.EINTR, "the marker"), "InterruptedError"),
        (ZeroDivisionError("the marker"), "ZeroDivisionError"),
    ],
)
def test_causes(error, cause):
    assert cause_of(error) == cause


def failing(path, *statements):
    """The error of the last of these statements."""
    *first, last = map(text, statements)
    engine = create_engine(f"sqlite:///{path}")
    try:
        with engine.connect() as connection:
            for statement in first:
                connection.execute(statement)
            with pytest.raises(DBAPIError) as caught:
                connection.execute(last)
    finally:
        engine.dispose()
    return caught.value


def test_a_full_disk_under_sqlite(tmp_path):
    full = (
        "CREATE TABLE t (x)",
        "PRAGMA max_page_count = 3",
        "INSERT INTO t VALUES (zeroblob(99999))",
    )
    assert cause_of(failing(tmp_path / "db", *full)) == "disk full"


def test_no_file_under_sqlite(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path}")
    with pytest.raises(DBAPIError) as caught:
        engine.connect()
    assert cause_of(caught.value) == "database out of reach"


def test_no_database_under_sqlite(tmp_path):
    (tmp_path / "db").write_text("This is a letter, not a database. " * 99)
    assert cause_of(failing(tmp_path / "db", "SELECT * FROM t")) == "database damaged"


def test_a_busy_sqlite(tmp_path):
    with sqlite3.connect(tmp_path / "db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        busy = failing(tmp_path / "db", "PRAGMA busy_timeout = 0", "CREATE TABLE t (x)")
    assert cause_of(busy) == "database busy"


def test_an_unknown_commit_names_its_cause():
    lost = CommitUnknown()
    lost.__cause__ = postgresql(psycopg.OperationalError)
    assert cause_of(lost) == "database out of reach"


@pytest.mark.parametrize(
    ("kind", "rolled_back"),
    [
        (errors.DiskFull, True),
        (errors.SerializationFailure, True),
        (errors.StatementCompletionUnknown, False),
        (errors.AdminShutdown, False),
        (psycopg.OperationalError, False),
    ],
)
def test_whether_a_commit_that_failed_was_rolled_back(kind, rolled_back):
    assert is_rolled_back(postgresql(kind)) is rolled_back
