"""Mail by LMTP: what a mail server hands over, one message after the other over one connection."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from service.core.settings.config import ROOT
from service.notifications.incoming_mail.reading.message import LONGEST
from service.operations.receiving import lmtp
from service.operations.receiving.handing_over import Outcome
from service.operations.receiving.lmtp import CannotListen, reply_of
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.operator_command import run
from tests.support.post_office import Office
from tests.support.returned import dsn
from tests.support.servers.lmtp import answers, listening, sent, speaking
from tests.support.servers.server import PATIENCE, free_port, wait_until
from tests.support.talking import heard


@pytest.fixture
def config(config):
    return replace(config, incoming_mail="reply@tegami.example")


@pytest.fixture
def office(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    return office


@pytest.fixture
def game_id(cast, office):
    return cast.start(CARAVAN)


@pytest.fixture
def mails(office, game_id):
    """By address, a turn mail."""
    return {str(each["To"]): each for each in office.deliver()}


@pytest.fixture(name="listening")
def _listening(app):
    """Accept messages while a test runs."""
    with listening(app) as port:
        yield port


def answer(mail, text="I am off until Friday.", number=1):
    message = EmailMessage()
    message["From"], message["To"] = mail["To"], mail["Reply-To"]
    message["Message-ID"] = f"<{number}@example.org>"
    message.set_content(text)
    return message.as_bytes()


@pytest.mark.both_databases
def test_many_messages_come_over_one_connection(cast, office, game_id, mails, listening):
    mail = mails["alice@example.org"]
    to, back = parseaddr(str(mail["Reply-To"]))[1], office.post.returns["bob@example.org"]
    with speaking(listening) as server:
        for number in range(3):
            data = answer(mail, f"Hello {number}.", number)
            assert [code for code, _ in sent(server, "alice@example.org", [to], data)] == [250]
        assert [code for code, _ in sent(server, "", [back], dsn(back))] == [250]
    assert heard(cast.bob, game_id) == ["Hello 0.", "Hello 1.", "Hello 2."]
    assert cast.bob.get("/api/me")["player"]["undelivered"]["why"] == "no-mailbox"


@sqlite_only
def test_each_recipient_gets_an_answer_of_its_own(cast, game_id, mails, listening):
    mail = mails["alice@example.org"]
    to = parseaddr(str(mail["Reply-To"]))[1]
    with speaking(listening) as server:
        recipients = ["reply+y@tegami.example", to, "reply+x@tegami.example"]
        replies = sent(server, "alice@example.org", recipients, answer(mail))
        assert [code for code, _ in replies] == [550, 250, 550]
        assert b"5.1.1 This address takes no replies" in replies[0][1]
        too_long = answer(mail) + b"x" * LONGEST
        replies = sent(server, "alice@example.org", [to, to], too_long)
        assert [code for code, _ in replies] == [552, 552]
        assert server.noop()[0] == 250, "and goes on"
    assert len(heard(cast.bob, game_id)) == 1


@sqlite_only
def test_a_player_is_told_in_their_language(cast, office, mails, listening):
    mail = mails["alice@example.org"]
    office.change("UPDATE players SET language = 'ja'", cast.alice)
    with speaking(listening) as server:
        to = parseaddr(str(mail["Reply-To"]))[1]
        ((code, told),) = sent(server, "alice@example.org", [to], answer(mail, " "))
    assert code == 554 and told.decode().startswith("5.6.0 引用より上に何も")


@sqlite_only
def test_a_connection_that_says_nothing_holds_up_no_other(cast, game_id, mails, listening):
    mail = mails["alice@example.org"]
    to = parseaddr(str(mail["Reply-To"]))[1]
    with (
        socket.create_connection(("127.0.0.1", listening), PATIENCE) as silent,
        speaking(listening) as server,
    ):
        silent.sendall(b"LHLO x\r\nMAIL FROM:<a@example.org>\r\n")
        sent(server, "alice@example.org", [to], answer(mail))
    assert len(heard(cast.bob, game_id)) == 1


@sqlite_only
def test_a_mail_server_that_hangs_up_does_not_end_it(cast, game_id, mails, listening):
    """Nobody waits for the outcome of its message any more; the next one is accepted."""
    mail = mails["alice@example.org"]
    to = parseaddr(str(mail["Reply-To"]))[1]
    for number in range(2, 5):
        with socket.create_connection(("127.0.0.1", listening), PATIENCE) as line:
            line.sendall(
                b"LHLO x\r\nMAIL FROM:<alice@example.org>\r\nRCPT TO:<%b>\r\nRCPT TO:<%b>\r\n"
                % (to.encode(), to.encode())
            )
            line.sendall(b"DATA\r\n" + answer(mail, number=number) + b"\r\n.\r\n")
    with speaking(listening) as server:
        sent(server, "alice@example.org", [to], answer(mail))
    assert "I am off until Friday." in heard(cast.bob, game_id)


@sqlite_only
def test_there_is_room_for_so_many_connections(listening):
    with speaking(listening):
        held = [socket.create_connection(("127.0.0.1", listening)) for _ in range(25)]
        greetings = [each.makefile("rb").readline()[:3] for each in held]
        for each in held:
            each.close()
    assert set(greetings) == {b"220", b"421"}
    assert greetings.count(b"220") < lmtp.MOST_CONNECTIONS


@sqlite_only
def test_what_is_no_lmtp_is_refused(listening):
    with socket.create_connection(("127.0.0.1", listening), PATIENCE) as line:
        line.sendall(b"EHLO x\r\nLHLO " + b"x" * 5000 + b"\r\n\xff\r\nQUIT\r\n")
        said = line.makefile("rb").read().decode().splitlines()
    assert [each[:3] for each in said] == ["220", "500", "500", "500", "221"]


@pytest.mark.parametrize(
    ("outcome", "reply"),
    [
        (Outcome(os.EX_OK, "said"), "250 2.0.0 OK"),
        (Outcome(os.EX_TEMPFAIL, "database", ("Later.",)), "451 4.3.0 Later."),
        (
            Outcome(os.EX_NOUSER, "x", ("No\r\n250.", "Nein.")),
            "550-5.1.1 No 250.\r\n550 5.1.1 Nein.",
        ),
        (Outcome(99, "x", ("What?",)), "451 4.3.0 What?"),
    ],
)
def test_replies(outcome, reply):
    assert reply_of(outcome) == reply


@sqlite_only
def test_a_port_that_is_taken_is_named(app, listening):
    with pytest.raises(CannotListen):
        lmtp.receive(app, ("127.0.0.1", listening), threading.Event())


@sqlite_only
def test_the_command_takes_mail_until_it_is_stopped(cast, config, game_id, mails):
    (config.data_dir / "secret.key").write_bytes(config.secret_key)
    port, mail = free_port(), mails["alice@example.org"]
    settings = {
        "INCOMING_MAIL": config.incoming_mail,
        "INCOMING_LMTP": f"127.0.0.1:{port}",
        "DATABASE_URL": config.database_url,
        "DATA_DIR": str(config.data_dir),
        "PUBLIC_URL": config.public_url,
    }
    command = [sys.executable, "-m", "service.operations.commands", "receive-mail", "--lmtp"]
    running = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **settings}, stderr=subprocess.PIPE
    )
    try:
        wait_until(lambda: answers(port), "it listens")
        with speaking(port) as server:
            to = parseaddr(str(mail["Reply-To"]))[1]
            ((code, _),) = sent(server, "alice@example.org", [to], answer(mail))
        assert code == 250
    finally:
        running.terminate()
        _, logged = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0
    assert heard(cast.bob, game_id) == ["I am off until Friday."]
    assert b'"outcome": "said"' in logged
    assert b"example.org" not in logged and b"Friday" not in logged


@sqlite_only
def test_the_command_says_which_setting_is_missing(config):
    done = run(config, "receive-mail", "--lmtp", status=1)
    assert "INCOMING_MAIL and INCOMING_LMTP have to be set" in done.output
