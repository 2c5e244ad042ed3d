"""The sender, against a real SMTP server: due mails arrive once, and outdated ones do not arrive."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.core.database.database import transaction
from service.core.models.mail import Outbox
from service.notifications.mail_sending.sender import Sender, transport_of
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.outbox import queue, unsubscriptions
from tests.support.cast import sqlite_only
from tests.support.dump import dump, execute
from tests.support.mail_kinds import KINDS, outcomes, rows, write_question
from tests.support.sending import send_all

MINUTE = 60_000


@pytest.mark.both_databases
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


@pytest.mark.both_databases
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
        send_all(Sender(app.extensions["tegami"], transport, kinds))
    assert server.mails == []
    assert list(outcomes(app).values()) == ["dropped"]


def test_the_connection_is_kept_after_a_dropped_mail(cast, server, deliver, put, turn):
    server.when["RCPT"] = lambda: cast.alice.answer(turn)
    put("next")
    deliver()
    assert [mail.to for mail in server.mails] == [["next@example.org"]]
    assert server.commands.count("EHLO") == 1


@pytest.mark.both_databases
def test_an_answer_during_the_text_is_too_late(app, cast, server, deliver, turn):
    server.when["DATA"] = lambda: cast.alice.answer(turn)
    deliver()
    assert len(server.mails) == 1
    assert list(outcomes(app).values()) == ["sent"]


@pytest.mark.both_databases
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
    """This holds even if the seat changes hands during the SMTP transaction."""
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


@pytest.mark.both_databases
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


@sqlite_only
def test_an_address_that_cannot_be_written_holds_up_nothing(app, server, deliver, put):
    """The mail is closed at once: otherwise it would be tried again for days."""
    for n, address in enumerate(
        ["a@b.c\r\nBcc: eve@b.c", "Ann <a@b.c>", "=?utf-8?q?a=40b.c?=@d.e"]
    ):
        put(f"m{n}", address=address)
    put("good")
    deliver()
    assert outcomes(app) == {"m0": "failed", "m1": "failed", "m2": "failed", "good": "sent"}
    assert [mail.to for mail in server.mails] == [["good@example.org"]]
