"""The outcome of a message, whichever way it comes."""

from __future__ import annotations

import os
import signal
from dataclasses import replace

import pytest

from service.operations.receiving.handing_over import hand_over
from tests.support.cast import sqlite_only
from tests.support.dump import execute
from tests.support.returned import dsn, plain

OURS = "reply@tegami.example"


@pytest.fixture
def config(config):
    return replace(config, incoming_mail=OURS)


@sqlite_only
def test_a_message_that_takes_too_long_is_refused_for_good(app):
    before = signal.getsignal(signal.SIGVTALRM)
    head = b"Content-Type: multipart/report; report-type=feedback-report\r\n\r\n"
    message = head + b"x y\n" * 100_000  # far more work than a clock with few ticks can overlook
    outcome = hand_over(app, message, "a@example.org", (OURS,), most_work=0.001)
    assert outcome.code == os.EX_DATAERR and "too long" in outcome.told[0]
    assert signal.getsignal(signal.SIGVTALRM) == before
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


@sqlite_only
def test_a_database_that_is_away_lets_the_mail_server_try_again(app):
    execute(app, "ALTER TABLE outbox RENAME TO gone")
    try:
        outcome = hand_over(app, dsn(OURS), "", ("reply+" + "a" * 28 + "@tegami.example",))
    finally:
        execute(app, "ALTER TABLE gone RENAME TO outbox")
    assert outcome.code == os.EX_TEMPFAIL and outcome.told == (
        "Tegami cannot take this message now.",
    )
    assert "example" not in outcome.what


@sqlite_only
def test_what_looks_like_a_report_and_is_an_answer_is_taken_for_one(app):
    """The words of a report in a text do not make it one."""
    message = plain("x@else.example", "multipart/report feedback-report", From="a@example.org")
    outcome = hand_over(app, message, "a@example.org", ("reply+x@tegami.example",))
    assert outcome.code == os.EX_NOUSER
