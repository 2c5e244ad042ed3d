"""Batches that wait for SQLite at the same moment share one commit, and none of them affects another."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from service.core.database.batches import Overtaken, Text
from service.core.database.database import batch, db, transaction, write, write_queue
from service.core.database.failures import CommitUnknown
from service.core.database.write_queue import WriteQueue
from tests.support.cast import sqlite_only
from tests.support.dump import execute
from tests.support.servers.server import PATIENCE, wait_until
from tests.support.writers import Around, planted

pytestmark = sqlite_only

INSERT = text("INSERT INTO heartbeats (name, at) VALUES (:name, 0)")
MOVE = text("UPDATE heartbeats SET at = at + 1 WHERE name = :name AND at = :read")


def names(app):
    return {row.name for row in execute(app, "SELECT name FROM heartbeats")}


def put(name):
    return lambda: write(INSERT, {"name": name})


def move(name):
    return lambda: write(MOVE, {"name": name, "read": 0}, only_if_found=True)


def waiting_together(app, steps, ways=()):
    """The outcomes of batches of one step each, or of other `ways`, that have all waited for the same transaction."""

    def write_in(way, step):
        with app.app_context(), way():
            step()

    with app.app_context(), ThreadPoolExecutor(len(steps)) as threads:
        queue = write_queue(db.engine)
        with transaction():
            done = []
            for number, step in enumerate(steps):
                way = ways[number] if ways else batch
                done.append(threads.submit(write_in, way, step))
                wait_until(lambda: len(queue.waiting) > number, "it waits")  # noqa: B023 - called at once
        return [each.exception() for each in done]


@contextmanager
def commits(app, failing=lambda _number: None):
    """The number of commits of batches; `failing` is called before each."""
    made = []

    class Counting(Around):
        def commit(self):
            failing(len(made))
            super().commit()
            made.append(self)

    with planted(app, Counting):
        yield made


def test_batches_that_wait_together_share_one_commit(app):
    with commits(app) as made:
        assert waiting_together(app, [put("one"), put("two"), put("three")]) == [None] * 3
    assert (len(made), names(app)) == (1, {"one", "two", "three"})


@pytest.mark.parametrize(
    ("wrong", "failure"),
    [(move("nobody"), Overtaken), (put("before"), IntegrityError), (put(object()), Exception)],
    ids=["overtaken", "a row that is there", "no value of a database"],
)
@pytest.mark.parametrize("at", range(3))
def test_who_fails_fails_alone(app, wrong, failure, at):
    """It may be the one that sends for all, or another; the others are committed in any case."""
    steps = [put("one"), put("two")]
    steps.insert(at, wrong)
    with app.app_context(), batch():
        put("before")()
    found = waiting_together(app, steps)
    assert isinstance(found.pop(at), failure)
    assert found == [None, None]
    assert names(app) == {"before", "one", "two"}


def test_of_two_that_have_read_the_same_row_one_is_overtaken(app):
    with app.app_context(), batch():
        put("one")()
    first, second = waiting_together(app, [move("one"), move("one")])
    assert first is None
    assert isinstance(second, Overtaken)
    assert [row.at for row in execute(app, "SELECT at FROM heartbeats")] == [1]


def test_nobody_is_told_of_a_commit_that_failed_for_all_nor_is_it_tried_again(app):
    tried = []

    def fail(number):
        tried.append(number)
        with app.app_context():
            raise db.engines["polls"].dialect.loaded_dbapi.OperationalError("disk I/O error")

    with commits(app, fail) as made:
        found = waiting_together(app, [put("one"), put("two"), put("three")])
    assert [type(each) for each in found] == [CommitUnknown] * 3
    assert (len(tried), made, names(app)) == (1, [], set())
    assert waiting_together(app, [put("one"), put("two")]) == [None] * 2


def test_who_waits_for_a_writer_that_breaks_off_is_told_that_nothing_is_known(app):
    class Broken(BaseException):
        pass

    def break_off(number):
        if not broken.is_set():
            broken.set()
            raise Broken

    broken = threading.Event()
    with commits(app, break_off):
        first, *others = waiting_together(app, [put("one"), put("two"), put("three")])
    assert isinstance(first, Broken)
    assert [type(each) for each in others] == [CommitUnknown] * 2
    assert names(app) == set()
    assert waiting_together(app, [put("one"), put("two")]) == [None] * 2


def test_a_transaction_writes_by_itself_and_is_waited_for(app):
    """Batches behind it may be sent before it, but other transactions may not."""
    with app.app_context():
        queue, behind = write_queue(db.engine), []
    alone, ways = (
        (lambda: behind.append(len(queue.waiting))),
        [batch, transaction, batch, transaction],
    )
    with commits(app) as made:
        assert waiting_together(app, [put("one"), alone, put("two"), alone], ways) == [None] * 4
    assert (behind, len(made), names(app)) == ([1, 0], 1, {"one", "two"})


def test_nobody_waits_forever_for_another_writer_of_the_process(app):
    """One that has waited too long writes itself, if SQLite allows it; the others continue to wait."""

    def wait():
        with queue.turn():
            put_now("after")

    def put_now(name):
        queue.send(engine, [Text.of(engine, INSERT, {"name": name})])

    queue = WriteQueue(patience=0)
    with app.app_context(), ThreadPoolExecutor(1) as threads:
        engine = db.engines["polls"]
        with queue.turn():
            with queue.turn():
                put_now("meanwhile")
            queue.patience = 20
            other = threads.submit(wait)
            wait_until(lambda: len(queue.waiting) == 1, "it waits")
            assert names(app) == {"meanwhile"}
            queue.patience = 0
        assert other.exception(timeout=PATIENCE) is None
    assert names(app) == {"meanwhile", "after"}
