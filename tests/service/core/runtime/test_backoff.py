"""Backing off: a failure is logged once with its cause, the waits grow, and its end is logged."""

from __future__ import annotations

import json

import pytest
from sqlalchemy.exc import OperationalError

from service.core.database.failures import KnownCause
from service.core.runtime.backoff import LONGEST_WAIT, Backoff
from tests.support.cast import sqlite_only

pytestmark = sqlite_only


class Defect(Exception):
    """A defect whose text must not be logged."""


class Work:
    """Fails as long as `error` is set, and counts its runs."""

    def __init__(self):
        self.error, self.runs = None, 0

    def __call__(self):
        self.runs += 1
        if self.error:
            raise self.error
        return "done"


@pytest.fixture
def work(app):
    with app.app_context():
        yield Work()


@pytest.fixture
def backoff(clock):
    return Backoff("test", clock, raised=())


def logged(capsys):
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_waits_double_up_to_a_minute(work, backoff, clock):
    work.error, waits = Defect(), []
    while len(waits) < 9:
        runs, begun = work.runs, clock()
        assert backoff.attempt(work, "later") == "later" and work.runs == runs + 1
        while backoff.waits():
            assert backoff.attempt(work, "later") == "later" and work.runs == runs + 1
            clock.forward(500)
        waits.append((clock() - begun) // 1000)
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60, 60]


def test_beginning_and_end_are_logged_once(work, backoff, clock, capsys):
    work.error = Defect("the marker")
    for _ in range(3):
        backoff.attempt(work, None)
        clock.forward(LONGEST_WAIT)
    (line,) = logged(capsys)
    assert (line["event"], line["level"], line["task"]) == ("failing", "error", "test")
    assert line["cause"] == line["error"] == "Defect"
    assert "marker" not in json.dumps(line) and line["at"][-1].startswith("Work.__call__")
    work.error = None
    for _ in range(2):
        assert backoff.attempt(work, None) == "done"
    (line,) = logged(capsys)
    assert (line["event"], line["failures"], line["seconds"]) == ("recovered", 3, 180)


def test_another_cause_is_logged_too(work, backoff, clock, capsys):
    class Other(KnownCause):
        cause = "server on fire"

    for error in (Defect(), Other(), Defect(), Other()):
        work.error = error
        backoff.attempt(work, None)
        clock.forward(LONGEST_WAIT)
    assert [line["cause"] for line in logged(capsys)] == ["Defect", "server on fire"]


def test_one_subject_that_fails_keeps_no_other_waiting(work, backoff, clock, capsys):
    work.error = Defect()
    backoff.attempt(work, None, "g_1")
    assert backoff.waiting() == ["g_1"]
    work.error = None
    assert backoff.attempt(work, None, "g_2") == "done"
    assert backoff.attempt(work, None, "g_1") is None
    clock.forward(1000)
    assert backoff.waiting() == []
    assert backoff.attempt(work, None, "g_1") == "done"
    assert [line["subject"] for line in logged(capsys)] == ["g_1", "g_1"]


def test_a_subject_that_nobody_tries_again_is_over(work, backoff, clock, capsys):
    """Its game may have ended in another way."""
    work.error = Defect()
    backoff.attempt(work, None, "g_1")
    clock.forward(1000 + LONGEST_WAIT + 1)
    assert backoff.waiting() == []
    assert [line["event"] for line in logged(capsys)] == ["failing", "recovered"]


def test_a_clock_that_was_set_back_makes_nobody_wait(work, backoff, clock):
    work.error = Defect()
    backoff.attempt(work, None)
    work.error = None
    clock.forward(-3_600_000)
    assert backoff.attempt(work, None) == "done"


def test_failures_of_the_database_are_the_callers(work, clock, capsys):
    work.error = OperationalError("SELECT 1", None, Exception())
    with pytest.raises(OperationalError):
        Backoff("test", clock).attempt(work, None)
    assert logged(capsys) == []
