"""Write transactions: they cannot be nested, and one that raises changes nothing."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import event, text

from service.core.database import (
    NestedTransaction,
    QuickQuery,
    db,
    release_connection,
    transaction,
)
from tests.support.cast import sqlite_only
from tests.support.dump import execute


def insert(name):
    db.session.execute(text("INSERT INTO heartbeats (name, at) VALUES (:n, 0)"), {"n": name})


def insert_and(do):
    with transaction():
        insert("half")
        do()


def fail():
    raise ZeroDivisionError


def names(app):
    return [row.name for row in execute(app, "SELECT name FROM heartbeats")]


@pytest.mark.parametrize(
    ("do", "error"),
    [
        (lambda: transaction().__enter__(), NestedTransaction),
        (release_connection, NestedTransaction),
        (fail, ZeroDivisionError),
    ],
    ids=["nested", "release_connection", "failing"],
)
def test_a_transaction_that_raises_is_rolled_back_as_a_whole(app, do, error):
    """Whatever would end it half-way raises too, and the next transaction works."""
    with app.app_context():
        with pytest.raises(error):
            insert_and(do)
        assert names(app) == []
        with transaction():
            insert("next")
    assert names(app) == ["next"]


@sqlite_only
def test_writers_of_a_process_take_turns_however_impatient_sqlite_is(app):
    """SQLite would let them sleep for a while, and then look again; here it does not even do that."""
    begun, writers = threading.Event(), 8

    def impatient(connection, _record):
        connection.execute("PRAGMA busy_timeout = 0")

    def write(name):
        begun.wait()
        with app.app_context(), transaction():
            insert(name)

    with app.app_context():
        db.engine.dispose()
        event.listen(db.engine, "connect", impatient)
    with ThreadPoolExecutor(writers) as threads:
        done = [threads.submit(write, str(number)) for number in range(writers)]
        begun.set()
    assert [each.exception() for each in done] == [None] * writers
    assert len(names(app)) == writers
    with app.app_context():
        event.remove(db.engine, "connect", impatient)
        db.engine.dispose()


def test_each_thread_keeps_one_connection_for_all_quick_queries_and_none_waits_for_one(app):
    """More threads than a pool has by itself, each of which asks two things while all others are there."""
    threads = 20
    together = threading.Barrier(threads, timeout=20)
    with app.app_context():
        engine = db.engines["polls"]
    before = engine.pool.checkedout()
    queries = [QuickQuery(engine, text(f"SELECT {number}")) for number in (1, 2)]

    def ask(_):
        found = [query.first({}) for query in queries]
        together.wait()
        return found, engine.pool.checkedout() - before

    with ThreadPoolExecutor(threads) as pool:
        assert set(map(repr, pool.map(ask, range(threads)))) == {repr(([(1,), (2,)], threads))}
