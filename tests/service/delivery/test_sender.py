"""The sender, against a real SMTP server: what is due arrives once, what is no longer relevant does not arrive."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from service.commands import outbox
from service.core.backoff import FIRST_WAIT, LONGEST_WAIT
from service.core.database import transaction
from service.core.time_and_random import rfc3339
from service.delivery.retries import RETRY_DELAYS
from service.delivery.sender import Sender, transport_of
from service.delivery.smtp import SmtpServer, SmtpTransport
from service.models.mail import Outbox
from service.outbox import queue, suppressed_addresses, undelivered, unsubscriptions
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import dump, execute
from tests.support.mail_kinds import KINDS, outcomes, rows, write, write_question
from tests.support.post_office import Office
from tests.support.servers.server import PATIENCE
from tests.support.servers.smtp_server import HANG_UP, MailServer

MINUTE = 60_000


@pytest.fixture
def server():
    with MailServer() as server:
        yield server


@pytest.fixture
def transport(server, request):
    """The transport to the server, which has so many seconds for each answer."""
    patience = getattr(request, "param", PATIENCE)
    made = SmtpTransport(SmtpServer.parse(server.url), "tegami@example.org", timeout=patience)
    yield made
    made.disconnect()


@pytest.fixture
def sender(app, transport):
    return Sender(app.extensions["tegami"], transport, KINDS)


@pytest.fixture
def deliver(app, sender):
    """Send everything that is due; how many mails that were."""

    def send_all():
        with app.app_context():
            return sender.send_all()

    return send_all


@pytest.fixture
def put(app, runtime):
    return lambda key, kind="plain", **more: write(app, runtime, key, kind, **more)


@pytest.fixture
def turn(app, runtime, cast):
    """A turn mail to alice, who is asked something in a game; the game as she sees it."""
    game_id = cast.start(CARAVAN)
    write_question(app, runtime, cast.alice, game_id)
    return cast.alice.game(game_id)


def digest(app, address):
    return suppressed_addresses.mailbox_digest(app.extensions["tegami"].config.secret_key, address)


def test_what_is_due_is_sent_and_marked(app, server, deliver, put, clock):
    put("one")
    put("later", run_at=clock() + 1)
    assert deliver() == 1
    (mail,) = server.mails
    assert mail.to == ["one@example.org"]
    assert mail.sender == "tegami@example.org"
    assert outcomes(app) == {"one": "sent", "later": None}
    assert rows(app)["one"].done_at == clock()
    assert deliver() == 0, "nothing is sent twice"
    assert len(server.mails) == 1


def test_a_batch_takes_one_connection(server, deliver, put):
    for number in range(5):
        put(f"n{number}")
    assert deliver() == 5
    assert len({mail.client for mail in server.mails}) == 1
    put("another")
    deliver()
    assert len({mail.client for mail in server.mails}) == 2, "it is not kept while nothing is due"


def test_without_due_mails_the_server_is_left_alone(app, server, deliver):
    stored = dump(app)
    assert deliver() == 0
    assert server.commands == [] and dump(app) == stored


# What is no longer relevant


def test_a_turn_mail_arrives(app, server, deliver, turn):
    deliver()
    assert server.mails[0].to == ["alice@example.org"]
    assert list(outcomes(app).values()) == ["sent"]


def test_no_mail_about_an_answered_question(app, cast, server, deliver, turn):
    cast.alice.answer(turn)
    assert deliver() == 1
    assert server.mails == [] and "MAIL" not in server.commands
    assert list(outcomes(app).values()) == ["dropped"]


@pytest.mark.parametrize("command", ["EHLO", "MAIL", "RCPT"])
def test_no_mail_about_a_question_answered_before_the_text_is_sent(
    app, cast, server, deliver, turn, command
):
    """However late: the last check is directly before the text."""
    server.when[command] = lambda: cast.alice.answer(turn)
    deliver()
    assert command in server.commands and "DATA" not in server.commands
    assert list(outcomes(app).values()) == ["dropped"]


def test_no_mail_about_a_question_answered_during_rendering(app, cast, server, transport, turn):
    def render(services, row):
        cast.alice.answer(turn)
        return KINDS["question"].render(services, row)

    kinds = {"question": KINDS["question"]._replace(render=render)}
    with app.app_context():
        Sender(app.extensions["tegami"], transport, kinds).send_all()
    assert server.mails == []
    assert list(outcomes(app).values()) == ["dropped"]


def test_the_connection_is_kept_after_a_dropped_mail(cast, server, deliver, put, turn):
    server.when["RCPT"] = lambda: cast.alice.answer(turn)
    put("next")
    deliver()
    assert [mail.to for mail in server.mails] == [["next@example.org"]]
    assert server.commands.count("EHLO") == 1


def test_an_answer_during_the_text_is_too_late(app, cast, server, deliver, turn):
    server.when["DATA"] = lambda: cast.alice.answer(turn)
    deliver()
    assert len(server.mails) == 1
    assert list(outcomes(app).values()) == ["sent"]


def test_a_cancelled_mail_is_not_sent(app, runtime, server, deliver, put):
    put("one")

    def call_back():
        with app.app_context(), transaction():
            queue.cancel(runtime, Outbox.key == "one")

    server.when["RCPT"] = call_back
    deliver()
    assert server.mails == []
    assert outcomes(app) == {"one": "cancelled"}


@pytest.mark.parametrize("command", [None, "EHLO", "RCPT"])
def test_no_mail_to_a_former_holder_of_the_seat(app, runtime, cast, server, deliver, command):
    """Even if the seat changes hands during the SMTP transaction."""
    game_id = cast.start()
    key = write_question(app, runtime, cast.alice, game_id)

    def resign():
        cast.alice.post(f"/api/games/{game_id}/resignation", status=200)

    if command:
        server.when[command] = resign
    else:
        resign()
    deliver()
    assert server.mails == [] and "DATA" not in server.commands
    assert outcomes(app)[key] == "cancelled"


def test_a_renderer_may_return_nothing(app, server, deliver, put):
    put("one", "nothing")
    deliver()
    assert server.mails == [] and outcomes(app) == {"one": "dropped"}


def test_no_mail_after_unsubscribing(app, cast, runtime, server, deliver, turn):
    def stop():
        with app.app_context(), transaction():
            unsubscriptions.unsubscribe(
                runtime, cast.alice.id, unsubscriptions.Unsubscription(kind="question")
            )

    server.when["RCPT"] = stop
    deliver()
    assert server.mails == []


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
    """The server accepted the mail, but its answer was lost."""
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
            assert undelivered.lift(services.config, "ALICE@example.org")
            assert not undelivered.lift(services.config, "alice@example.org")
        assert outbox.try_again(clock(), Outbox.id > 0) == 1
    assert cast.alice.get("/api/me")["player"]["undelivered"] is None
    deliver()
    assert [mail.to for mail in server.mails] == [["alice@example.org"]]


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


# Defects and the log


def test_a_defect_of_one_kind_delays_no_other_mail(app, server, deliver, put, capsys):
    put("bad", "broken", data={"say": "secret-card"})
    put("unknown", "of a newer release")
    put("good")
    deliver()
    assert outcomes(app) == {"bad": None, "unknown": None, "good": "sent"}
    told = execute(app, "SELECT refusal FROM outbox WHERE key = 'bad'")
    assert told == [("failed here: ZeroDivisionError",)], "doctor says so at once"
    logged = capsys.readouterr().err
    assert "ZeroDivisionError" in logged and "tests.support.mail_kinds" not in logged
    assert "secret-card" not in logged


def test_the_log_names_nobody(app, cast, server, deliver, put, turn, capsys):
    server.always["one@example.org"] = "550 5.1.1 one@example.org does not exist"
    put("one")
    put("two")
    deliver()
    logged = capsys.readouterr().err
    assert '"outcome": "sent"' in logged and '"550 5.1.1 at RCPT"' in logged
    for secret in ("example.org", "@", turn["tenure"], cast.alice.id):
        assert secret not in logged


# Several senders


def test_two_senders_share_the_rows(app, server, transport, put):
    other = SmtpTransport(SmtpServer.parse(server.url), "tegami@example.org")
    senders = [Sender(app.extensions["tegami"], each, KINDS) for each in (transport, other)]
    for number in range(8):
        put(f"n{number}")
    with app.app_context():
        while any(sender.send_one() for sender in senders):
            pass
    other.disconnect()
    assert sorted(mail.to[0] for mail in server.mails) == [f"n{n}@example.org" for n in range(8)]


# Which transport


@sqlite_only
def test_the_transport_is_the_one_that_is_set(config):
    on_this_machine = transport_of(config)
    assert type(on_this_machine).__name__ == "MailboxFolder"
    assert transport_of(replace(config, public_url="https://tegami.example")) is None
    assert transport_of(replace(config, public_url="http://tegami.example")) is None
    for url in ("https://localhost", "http://tegami.example"):
        chosen = transport_of(replace(config, public_url=url, smtp_url="smtp://mail.example"))
        assert type(chosen).__name__ == "SmtpTransport"
