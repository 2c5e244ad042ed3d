"""The queue of mails: rows are queued with their cause, cancelled, claimed by one sender, retried, and finished."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.core.database.database import db, transaction
from service.core.models.mail import Outbox
from service.outbox import queue
from service.outbox.queue import LEASE
from tests.support.cast import START, sqlite_only
from tests.support.dump import execute
from tests.support.mail_kinds import outcomes, rows, write

pytestmark = pytest.mark.both_databases

MINUTE = 60_000


@pytest.fixture
def put(app, runtime):
    return lambda key, kind="plain", **more: write(app, runtime, key, kind, **more)


@pytest.fixture
def claimed(app, clock):
    """Claim all due rows; returns them by key."""

    def claim_due():
        with app.app_context():
            found = [queue.claim(row, clock()) for row in queue.due(clock())]
            return {row.key: row for row in found if row}

    return claim_due


@pytest.fixture
def in_transaction(app):
    """Call a function in a transaction."""

    def do(function, *args):
        with app.app_context(), transaction():
            return function(*args)

    return do


def test_a_row_stores_its_values(app, runtime, put):
    put("one", "turn", player_id="p", game_key=7, tenure_id="t", number=41, data={"a": ["é", 1]})
    with app.app_context():
        row = db.session.query(Outbox).one()
        assert (row.kind, row.player_id, row.game_key, row.tenure_id) == ("turn", "p", 7, "t")
        assert (row.number, row.data, row.address) == (41, {"a": ["é", 1]}, "one@example.org")
        assert (row.created_at, row.run_at, row.attempts, row.done_at) == (START, START, 0, None)


def test_a_key_is_queued_once(app, put):
    put("one", data={"n": 1})
    put("one", "turn", data={"n": 2})
    (row,) = rows(app).values()
    assert row.kind == "plain"


def test_a_repeated_key_does_not_disturb_its_transaction(app, runtime, put):
    put("one")
    with app.app_context(), transaction():
        queue.put(runtime, "plain", "one", run_at=0)
        queue.put(runtime, "plain", "two", run_at=0)
    assert list(rows(app)) == ["one", "two"]


def test_a_rolled_back_cause_has_no_mail(app, runtime, in_transaction):
    def fail():
        queue.put(runtime, "plain", "one", run_at=0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        in_transaction(fail)
    assert rows(app) == {}


def test_concurrent_writers_of_one_key_write_one_row(app, runtime):
    together = threading.Barrier(4)

    def write_it(_):
        together.wait()
        write(app, runtime, "one")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write_it, range(4)))
    assert len(rows(app)) == 1


def test_due_rows_are_claimed_oldest_first(put, claimed, clock):
    put("late", run_at=START + 1)
    put("second", run_at=START)
    put("first", run_at=START - MINUTE)
    assert list(claimed()) == ["first", "second"]
    assert claimed() == {}, "they are claimed"
    clock.forward(1)
    assert list(claimed()) == ["late"]


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_row_is_finished_or_held_alone(app, put, claimed, in_transaction, at):
    """The rows were claimed equally often."""
    keys = ["one", "two", "three"]
    for key in keys:
        put(key)
    found = claimed()
    in_transaction(queue.finish, found[keys[at]], START, "sent")
    assert [row.outcome for row in rows(app).values()] == [
        "sent" if n == at else None for n in range(3)
    ]
    in_transaction(queue.hold, found[keys[at - 1]], START + 7)
    assert [row.lease_until == START + 7 for row in rows(app).values()].count(True) == 1


def test_a_row_is_claimed_by_one_sender(app, clock, put):
    for number in range(10):
        put(f"n{number}")
    with app.app_context():
        due = queue.due(clock())
    together = threading.Barrier(4)

    def claim_all(_):
        together.wait()
        with app.app_context():
            return [row.key for row in due if queue.claim(row, clock())]

    with ThreadPoolExecutor(4) as threads:
        keys = [key for found in threads.map(claim_all, range(4)) for key in found]
    assert sorted(keys) == [f"n{number}" for number in range(10)]


def test_a_lease_expires(put, claimed, clock):
    put("one")
    assert claimed()["one"].attempts == 1
    clock.forward(LEASE - 1)
    assert claimed() == {}
    clock.forward(1)
    assert claimed()["one"].attempts == 2


def test_a_sender_that_lost_its_claim_changes_nothing(app, put, claimed, clock, in_transaction):
    """A sender that took too long does not affect the one that has the row now."""
    put("one")
    slow = claimed()["one"]
    clock.forward(LEASE)
    quick = claimed()["one"]
    in_transaction(queue.finish, slow, clock(), "failed")
    in_transaction(queue.hold, slow, clock() + 7 * LEASE)
    row = rows(app)["one"]
    assert row.done_at is None and row.lease_until == clock() + LEASE
    in_transaction(queue.finish, quick, clock(), "sent")
    assert outcomes(app) == {"one": "sent"}


def test_a_finished_row_is_never_due(put, claimed, clock, in_transaction):
    put("one")
    in_transaction(queue.finish, claimed()["one"], clock(), "sent")
    clock.forward(100 * LEASE)
    assert claimed() == {}


def test_outdated_mails_are_cancelled_by_kind_and_tenure(app, runtime, put, in_transaction):
    """These are turns of some tenures and reminders of others, but nothing that is done or of another kind."""
    for tenure in "abc":
        for kind in ("turn", "reminder", "news"):
            put(f"{kind} {tenure}", kind, tenure_id=tenure, address="x@example.org")
    put("sent", "turn", tenure_id="a", address="x@example.org")
    execute(app, "UPDATE outbox SET done_at = 5, outcome = 'sent' WHERE key = 'sent'")
    in_transaction(queue.cancel_outdated, runtime, ["a", "b"], ["b"])
    in_transaction(queue.cancel_outdated, runtime, [], [])
    cancelled = {key for key, outcome in outcomes(app).items() if outcome == "cancelled"}
    assert cancelled == {"turn a", "turn b", "reminder b"}
    assert rows(app)["sent"].done_at == 5
    in_transaction(queue.cancel_outdated, runtime, [], ["c"])
    assert outcomes(app)["reminder c"] == "cancelled" and outcomes(app)["turn c"] is None


def test_mails_are_cancelled_by_conditions(app, runtime, put, claimed, in_transaction):
    for key in ("a", "b"):
        for kind in ("turn", "reminder"):
            put(f"{kind} {key}", kind, tenure_id=key, address="x@example.org")
    assert (
        in_transaction(queue.cancel, runtime, Outbox.tenure_id == "a", Outbox.kind == "turn") == 1
    )
    assert outcomes(app) == {
        "turn a": "cancelled",
        "reminder a": None,
        "turn b": None,
        "reminder b": None,
    }
    assert "turn a" not in claimed()
    assert in_transaction(queue.cancel, runtime, Outbox.tenure_id == "a") == 1, "the remaining one"


def test_a_sent_mail_is_not_cancelled(app, runtime, put, claimed, clock, in_transaction):
    put("one")
    in_transaction(queue.finish, claimed()["one"], clock(), "sent")
    assert in_transaction(queue.cancel, runtime, Outbox.key == "one") == 0
    assert outcomes(app) == {"one": "sent"}


def test_a_sender_learns_that_its_row_was_cancelled(
    app, runtime, put, claimed, clock, in_transaction
):
    put("one")
    row = claimed()["one"]
    with app.app_context():
        assert queue.find_claimed(row.id, row.attempts)
    in_transaction(queue.cancel, runtime, Outbox.key == "one")
    with app.app_context():
        assert queue.find_claimed(row.id, row.attempts) is None
    in_transaction(queue.finish, row, clock(), "dropped")
    assert outcomes(app) == {"one": "cancelled"}


def test_a_late_cancellation_does_not_hide_that_a_mail_was_sent(
    app, runtime, put, claimed, clock, in_transaction
):
    put("one")
    row = claimed()["one"]
    in_transaction(queue.cancel, runtime, Outbox.key == "one")
    in_transaction(queue.finish, row, clock(), "sent")
    assert outcomes(app) == {"one": "sent"}


@sqlite_only
def test_the_query_for_due_rows_uses_its_index(app):
    with app.app_context(), db.engine.connect() as connection:
        query = queue._NEXT.params(now=START).compile(
            db.engine, compile_kwargs={"literal_binds": True}
        )
        plan = str(list(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")))
        assert "USING INDEX ix_outbox_done_at_run_at (done_at=? AND run_at<?)" in plan
