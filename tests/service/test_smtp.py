"""SMTP as the service speaks it: signing in, never in the clear, and connections that end."""

from __future__ import annotations

import contextlib

import pytest

from service.config import Config
from service.mail.letter import Letter, compose
from service.post import Later, Refused
from service.smtp import SmtpPost, SmtpServer
from tests.service.cast import START
from tests.service.smtp import HANG_UP, MailServer

USERS = {"me@example.org": "p/w: @"}
SIGN_IN = "me%40example.org:p%2Fw%3A%20%40"


@pytest.fixture
def open_post():
    """A post over a URL; it hangs up at the end."""
    with contextlib.ExitStack() as at_the_end:

        def made(url):
            post = SmtpPost(SmtpServer.parse(url), "tegami@example.org", timeout=1.0)
            at_the_end.callback(post.rest)
            return post

        yield made


@pytest.fixture
def config(tmp_path):
    return Config(data_dir=tmp_path, database_url="sqlite://", secret_key=bytes(32))


@pytest.fixture
def message(config):
    return lambda key="one": compose(
        config, START, key, Letter(f"{key}@example.org", "A letter", "Hello\n", "<p>Hello</p>")
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
def test_the_setting_is_an_address(url, parsed):
    server = SmtpServer.parse(url)
    assert (server.host, server.port, server.user, server.password, server.tls) == parsed


@pytest.mark.parametrize("url", ["mail.example", "http://mail.example", "smtp://", "smtp://x:y"])
def test_other_settings_are_refused(url):
    with pytest.raises(ValueError):
        SmtpServer.parse(url)


def test_the_password_is_in_no_text():
    assert "secret" not in repr(SmtpServer.parse("smtp://u:secret@mail.example"))


def test_it_signs_in_where_the_setting_says_so(open_post, message):
    with MailServer(users=USERS) as server:
        post = open_post(f"smtp://{SIGN_IN}@{server.host}:{server.port}")
        post.ready()
        assert post.send(message(), lambda: True)
        assert server.signed_in == ["me@example.org"]


def test_a_wrong_password_is_tried_later(open_post):
    with MailServer(users=USERS) as server:
        post = open_post(f"smtp://me:wrong@{server.host}:{server.port}")
        with pytest.raises(Later) as trouble:
            post.ready()
        assert trouble.value.code == 535


def test_no_password_travels_in_the_clear(open_post):
    """127.0.0.2 stands for another machine: it is not one of the names of this one."""
    with MailServer("127.0.0.2", users=USERS) as server:
        post = open_post(f"smtp://{SIGN_IN}@{server.host}:{server.port}")
        with pytest.raises(Later):
            post.ready()
        assert server.commands == ["EHLO"]
        assert server.signed_in == []


def test_who_expects_tls_says_nothing_without_it(open_post):
    with MailServer() as server:
        post = open_post(server.url.replace("smtp:", "smtps:"))
        with pytest.raises(Later):
            post.ready()
        assert server.commands == []


def test_a_connection_that_the_server_gave_up_is_made_anew(open_post, message):
    with MailServer() as server:
        post = open_post(server.url)
        for key, said in (("one", None), ("two", HANG_UP), ("three", "421 too long"), ("four", "")):
            server.reply["NOOP"] = [said] if said else []
            post.ready()
            assert post.send(message(key), lambda: True)
        one, two, three, four = (mail.client for mail in server.mails)
        assert len({one, two, three}) == 3 and three == four


def test_nobody_there_is_later(open_post, message):
    with MailServer() as server:
        url = server.url
    post = open_post(url)
    with pytest.raises(Later):
        post.ready()
    with pytest.raises(Later):
        post.send(message(), lambda: True)


@pytest.mark.parametrize(
    ("command", "said", "trouble"),
    [
        ("MAIL", "450 later", Later),
        ("MAIL", "550 not from you", Later),
        ("MAIL", "530 sign in first", Later),
        ("RCPT", "450 full", Later),
        ("RCPT", "530 sign in first", Later),
        ("RCPT", "550 nobody here", Refused),
        ("DATA", "451 later", Later),
        ("DATA", "554 not this", Refused),
        ("TAKEN", "452 no room", Later),
    ],
)
def test_what_is_said_decides_whether_to_try_again(open_post, message, command, said, trouble):
    with MailServer() as server:
        post = open_post(server.url)
        server.reply[command] = [said]
        with pytest.raises(trouble) as found:
            post.send(message(), lambda: True)
        assert found.value.code == int(said[:3])
        assert post.send(message("two"), lambda: True), "the connection is as good as before"
        assert server.commands.count("EHLO") == 1


def test_a_look_that_fails_sends_nothing(open_post, message):
    with MailServer() as server:
        post = open_post(server.url)
        with pytest.raises(ZeroDivisionError):
            post.send(message(), lambda: bool(1 / 0))
        assert server.mails == []
        assert post.send(message(), lambda: True), "over a new connection"
        assert server.commands.count("EHLO") == 2


def test_a_line_with_a_point_arrives(config, open_post):
    said = "one\n.\n..two\n"
    with MailServer() as server:
        letter = Letter("bob@example.org", "A letter", said, "<p>Hello</p>")
        open_post(server.url).send(compose(config, START, "one", letter), lambda: True)
        assert server.mails[0].text().replace("\r\n", "\n") == said
