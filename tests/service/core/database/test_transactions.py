"""Write transactions: they cannot be nested, and one that raises changes nothing."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, wait

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import IntegrityError

from service.core.database.batches import Overtaken
from service.core.database.database import (
    NestedTransaction,
    batch,
    db,
    release_connection,
    transaction,
    write,
)
from service.core.database.quick_queries import QuickQuery
from tests.support.cast import sqlite_only
from tests.support.dump import execute
from tests.support.servers.server import PATIENCE

pytestmark = pytest.mark.both_databases


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
        (lambda: batch().__enter__(), NestedTransaction),
        (fail, ZeroDivisionError),
    ],
    ids=["nested", "release_connection", "batch", "failing"],
)
def test_a_transaction_that_raises_is_rolled_back_as_a_whole(app, do, error):
    """An attempt to end it half-way raises too, and the next transaction works."""
    with app.app_context():
        with pytest.raises(error):
            insert_and(do)
        assert names(app) == []
        with transaction():
            insert("next")
    assert names(app) == ["next"]


INSERT = text("INSERT INTO heartbeats (name, at) VALUES (:name, 0)")
MOVE = text("UPDATE heartbeats SET at = at + 1 WHERE name = :name AND at >= :least")


def put(name):
    write(INSERT, {"name": name})


def move(name, least=0):
    write(MOVE, {"name": name, "least": least}, only_if_found=True)


def in_a_batch(*steps, write_in=batch):
    with write_in():
        for step in steps:
            step()


def test_a_batch_is_all_or_nothing(app):
    with app.app_context():
        in_a_batch(lambda: put("one"), lambda: move("one"))
        with pytest.raises(IntegrityError):
            in_a_batch(lambda: put("two"), lambda: put("one"))
        with pytest.raises(ZeroDivisionError):
            in_a_batch(lambda: put("two"), fail)
        assert names(app) == ["one"]
        in_a_batch(lambda: put("two"))
    assert sorted(names(app)) == ["one", "two"]


@pytest.mark.parametrize("write_in", [transaction, batch])
def test_a_row_that_is_not_as_it_was_read_comes_before_all_that_fails_because_of_it(app, write_in):
    with app.app_context():
        in_a_batch(lambda: put("one"))
        with pytest.raises(Overtaken):
            in_a_batch(lambda: move("one", least=7), lambda: put("one"), write_in=write_in)
        in_a_batch(lambda: move("one"), write_in=write_in)


@pytest.mark.parametrize(
    "other",
    [
        lambda: transaction().__enter__(),
        lambda: batch().__enter__(),
        lambda: db.session.execute(text("SELECT 1")),
    ],
    ids=["transaction", "batch", "reading"],
)
def test_nothing_else_begins_within_a_batch(app, other):
    with app.app_context():
        with pytest.raises(NestedTransaction):
            in_a_batch(lambda: put("half"), other)
        assert names(app) == []
        with transaction():
            insert("next")


def test_a_batch_finds_a_new_connection_if_the_kept_one_was_cut(app):
    """Nothing of it was committed, so it can be sent again; the same holds for a connection in the pool, of a thread
    that has ended.
    """

    def write_before():
        with app.app_context():
            in_a_batch(lambda: put("elsewhere"))

    with app.app_context():
        in_a_batch(lambda: put("before"))
        with ThreadPoolExecutor(1) as threads:
            threads.submit(write_before).result(timeout=PATIENCE)
        engine = db.engines["polls"]
        if engine.dialect.name == "postgresql":
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            execute(app, f"{others} AND datname = current_database()")
        in_a_batch(lambda: put("after"))
        db.session.remove()
    assert sorted(names(app)) == ["after", "before", "elsewhere"]


def test_a_writer_that_waits_for_a_row_holds_up_no_other_thread(app):
    """PostgreSQL's library would block, if it were asked for a result that has not come."""

    def move_too():
        with app.app_context():
            in_a_batch(begun.set, lambda: move("one"))

    begun = threading.Event()
    with app.app_context(), ThreadPoolExecutor(1) as threads:
        in_a_batch(lambda: put("one"))
        with transaction():
            move("one")
            done = threads.submit(move_too)
            begun.wait()
            assert not wait([done], timeout=0.2).done
        assert done.result(timeout=PATIENCE) is None


@sqlite_only
def test_writers_of_a_process_take_turns_however_impatient_sqlite_is(app):
    """SQLite would let them sleep for a while and then look again; here it does not even do that."""
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
    """There are more threads than a pool has connections, and each asks two things while all others are there."""
    threads = 20
    together = threading.Barrier(threads, timeout=PATIENCE)
    with app.app_context():
        engine = db.engines["polls"]
    before = engine.pool.checkedout()
    queries = [QuickQuery(engine, text(f"SELECT {number}")) for number in (1, 2)]

    def ask(_):
        found = [query.all({}) for query in queries]
        together.wait()
        return found, engine.pool.checkedout() - before

    with ThreadPoolExecutor(threads) as pool:
        assert set(map(repr, pool.map(ask, range(threads)))) == {repr(([[(1,)], [(2,)]], threads))}
