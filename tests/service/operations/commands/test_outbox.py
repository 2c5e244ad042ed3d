"""`tegami outbox`: lists waiting and lost mails, and tries them again."""

from __future__ import annotations

from functools import partial

import pytest

from service.core.database.database import transaction
from service.core.models.mail import Outbox
from service.core.runtime.time_and_random import system_clock
from service.notifications.retries import RETRY_DELAYS
from service.operations.commands import outbox
from service.outbox import queue
from service.outbox.addresses import undelivered
from tests.support.dump import execute
from tests.support.mail_kinds import rows, write
from tests.support.operator_command import told

HOUR = 3_600_000


@pytest.fixture
def tegami(config):
    """The command, on the same database."""
    return partial(told, config, "outbox")


@pytest.fixture
def mail(app, runtime):
    """Writes a mail with these columns; returns its number."""

    def make(key, **columns):
        write(app, runtime, key)
        told = ", ".join(f"{name} = :{name}" for name in columns)
        execute(app, f"UPDATE outbox SET {told} WHERE key = :key", key=key, **columns)
        return str(rows(app)[key].id)

    return make


def again(app, now, *which):
    with app.app_context():
        return outbox.try_again(now, *which)


def test_the_list_shows_no_addresses(app, tegami, mail):
    now = system_clock()
    mail("due", run_at=now - HOUR)
    mail("later", run_at=now + HOUR)
    mail("resting", run_at=now - HOUR, lease_until=now + HOUR, attempts=3)
    mail("refused", run_at=now - HOUR, done_at=now, outcome="failed", attempts=1)
    mail("sent", run_at=now - HOUR, done_at=now, outcome="sent", attempts=1)
    listed, every = tegami("list"), tegami("list", "--all")
    for word in ("due", "not due yet", "waits until", "failed", "tried 3x", "(an address)"):
        assert word in listed
    assert len(listed.splitlines()) == 4 and len(every.splitlines()) == 5
    assert "example.org" not in every
    assert len(tegami("list", "--most", "2").splitlines()) == 2


@pytest.mark.both_databases
@pytest.mark.parametrize("outcome", ["failed", "expired"])
def test_an_undelivered_mail_is_due_again_at_once(app, clock, mail, outcome):
    mail("lost", done_at=clock(), outcome=outcome, attempts=4, run_at=clock() - 90 * HOUR)
    clock.forward(HOUR)
    assert again(app, clock(), Outbox.id > 0) == 1
    with app.app_context():
        (due,) = queue.due(clock())
        assert (due.run_at, due.attempts) == (clock(), 4)
        assert queue.claim(due, clock()).attempts == 5


@pytest.mark.parametrize("outcome", ["sent", "dropped", "cancelled"])
def test_a_finished_mail_stays_finished(app, clock, mail, outcome):
    mail("done", done_at=clock(), outcome=outcome)
    assert again(app, clock(), Outbox.id > 0) == 0


def test_a_waiting_mail_is_tried_at_once(app, clock, mail):
    mail("resting", lease_until=clock() + RETRY_DELAYS[-1], attempts=6)
    assert again(app, clock(), Outbox.id > 0) == 1
    with app.app_context():
        assert [row.key for row in queue.due(clock())] == ["resting"]


@pytest.mark.both_databases
def test_a_claimed_mail_is_left_alone(app, clock, mail):
    mail("in hand", attempts=0)
    with app.app_context():
        (due,) = queue.due(clock())
        claimed = queue.claim(due, clock())
        assert outbox.try_again(clock(), Outbox.id > 0) == 0
        with transaction():
            queue.finish(claimed, clock(), "sent")
    assert rows(app)["in hand"].outcome == "sent"


def test_requeueing_by_number(app, clock, tegami, mail):
    one, two, sent = (
        mail(key, done_at=clock(), outcome=outcome)
        for key, outcome in (("one", "failed"), ("two", "expired"), ("sent", "sent"))
    )
    assert tegami("requeue", one).startswith("1 ")
    assert (rows(app)["one"].outcome, rows(app)["two"].outcome) == (None, "expired")
    assert "The others" in tegami("requeue", two, sent, status=1)
    assert (rows(app)["two"].outcome, rows(app)["sent"].outcome) == (None, "sent")
    tegami("requeue", status=2)
    tegami("requeue", "--lost", one, status=2)


@pytest.mark.both_databases
def test_requeueing_all_that_were_not_delivered(app, clock, tegami, mail):
    for number, outcome in enumerate(("failed", "expired", "dropped")):
        mail(str(number), done_at=clock(), outcome=outcome)
    assert tegami("requeue", "--lost").startswith("2 ")


def test_an_address_gets_mails_again(app, tegami, config, runtime):
    (config.data_dir / "secret.key").write_bytes(config.secret_key)
    (config.data_dir / "secret.key").chmod(0o600)
    services = app.extensions["tegami"]
    with app.app_context(), transaction():
        found = undelivered.Found(undelivered.NO_MAILBOX, "5.1.1")
        undelivered.note(runtime, services.config, "bob@example.org", found)
    assert "again" in tegami("lift", "Bob@example.org")
    assert execute(app, "SELECT * FROM suppressed") == []
    assert "Nothing stops" in tegami("lift", "bob@example.org", status=1)


def test_the_list_says_what_the_mail_server_answered(tegami, mail):
    mail(
        "spf", run_at=0, lease_until=system_clock() + HOUR, attempts=2, refusal="550 5.7.26 at DATA"
    )
    assert "tried 2x: 550 5.7.26 at DATA" in tegami("list")
