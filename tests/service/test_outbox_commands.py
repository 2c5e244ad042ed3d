"""`tegami outbox`: what waits, what was lost, and another try."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from service import cli_outbox, outbox
from service.cli import main
from service.database import transaction
from service.models_mail import Outbox
from service.outbox import PAUSES
from service.outside import system_clock
from tests.service.dump import execute
from tests.service.letters import rows, write

HOUR = 3_600_000


@pytest.fixture
def tegami(config, database):
    """The command, on the same database."""
    environment = {"DATA_DIR": str(config.data_dir), "DATABASE_URL": database}

    def run(*words, status=0):
        done = CliRunner().invoke(main, ["outbox", *words], env=environment)
        assert done.exit_code == status, (done.output, done.exception)
        return done.output

    return run


@pytest.fixture
def fate(app, outside):
    """A mail with what has become of it; its number."""

    def make(key, **columns):
        write(app, outside, key)
        told = ", ".join(f"{name} = :{name}" for name in columns)
        execute(app, f"UPDATE outbox SET {told} WHERE key = :key", key=key, **columns)
        return str(rows(app)[key].id)

    return make


def again(app, now, *which):
    with app.app_context():
        return cli_outbox.try_again(now, *which)


def test_it_lists_what_waits_and_what_was_lost_without_addresses(app, tegami, fate):
    now = system_clock()
    fate("due", run_at=now - HOUR)
    fate("later", run_at=now + HOUR)
    fate("resting", run_at=now - HOUR, lease_until=now + HOUR, attempts=3)
    fate("refused", run_at=now - HOUR, done_at=now, outcome="failed", attempts=1)
    fate("sent", run_at=now - HOUR, done_at=now, outcome="sent", attempts=1)
    listed, every = tegami("list"), tegami("list", "--all")
    for word in ("due", "not due yet", "rests until", "failed", "tried 3x", "(an address)"):
        assert word in listed
    assert len(listed.splitlines()) == 4 and len(every.splitlines()) == 5
    assert "example.org" not in every
    assert len(tegami("list", "--most", "2").splitlines()) == 2


@pytest.mark.parametrize("outcome", ["failed", "expired"])
def test_a_lost_mail_is_due_again_at_once(app, clock, fate, outcome):
    fate("lost", done_at=clock(), outcome=outcome, attempts=4, run_at=clock() - 90 * HOUR)
    clock.forward(HOUR)
    assert again(app, clock(), Outbox.id > 0) == 1
    with app.app_context():
        (due,) = outbox.due(clock())
        assert (due.run_at, due.attempts) == (clock(), 4)
        assert outbox.claim(due, clock()).attempts == 5


@pytest.mark.parametrize("outcome", ["sent", "dropped", "cancelled"])
def test_what_was_done_stays_done(app, clock, fate, outcome):
    fate("done", done_at=clock(), outcome=outcome)
    assert again(app, clock(), Outbox.id > 0) == 0


def test_one_that_rests_is_tried_at_once(app, clock, fate):
    fate("resting", lease_until=clock() + PAUSES[-1], attempts=6)
    assert again(app, clock(), Outbox.id > 0) == 1
    with app.app_context():
        assert [row.key for row in outbox.due(clock())] == ["resting"]


def test_one_that_a_courier_has_in_hand_is_left_alone(app, clock, fate):
    fate("in hand", attempts=0)
    with app.app_context():
        (due,) = outbox.due(clock())
        claimed = outbox.claim(due, clock())
        assert cli_outbox.try_again(clock(), Outbox.id > 0) == 0
        with transaction():
            outbox.done(claimed, clock(), "sent")
    assert rows(app)["in hand"].outcome == "sent"


def test_the_command_tries_those_that_it_is_told(app, clock, tegami, fate):
    one, two, sent = (
        fate(key, done_at=clock(), outcome=outcome)
        for key, outcome in (("one", "failed"), ("two", "expired"), ("sent", "sent"))
    )
    assert tegami("requeue", one).startswith("1 ")
    assert (rows(app)["one"].outcome, rows(app)["two"].outcome) == (None, "expired")
    assert "The others" in tegami("requeue", two, sent, status=1)
    assert (rows(app)["two"].outcome, rows(app)["sent"].outcome) == (None, "sent")
    tegami("requeue", status=2)
    tegami("requeue", "--lost", one, status=2)


def test_the_command_tries_all_that_was_lost(app, clock, tegami, fate):
    for number, outcome in enumerate(("failed", "expired", "dropped")):
        fate(str(number), done_at=clock(), outcome=outcome)
    assert tegami("requeue", "--lost").startswith("2 ")
