"""A mail that cannot be sent is tried again, after growing waits, until it is given up."""

from __future__ import annotations

import pytest

from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_sending.transport import TemporaryFailure, parse_reply
from service.notifications.retries import EXPIRY, RETRY_DELAYS
from tests.support.cast import sqlite_only
from tests.support.mail_kinds import KINDS, outcomes, rows, write

pytestmark = sqlite_only


class Busy:
    """A mail server that always says "later"."""

    def connect(self):
        """Always."""

    def disconnect(self):
        """Nothing to do."""

    def send(self, _message, _still):
        raise TemporaryFailure(parse_reply(450, b"busy", "RCPT"))


@pytest.fixture
def deliver(app):
    sender = Sender(app.extensions["tegami"], Busy(), KINDS)

    def run():
        with app.app_context():
            return sender.send_one()

    return run


def test_retries_become_rarer_and_expire(app, runtime, clock, deliver):
    write(app, runtime, "one")
    pauses = []
    while deliver():
        row = rows(app)["one"]
        if row.done_at is None:
            pauses.append(row.lease_until - clock())
            clock.forward(pauses[-1] - 1)
            assert not deliver(), "no sooner than that"
            clock.forward(1)
    assert pauses[: len(RETRY_DELAYS)] == list(RETRY_DELAYS)
    assert pauses == sorted(pauses)
    assert EXPIRY <= sum(pauses) < EXPIRY + RETRY_DELAYS[-1]
    assert outcomes(app) == {"one": "expired"}
