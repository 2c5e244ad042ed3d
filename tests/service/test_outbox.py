"""The outbox: rows that are written with their cause, called back, claimed by one courier, tried again, and end."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service import outbox
from service.database import db, transaction
from service.models_mail import Outbox
from service.outbox import END, LEASE, PAUSES
from tests.service.cast import START, sqlite_only
from tests.service.letters import outcomes, rows, write

MINUTE = 60_000


@pytest.fixture
def put(app, outside):
    return lambda key, kind="plain", **more: write(app, outside, key, kind, **more)


@pytest.fixture
def claimed(app, clock):
    """What one look claims, by key."""

    def look():
        with app.app_context():
            found = [outbox.claim(row, clock()) for row in outbox.due(clock())]
            return {row.key: row for row in found if row}

    return look


@pytest.fixture
def within(app):
    """Do something in a transaction."""

    def do(function, *args):
        with app.app_context(), transaction():
            return function(*args)

    return do


def test_a_row_holds_what_it_was_given(app, outside, put):
    put("one", "turn", player_id="p", game_key=7, tenure_id="t", number=41, data={"a": ["é", 1]})
    with app.app_context():
        row = db.session.query(Outbox).one()
        assert (row.kind, row.player_id, row.game_key, row.tenure_id) == ("turn", "p", 7, "t")
        assert (row.number, row.data, row.address) == (41, {"a": ["é", 1]}, "one@example.org")
        assert (row.created_at, row.run_at, row.attempts, row.done_at) == (START, START, 0, None)


def test_a_second_row_of_the_same_key_is_none(app, put):
    put("one", data={"n": 1})
    put("one", "turn", data={"n": 2})
    (row,) = rows(app).values()
    assert row.kind == "plain"


def test_a_repeat_harms_nothing_else_in_its_transaction(app, outside, put):
    put("one")
    with app.app_context(), transaction():
        outbox.put(outside, "plain", "one", run_at=0)
        outbox.put(outside, "plain", "two", run_at=0)
    assert list(rows(app)) == ["one", "two"]


def test_a_cause_that_is_rolled_back_has_no_mail(app, outside, within):
    def fail():
        outbox.put(outside, "plain", "one", run_at=0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        within(fail)
    assert rows(app) == {}


def test_many_who_write_the_same_row_write_one(app, outside):
    together = threading.Barrier(4)

    def write_it(_):
        together.wait()
        write(app, outside, "one")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write_it, range(4)))
    assert len(rows(app)) == 1


def test_what_is_due_is_claimed_in_order(put, claimed, clock):
    put("late", run_at=START + 1)
    put("second", run_at=START)
    put("first", run_at=START - MINUTE)
    assert list(claimed()) == ["first", "second"]
    assert claimed() == {}, "they have a lease"
    clock.forward(1)
    assert list(claimed()) == ["late"]


def test_a_row_is_claimed_by_one_of_many(app, clock, put):
    for number in range(10):
        put(f"n{number}")
    with app.app_context():
        due = outbox.due(clock())
    together = threading.Barrier(4)

    def claim_all(_):
        together.wait()
        with app.app_context():
            return [row.key for row in due if outbox.claim(row, clock())]

    with ThreadPoolExecutor(4) as threads:
        keys = [key for found in threads.map(claim_all, range(4)) for key in found]
    assert sorted(keys) == [f"n{number}" for number in range(10)]


def test_a_lease_runs_out(put, claimed, clock):
    put("one")
    assert claimed()["one"].attempts == 1
    clock.forward(LEASE - 1)
    assert claimed() == {}
    clock.forward(1)
    assert claimed()["one"].attempts == 2


def test_who_lost_the_lease_marks_nothing(app, put, claimed, clock, within):
    """A courier that was away too long does not speak for the one that has the row now."""
    put("one")
    slow = claimed()["one"]
    clock.forward(LEASE)
    quick = claimed()["one"]
    within(outbox.done, slow, clock(), "failed")
    within(outbox.later, slow, clock())
    row = rows(app)["one"]
    assert row.done_at is None and row.lease_until == clock() + LEASE
    within(outbox.done, quick, clock(), "sent")
    assert outcomes(app) == {"one": "sent"}


def test_a_row_that_is_done_is_never_due(put, claimed, clock, within):
    put("one")
    within(outbox.done, claimed()["one"], clock(), "sent")
    clock.forward(100 * END)
    assert claimed() == {}


def test_pauses_grow_and_end(app, put, claimed, clock, within):
    put("one")
    pauses = []
    while row := claimed().get("one"):
        within(outbox.later, row, clock())
        if rows(app)["one"].done_at is None:
            pauses.append(rows(app)["one"].lease_until - clock())
            clock.forward(pauses[-1] - 1)
            assert claimed() == {}, "not a moment sooner"
            clock.forward(1)
    assert pauses[: len(PAUSES)] == list(PAUSES)
    assert pauses == sorted(pauses)
    assert END <= sum(pauses) < END + PAUSES[-1]
    assert outcomes(app) == {"one": "expired"}


def test_mails_are_called_back_by_what_they_are_about(app, outside, put, claimed, within):
    for key in ("a", "b"):
        for kind in ("turn", "reminder"):
            put(f"{kind} {key}", kind, tenure_id=key, address="x@example.org")
    assert within(outbox.cancel, outside, Outbox.tenure_id == "a", Outbox.kind == "turn") == 1
    assert outcomes(app) == {
        "turn a": "cancelled",
        "reminder a": None,
        "turn b": None,
        "reminder b": None,
    }
    assert "turn a" not in claimed()
    assert within(outbox.cancel, outside, Outbox.tenure_id == "a") == 1, "what is left"


def test_what_was_sent_is_not_called_back(app, outside, put, claimed, clock, within):
    put("one")
    within(outbox.done, claimed()["one"], clock(), "sent")
    assert within(outbox.cancel, outside, Outbox.key == "one") == 0
    assert outcomes(app) == {"one": "sent"}


def test_who_holds_a_row_learns_that_it_was_called_back(app, outside, put, claimed, clock, within):
    put("one")
    row = claimed()["one"]
    with app.app_context():
        assert outbox.present(row.id, row.attempts)
    within(outbox.cancel, outside, Outbox.key == "one")
    with app.app_context():
        assert outbox.present(row.id, row.attempts) is None
    within(outbox.done, row, clock(), "dropped")
    assert outcomes(app) == {"one": "cancelled"}


def test_a_call_that_comes_too_late_does_not_hide_that_it_was_sent(
    app, outside, put, claimed, clock, within
):
    put("one")
    row = claimed()["one"]
    within(outbox.cancel, outside, Outbox.key == "one")
    within(outbox.done, row, clock(), "sent")
    assert outcomes(app) == {"one": "sent"}


@sqlite_only
def test_the_look_for_what_is_due_uses_its_index(app):
    with app.app_context(), db.engine.connect() as connection:
        look = outbox._NEXT.params(now=START).compile(
            db.engine, compile_kwargs={"literal_binds": True}
        )
        plan = str(list(connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {look}")))
        assert "USING INDEX ix_outbox_done_at_run_at (done_at=? AND run_at<?)" in plan
