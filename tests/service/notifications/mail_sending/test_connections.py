"""Several connections to the mail server, and how long a sender keeps a mail that it has claimed."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

import pytest

from service.core.runtime.units import SECOND
from service.notifications.mail_sending.sender import Sender, Shared, senders_of
from service.notifications.mail_sending.smtp import TIME_LIMIT, SmtpServer, SmtpTransport
from service.operations.worker.loop import beside
from service.operations.worker.sending import send_mails
from service.outbox.queue import LEASE, LONGEST_CLAIM
from tests.support.mail_kinds import KINDS, outcomes, rows
from tests.support.post_office import HeldLetters, Letters
from tests.support.servers.server import PATIENCE, wait_until

CONNECTIONS = 4


@pytest.fixture
def sent(app, server):
    """Send due mails over several connections until this number has arrived; returns the connections that sent them."""

    def send(number):
        services = app.extensions["tegami"]
        shared, stop = Shared(services, CONNECTIONS), threading.Event()
        with ExitStack() as threads:
            for _ in range(CONNECTIONS):
                made = SmtpTransport(SmtpServer.parse(server.url), "tegami@example.org")
                sender = Sender(services, made, KINDS, shared=shared)
                run = partial(send_mails, app, stop, sender, stop.wait)
                threads.enter_context(beside(stop, "sender", run))
            return {mail.client for mail in server.wait_for(number)}

    return send


def test_mails_leave_by_several_connections_and_each_once(app, put, server, sent):
    server.slow["RCPT"] = 0.05
    for number in range(20):
        put(f"n{number}", address=f"n@{number}.example")
    assert 1 < len(sent(20)) <= CONNECTIONS
    assert set(outcomes(app).values()) == {"sent"}
    assert len(server.mails) == 20


def test_half_of_the_connections_at_most_lead_to_one_domain(app, put):
    """This holds however many wait for it, even though mails to other domains came later."""
    shared, go = Shared(app.extensions["tegami"], CONNECTIONS), threading.Event()
    for number in range(30):
        put(f"n{number}", address=f"n{number}@Busy.example")
    put("other", address="n@other.example")
    arrived = HeldLetters("@Busy.example", go)
    stop = threading.Event()
    with ExitStack() as threads:
        for _ in range(CONNECTIONS):
            sender = Sender(app.extensions["tegami"], arrived, KINDS, shared=shared)
            run = partial(send_mails, app, stop, sender, stop.wait)
            threads.enter_context(beside(stop, "sender", run))
        threads.callback(go.set)
        wait_until(lambda: outcomes(app)["other"] == "sent", "the one to another domain")
        wait_until(lambda: arrived.waiting == CONNECTIONS // 2, "as many as may")
        go.set()
        wait_until(lambda: set(outcomes(app).values()) == {"sent"}, "all")
    assert arrived.most == CONNECTIONS // 2


def test_a_single_mail_needs_a_single_connection(put, server, sent):
    put("one")
    sent(1)
    assert server.commands.count("EHLO") == 1


def test_the_settings_say_how_many(app, config):
    services = app.extensions["tegami"]
    by_smtp = replace(config, smtp_url="smtp://mail.example", smtp_connections=3)
    assert len(senders_of(replace(services, config=by_smtp))) == 3
    assert len(senders_of(services)) == 1  # into a folder


@pytest.mark.of_service
@pytest.mark.parametrize("slow", ["MAIL", "RCPT", "TAKEN"])
def test_a_mail_takes_so_long_and_no_longer(app, put, server, slow):
    """Though the server answers each command in time."""
    server.slow[slow] = PATIENCE
    put("one")
    made = SmtpTransport(
        SmtpServer.parse(server.url), "tegami@example.org", timeout=2 * PATIENCE, time_limit=2
    )
    with app.app_context():
        assert Sender(app.extensions["tegami"], made, KINDS).send_one()
    assert rows(app)["one"].outcome is None
    assert rows(app)["one"].lease_until > 0


class Slow(Letters):
    """A mail server that takes nearly as long as allowed, before the text and with it."""

    def __init__(self, clock, meanwhile):
        super().__init__()
        self.clock, self.meanwhile = clock, meanwhile

    def send(self, message, still_wanted):
        self.clock.forward(int(TIME_LIMIT * SECOND))
        self.meanwhile()
        is_wanted = still_wanted()
        self.clock.forward(int(TIME_LIMIT * SECOND))
        self.meanwhile()
        if is_wanted:
            self.sent.append(message)
        return is_wanted


@pytest.mark.both_databases
def test_a_mail_that_is_being_sent_is_sent_by_nobody_else(app, put, clock):
    """Its claim lasts a minute, and is renewed at the last check."""
    services, other = app.extensions["tegami"], Letters()
    second = Sender(services, other, KINDS)
    put("one")
    first = Slow(clock, second.send_one)
    with app.app_context():
        Sender(services, first, KINDS).send_one()
    assert (len(first.sent), other.sent) == (1, [])
    assert 2 * TIME_LIMIT * SECOND < LONGEST_CLAIM == 2 * LEASE
    assert rows(app)["one"].outcome == "sent"


@pytest.mark.both_databases
def test_what_a_killed_sender_had_is_sent_after_a_minute(app, put, clock):
    class Killed(BaseException):
        pass

    class Dying(Letters):
        def send(self, _message, _still_wanted):
            raise Killed

    services, other = app.extensions["tegami"], Letters()
    put("one")
    with app.app_context():
        with pytest.raises(Killed):
            Sender(services, Dying(), KINDS).send_one()
        second = Sender(services, other, KINDS)
        clock.forward(60 * SECOND - 1)
        assert not second.send_one()
        clock.forward(1)
        assert second.send_one()
    assert len(other.sent) == 1
