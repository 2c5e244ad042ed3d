"""Refused mails: they are tried again or given up, or their address gets no more of them."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from service.core.database.database import transaction
from service.core.models.mail import Outbox
from service.core.runtime.backoff import FIRST_WAIT, LONGEST_WAIT
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY
from service.notifications.mail_sending.sender import Sender, transport_of
from service.notifications.retries import RETRY_DELAYS
from service.operations.commands import outbox
from service.outbox.addresses import return_addresses, suppressed_addresses, undelivered
from service.web.app import create_app
from service.web.http.caller.context import current_services
from tests.support.cast import sqlite_only
from tests.support.dump import execute
from tests.support.mail_kinds import KINDS, outcomes, rows
from tests.support.post_office import Office
from tests.support.sending import send_all
from tests.support.servers.smtp_server import HANG_UP

MINUTE = 60_000


def digest(app, address):
    return suppressed_addresses.mailbox_digest(app.extensions["tegami"].config.secret_key, address)


# Temporary failures


@sqlite_only
@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("said", ["450 busy", "421 going down", HANG_UP])
def test_a_mail_is_tried_again_after_a_temporary_failure(
    app, server, deliver, put, clock, command, said
):
    put("one")
    server.reply[command] = [said]
    deliver()
    assert server.mails == []
    assert outcomes(app) == {"one": None}
    clock.forward(RETRY_DELAYS[0] - 1)
    assert deliver() == 0
    clock.forward(1)
    assert deliver() == 1
    assert len(server.mails) == 1
    assert outcomes(app) == {"one": "sent"}


@sqlite_only
@pytest.mark.parametrize("transport", [0.5], indirect=True)
@pytest.mark.parametrize("command", ["MAIL", "RCPT", "DATA", "TAKEN"])
def test_a_mail_is_tried_again_after_a_timeout(app, server, deliver, put, clock, command):
    put("one")
    server.slow[command] = 1.0
    deliver()
    assert outcomes(app) == {"one": None}
    server.slow.clear()
    clock.forward(RETRY_DELAYS[0])
    deliver()
    assert outcomes(app) == {"one": "sent"}
    assert len({mail.id for mail in server.mails}) == 1


@pytest.mark.parametrize("said", ["451 lost it", HANG_UP])
def test_a_repeat_has_the_same_message_id(app, server, deliver, put, clock, said):
    """The server accepted the mail, but its response was lost."""
    put("one")
    server.reply["TAKEN"] = [said]
    deliver()
    assert outcomes(app) == {"one": None}
    clock.forward(RETRY_DELAYS[0])
    deliver()
    first, second = server.mails
    assert first.id == second.id
    assert outcomes(app) == {"one": "sent"}


def test_a_temporary_failure_of_one_address_delays_no_other(app, server, deliver, put):
    for key in ("a", "b", "c"):
        put(key)
    server.always["b@example.org"] = "450 full"
    deliver()
    assert outcomes(app) == {"a": "sent", "b": None, "c": "sent"}
    assert server.commands.count("EHLO") == 1, "over the same connection"


def test_a_server_out_of_reach_is_no_attempt(app, server, deliver, put, clock):
    put("one")
    server.stop()
    assert deliver() == 0
    row = rows(app)["one"]
    assert (row.attempts, row.lease_until) == (0, 0)
    server.start()
    assert deliver() == 0, "not at once"
    clock.forward(FIRST_WAIT)
    assert deliver() == 1
    assert len(server.mails) == 1


@sqlite_only
def test_the_server_is_tried_less_and_less_often(server, transport, deliver, put, clock):
    put("one")
    server.stop()
    tries, connect = [], transport.connect
    transport.connect = lambda: (tries.append(clock()), connect())
    for _ in range(200):
        deliver()
        clock.forward(1000)
    waits = [(later - sooner) // 1000 for sooner, later in itertools.pairwise(tries)]
    assert waits == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_server_out_of_reach_is_logged_once_and_its_return_too(
    server, deliver, put, clock, capsys
):
    put("one")
    server.stop()
    for _ in range(3):
        deliver()
        clock.forward(LONGEST_WAIT)
    (said,) = capsys.readouterr().err.splitlines()
    assert '"failing"' in said and '"cause": "mail server out of reach"' in said
    server.start()
    deliver()
    said = capsys.readouterr().err
    assert '"recovered"' in said and '"failures": 3' in said and '"seconds": 180' in said


@pytest.mark.parametrize("command", ["EHLO", "MAIL"])
def test_a_server_that_refuses_us_suppresses_no_address(app, server, deliver, put, clock, command):
    put("one")
    server.reply[command] = ["550 not from you"]
    if command == "EHLO":
        server.reply["EHLO"] *= 2
    deliver()
    assert execute(app, "SELECT * FROM suppressed") == []
    clock.forward(RETRY_DELAYS[0])
    deliver()
    assert outcomes(app) == {"one": "sent"}


# Permanent failures


@pytest.mark.both_databases
@pytest.mark.parametrize("said", ["550 5.1.1 nobody here", "550 5.2.1 disabled"])
def test_a_missing_mailbox_gets_no_more_mail(app, server, deliver, put, said):
    put("first", address="Bob@example.org")
    server.reply["RCPT"] = [said]
    deliver()
    put("second", address="bob@example.org")
    put("other")
    deliver()
    assert outcomes(app) == {"first": "failed", "second": "failed", "other": "sent"}
    assert rows(app)["first"].refusal == f"{said[:9]} at RCPT"
    assert rows(app)["second"].refusal == "no such mailbox", "it can be requeued"
    assert [mail.to for mail in server.mails] == [["other@example.org"]]
    assert server.commands.count("EHLO") == 2, "one a batch: it goes on after a refusal"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("MAIL", "550 5.1.1 not from you"),
        ("RCPT", "550 nobody says why"),
        ("RCPT", "550 5.7.1 blocked"),
        ("DATA", "550 5.7.26 your SPF record is missing"),
        ("DATA", "550 5.1.1 says the content filter"),
    ],
)
def test_any_other_refusal_is_the_servers_trouble(
    app, cast, server, deliver, turn, clock, command, said
):
    Office(app).address(cast.alice)
    server.reply[command] = [said]
    deliver()
    (row,) = rows(app).values()
    assert row.outcome is None and row.refusal.startswith(said[:3])
    assert row.refusal.endswith(f"at {command}")
    assert execute(app, "SELECT * FROM suppressed") == []
    told = cast.alice.get("/api/me")["player"]["undelivered"]
    assert told == {"why": "refused", "since": rfc3339(clock())}
    clock.forward(RETRY_DELAYS[0])
    deliver()
    assert list(outcomes(app).values()) == ["sent"]
    assert cast.alice.get("/api/me")["player"]["undelivered"] is None


def test_a_busy_server_alarms_nobody(app, cast, server, deliver, turn):
    Office(app).address(cast.alice)
    server.reply["RCPT"] = ["450 4.2.0 greylisted"]
    deliver()
    assert cast.alice.get("/api/me")["player"]["undelivered"] is None


@pytest.mark.both_databases
@pytest.mark.parametrize("said", ["452 4.2.2 mailbox full", "552 5.2.2 over quota"])
def test_a_mailbox_that_is_full_for_three_days_pauses(
    app, cast, server, deliver, turn, clock, said
):
    Office(app).address(cast.alice)
    began = clock()
    server.always["alice@example.org"] = said
    deliver()
    assert cast.alice.get("/api/me")["player"]["undelivered"]["why"] == "over-quota"
    assert [row.refusal for row in rows(app).values()] == [f"{said[:9]} at RCPT"]
    clock.forward(2 * DAY)
    deliver()
    assert cast.alice.get("/api/me")["player"]["undelivered"]["why"] == "over-quota"
    clock.forward(DAY)
    deliver()
    told = cast.alice.get("/api/me")["player"]["undelivered"]
    assert told == {"why": "full", "since": rfc3339(began)}
    execute(app, "UPDATE outbox SET done_at = NULL, outcome = NULL, lease_until = 0")
    del server.always["alice@example.org"]
    deliver()
    assert server.mails == [], "nothing is sent meanwhile"
    clock.forward(undelivered.FULL_FOR)
    execute(app, "UPDATE outbox SET done_at = NULL, outcome = NULL, lease_until = 0")
    deliver()
    assert len(server.mails) == 1
    assert cast.alice.get("/api/me")["player"]["undelivered"] is None


@sqlite_only
def test_each_mail_comes_back_by_an_address_of_its_own(app, config, server, put, runtime):
    """If no mail comes in, all of them have the same sender."""
    for key in ("a", "b"):
        put(key)
    put("c", address="a@example.org")
    ours = replace(config, incoming_mail="*@reply.tegami.example", smtp_url=server.url)
    with create_app(ours, runtime).app_context():
        sender = Sender(current_services(), transport_of(ours), KINDS)
        assert send_all(sender) == 3
        sender.disconnect()
    found = {mail.sender: mail.to[0] for mail in server.mails}
    assert len(found) == 3
    for sent_by, to in found.items():
        assert len(sent_by.partition("@")[0]) <= 64, "RFC 5321 allows no longer part"
        returning = return_addresses.read(ours, sent_by)
        assert returning is not None and returning.is_of(ours, runtime.now(), to)


def test_a_player_without_a_mailbox_is_told_and_the_operator_can_lift_it(
    app, cast, server, deliver, put, turn, clock
):
    Office(app).address(cast.alice)
    server.reply["RCPT"] = ["550 5.1.1 nobody here"]
    deliver()
    assert cast.alice.get("/api/me")["player"]["undelivered"]["why"] == "no-mailbox"
    services = app.extensions["tegami"]
    with app.app_context():
        with transaction():
            assert undelivered.lift(services, services.config, "ALICE@example.org")
            assert not undelivered.lift(services, services.config, "alice@example.org")
        assert outbox.try_again(clock(), Outbox.id > 0) == 1
    assert cast.alice.get("/api/me")["player"]["undelivered"] is None
    deliver()
    assert [mail.to for mail in server.mails] == [["alice@example.org"]]


@pytest.mark.both_databases
def test_a_refused_address_can_be_verified_again(app, server, deliver, put):
    server.always["bob@example.org"] = "550 5.1.1 nobody here"
    put("first", address="bob@example.org")
    deliver()
    server.always.clear()
    put("verify", "verify", address="bob@example.org")
    put("too soon", address="bob@example.org")
    deliver()
    with app.app_context(), transaction():
        suppressed_addresses.lift(digest(app, "BOB@example.org"), suppressed_addresses.REFUSED)
    put("again", address="bob@example.org")
    deliver()
    assert outcomes(app) == {
        "first": "failed",
        "verify": "sent",
        "too soon": "failed",
        "again": "sent",
    }


def test_only_a_digest_of_a_refused_address_is_stored(app, server, deliver, put):
    server.always["RCPT"] = "550 5.1.1 nobody here"
    put("first", address="bob@example.org")
    deliver()
    (row,) = execute(app, "SELECT * FROM suppressed")
    assert row.reason == "refused"
    assert bytes(row.digest) == digest(app, "bob@example.org")
    assert b"bob" not in bytes(row.digest)


def test_stopping_invitations_stops_nothing_else(app, runtime, server, deliver, put):
    with app.app_context(), transaction():
        secret = app.extensions["tegami"].config.secret_key
        owner = suppressed_addresses.owner_digest(secret, "bob@example.org")
        suppressed_addresses.suppress(runtime, owner, suppressed_addresses.STRANGERS)
        suppressed_addresses.lift(owner, suppressed_addresses.REFUSED)
    put("invitation", "invitation", address="bob@example.org")
    put("plain", address="bob@example.org")
    deliver()
    assert outcomes(app) == {"invitation": "dropped", "plain": "sent"}
