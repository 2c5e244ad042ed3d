"""SMTP: signing in, never in the clear, and lost connections."""

from __future__ import annotations

import contextlib

import pytest

from service.core.settings.config import Config
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_sending.transport import PermanentFailure, TemporaryFailure
from service.notifications.mail_texts.message import Mail, compose
from tests.support.cast import START
from tests.support.servers.server import PATIENCE
from tests.support.servers.smtp_server import HANG_UP, MailServer

USERS = {"me@example.org": "p/w: @"}
SIGN_IN = "me%40example.org:p%2Fw%3A%20%40"


@pytest.fixture
def open_post():
    """A transport to a URL; it disconnects at the end."""
    with contextlib.ExitStack() as at_the_end:

        def made(url):
            post = SmtpTransport(SmtpServer.parse(url), "tegami@example.org", PATIENCE)
            at_the_end.callback(post.disconnect)
            return post

        yield made


@pytest.fixture
def config(tmp_path):
    return Config(
        data_dir=tmp_path, database_url="sqlite://", secret_key=bytes(32), signing_key=bytes(32)
    )


@pytest.fixture
def message(config):
    return lambda key="one": compose(
        config, START, key, Mail(f"{key}@example.org", "A letter", "Hello\n", "<p>Hello</p>")
    )


@pytest.mark.parametrize(
    ("url", "parsed"),
    [
        ("smtp://mail.example", ("mail.example", 587, "", "", False)),
        ("smtp://mail.example:25", ("mail.example", 25, "", "", False)),
        ("smtps://u:p@mail.example", ("mail.example", 465, "u", "p", True)),
        ("smtp://u%40x:p%2F%3A@[::1]:2525", ("::1", 2525, "u@x", "p/:", False)),
    ],
)
def test_smtp_url_is_parsed(url, parsed):
    server = SmtpServer.parse(url)
    assert (server.host, server.port, server.user, server.password, server.tls) == parsed


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://", "smtp://x:y"])
def test_other_urls_are_refused(url):
    with pytest.raises(ValueError):
        SmtpServer.parse(url)


def test_the_password_is_not_in_the_repr():
    assert "secret" not in repr(SmtpServer.parse("smtp://u:secret@mail.example"))


def test_it_signs_in_with_the_given_user(open_post, message):
    with MailServer(users=USERS) as server:
        post = open_post(f"smtp://{SIGN_IN}@{server.host}:{server.port}")
        post.connect()
        assert post.send(message(), lambda: True)
        assert server.signed_in == ["me@example.org"]


def test_a_wrong_password_is_a_temporary_failure(open_post):
    with MailServer(users=USERS) as server:
        post = open_post(f"smtp://me:wrong@{server.host}:{server.port}")
        with pytest.raises(TemporaryFailure) as trouble:
            post.connect()
        assert trouble.value.reply.code == 535


def test_no_password_travels_in_the_clear(open_post):
    """127.0.0.2 stands for another machine: it is not one of this machine's names."""
    with MailServer("127.0.0.2", users=USERS) as server:
        post = open_post(f"smtp://{SIGN_IN}@{server.host}:{server.port}")
        with pytest.raises(TemporaryFailure):
            post.connect()
        assert server.commands == ["EHLO"]
        assert server.signed_in == []


def test_nothing_is_sent_where_tls_was_expected(open_post):
    with MailServer() as server:
        post = open_post(server.url.replace("smtp:", "smtps:"))
        with pytest.raises(TemporaryFailure):
            post.connect()
        assert server.commands == []


def test_a_connection_closed_by_the_server_is_replaced(open_post, message):
    with MailServer() as server:
        post = open_post(server.url)
        for key, said in (("one", None), ("two", HANG_UP), ("three", "421 too long"), ("four", "")):
            server.reply["NOOP"] = [said] if said else []
            post.connect()
            assert post.send(message(key), lambda: True)
        one, two, three, four = (mail.client for mail in server.mails)
        assert len({one, two, three}) == 3 and three == four


def test_an_unreachable_server_is_a_temporary_failure(open_post, message):
    with MailServer() as server:
        url = server.url
    post = open_post(url)
    with pytest.raises(TemporaryFailure):
        post.connect()
    with pytest.raises(TemporaryFailure):
        post.send(message(), lambda: True)


@pytest.mark.parametrize(
    ("command", "said", "trouble"),
    [
        ("MAIL", "450 later", TemporaryFailure),
        ("MAIL", "550 not from you", TemporaryFailure),
        ("MAIL", "530 sign in first", TemporaryFailure),
        ("RCPT", "450 full", TemporaryFailure),
        ("RCPT", "530 sign in first", TemporaryFailure),
        ("RCPT", "550 nobody here", TemporaryFailure),
        ("RCPT", "550 5.1.1 nobody here", PermanentFailure),
        ("RCPT", "553 5.1.10 null MX", PermanentFailure),
        ("RCPT", "550 5.2.1 disabled", PermanentFailure),
        ("RCPT", "552 5.2.2 full", TemporaryFailure),
        ("RCPT", "550 5.1.8 your domain does not exist", TemporaryFailure),
        ("RCPT", "550 5.1.15x is no status", TemporaryFailure),
        ("RCPT", "550 5.7.26 no SPF", TemporaryFailure),
        ("MAIL", "550 5.1.1 not from you", TemporaryFailure),
        ("DATA", "451 later", TemporaryFailure),
        ("DATA", "554 not this", TemporaryFailure),
        ("DATA", "550 5.1.1 nobody here", TemporaryFailure),
        ("DATA", "550 5.7.26 no SPF", TemporaryFailure),
        ("TAKEN", "452 no room", TemporaryFailure),
    ],
)
def test_only_a_missing_mailbox_ends_the_tries(open_post, message, command, said, trouble):
    with MailServer() as server:
        post = open_post(server.url)
        server.reply[command] = [said]
        with pytest.raises(trouble) as found:
            post.send(message(), lambda: True)
        assert found.value.reply.code == int(said[:3])
        assert post.send(message("two"), lambda: True), "the connection is as good as before"
        assert server.commands.count("EHLO") == 1


def test_a_failing_check_sends_nothing(open_post, message):
    with MailServer() as server:
        post = open_post(server.url)
        with pytest.raises(ZeroDivisionError):
            post.send(message(), lambda: bool(1 / 0))
        assert server.mails == []
        assert post.send(message(), lambda: True), "over a new connection"
        assert server.commands.count("EHLO") == 2


def test_a_line_with_a_dot_arrives(config, open_post):
    said = "one\n.\n..two\n"
    with MailServer() as server:
        letter = Mail("bob@example.org", "A letter", said, "<p>Hello</p>")
        open_post(server.url).send(compose(config, START, "one", letter), lambda: True)
        assert server.mails[0].text().replace("\r\n", "\n") == said
