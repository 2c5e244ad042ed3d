"""The message on the wire: its headers for threads and unsubscribing, its encoding, its parts."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest

from service.core.settings.config import Config
from service.core.words.words import phrases
from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_texts.kinds import KINDS as ALL_KINDS
from service.notifications.mail_texts.message import Answers, Mail, compose
from service.notifications.mail_texts.templating import render_mail
from service.outbox import unsubscriptions
from service.outbox.addresses.suppressed_addresses import owner_digest
from tests.support.cast import CARAVAN, START, sqlite_only
from tests.support.mail_kinds import KINDS, write, write_question
from tests.support.sending import send_all
from tests.support.servers.smtp_server import MailServer

LETTER = Mail("bob@example.org", "A letter", "Hello\n", "<p>Hello</p>")
JAPANESE = "長いお話です。" * 30


@pytest.fixture
def settings(tmp_path):
    return Config(
        data_dir=tmp_path,
        database_url="sqlite://",
        secret_key=bytes(range(32)),
        signing_key=bytes(32),
        public_url="https://tegami.example",
        mail_from="Tegami <tegami@mail.example>",
    )


def lines(raw):
    """The lines of the headers, as sent."""
    return raw.partition(b"\r\n\r\n")[0].decode("ascii").split("\r\n")


def read(message):
    """The message as another program reads it."""
    return message_from_bytes(message.raw, EmailMessage, policy=policy.default)


def test_sender_date_and_automatic_submission(settings):
    message = read(compose(settings, START, "one", LETTER))
    assert message["From"] == "Tegami <tegami@mail.example>"
    assert message["To"] == "bob@example.org"
    assert message["Subject"] == "A letter"
    assert message["Date"].datetime == datetime(2026, 11, 21, 10, tzinfo=UTC)
    assert message["Auto-Submitted"] == "auto-generated"


def test_the_message_id_follows_from_the_key_alone(settings):
    def id_of(key, letter=LETTER, now=START, **changes):
        message = compose(replace(settings, **changes), now, key, letter)
        assert read(message)["Message-ID"] == message.id
        return message.id

    first = id_of("turn t_1 41")
    again = id_of("turn t_1 41", LETTER._replace(text="Bye"), START + 1)
    assert first == again
    assert len({first, id_of("turn t_1 42"), id_of("turn t_1 41", secret_key=bytes(32))}) == 3
    assert re.fullmatch(r"<[0-9A-Za-z]{22}@mail\.example>", first)


def test_the_mails_of_a_game_are_one_thread(settings):
    def thread(key, game):
        message = read(compose(settings, START, key, LETTER._replace(thread=game)))
        assert message["References"] == message["In-Reply-To"]
        return message["References"]

    assert thread("one", "g_1") == thread("two", "g_1") != thread("three", "g_2")
    assert "g_1" not in thread("one", "g_1")
    assert read(compose(settings, START, "one", LETTER))["References"] is None


def test_a_long_link_stays_on_one_line(settings):
    """If it were folded, it would be encoded, and no mail program would find it (RFC 8058)."""
    url = f"https://tegami.example/unsubscribe?link={'x' * 500}"
    message = compose(
        settings, START, "one", LETTER._replace(headers=unsubscriptions.unsubscribe_headers(url))
    )
    found = lines(message.raw)
    assert f"List-Unsubscribe: <{url}>" in found
    assert "List-Unsubscribe-Post: List-Unsubscribe=One-Click" in found


@pytest.mark.parametrize("subject", ["A" * 300, JAPANESE, f"Joretsu – {JAPANESE}", "順列"])
def test_any_subject_arrives(settings, subject):
    message = compose(settings, START, "one", LETTER._replace(subject=subject))
    assert read(message)["Subject"] == subject
    for line in lines(message.raw):
        assert len(line) <= 998
        assert max((len(word) for word in re.findall(r"=\?\S+\?=", line)), default=0) <= 75


@pytest.mark.parametrize("sender", ["手紙 <tegami@mail.example>", "tegami@mail.example"])
def test_any_name_of_the_sender_arrives(settings, sender):
    message = compose(replace(settings, mail_from=sender), START, "one", LETTER)
    assert read(message)["From"] == sender


@pytest.mark.parametrize("said", ["Hello\r\nBcc: eve@example.org", "Hello\nBcc: x", "a\rb"])
def test_no_header_can_be_injected(settings, said):
    message = read(compose(settings, START, "one", LETTER._replace(subject=said)))
    assert "Bcc" not in message and message["Subject"].split() == said.split()
    for letter in (
        LETTER._replace(to=f"bob@example.org{said}"),
        LETTER._replace(headers={"List-Id": said}),
        LETTER._replace(answers=Answers("Bob", f"bob@example.org{said}")),
    ):
        with pytest.raises(ValueError, match=r"not an address|no plain field"):
            compose(settings, START, "one", letter)


def test_text_and_html_arrive_in_short_lines_of_ascii(settings):
    said = f"Hello, 手紙\n.\nFrom here\n{JAPANESE * 3}\n{'x' * 2000}\n"
    message = compose(settings, START, "one", LETTER._replace(text=said, html=f"<p>{said}</p>"))
    raw = message.raw
    assert raw.isascii()
    body = raw.partition(b"\r\n\r\n")[2].split(b"\r\n")
    assert max(map(len, body)) <= 76
    assert b"\n" not in raw.replace(b"\r\n", b"")
    parts = list(read(message).iter_parts())
    assert [part.get_content_type() for part in parts] == ["text/plain", "text/html"]
    got = [part.get_content().replace("\r\n", "\n") for part in parts]
    assert got == [said, f"<p>{said}</p>\n"]


# What the sender adds


@pytest.fixture
def sent(app, cast, runtime):
    """The mail of a kind, as the server received it."""

    def send(kind, **more):
        if kind == "question":
            write_question(app, runtime, cast.alice, cast.start(CARAVAN))
        else:
            write(app, runtime, "one", kind, **more)
        with MailServer() as server, app.app_context():
            post = SmtpTransport(SmtpServer.parse(server.url), "tegami@example.org")
            send_all(Sender(app.extensions["tegami"], post, KINDS))
            (mail,) = server.mails
            return mail

    return send


def stopping(mail):
    """The subject of a mail's one-click link."""
    url = str(mail.message["List-Unsubscribe"]).strip("<>")
    assert mail.message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return url.partition("?link=")[2]


@sqlite_only
def test_a_mail_to_a_player_can_be_stopped(app, cast, sent):
    mail = sent("question")
    about = unsubscriptions.read_unsubscribe_link(app.extensions["tegami"].config, stopping(mail))
    assert (about.player_id, about.kind) == (cast.alice.id, "question")
    assert about.game_id == cast.alice.get("/api/games?mine=true")["games"][0]["id"]


@sqlite_only
def test_an_invitation_can_be_stopped_by_its_recipient(app, sent):
    mail = sent("invitation", address="Bob@example.org")
    secret = app.extensions["tegami"].config
    assert unsubscriptions.read_unsubscribe_link(
        secret, stopping(mail)
    ) == unsubscriptions.MailToAddress(owner_digest(secret.secret_key, "bob@example.org"))
    assert "Bob" not in stopping(mail)


@sqlite_only
def test_requested_mails_cannot_be_stopped(sent):
    assert sent("verify").message["List-Unsubscribe"] is None


def test_all_other_kinds_can_be_stopped():
    on_their_own = {name for name, kind in ALL_KINDS.items() if not kind.unsubscribe}
    about_accounts = {"address-changed", "password-changed", "webhook-off"}
    asked_for = {"sign-in", "reset", "response"}
    assert on_their_own <= asked_for | about_accounts


# How a mail looks

PARAGRAPHS = ["Somebody <b>has</b> played & won.", "手紙が届きました。"]


def test_a_note_says_the_same_as_text_and_as_html():
    url = "https://tegami.example/#verify=x"
    letter = render_mail(
        *("short", phrases("en"), "bob@example.org", "Is this you?"),
        paragraphs=PARAGRAPHS,
        button=("Yes", url),
        after=["Else forget it."],
        unsubscribe_url="https://tegami.example/unsubscribe?link=x",
    )
    for said in (*PARAGRAPHS, "Yes", url, "Else forget it.", "unsubscribe?link=x"):
        assert said in letter.text
    assert "Somebody &lt;b&gt;has&lt;/b&gt; played &amp; won." in letter.html
    assert f'href="{url}"' in letter.html
    assert "unsubscribe?link=x" in letter.html


def test_styles_are_inlined_and_dark_screens_have_theirs():
    about = ("short", phrases("ja"), "bob@example.org", "件名")
    html = render_mail(*about, paragraphs=PARAGRAPHS).html
    assert '<html lang="ja">' in html
    assert re.search(r'<h1 style="[^"]*font-size', html)
    assert "@media (prefers-color-scheme: dark)" in html
    assert not re.search(r"https?:|url\(|<script|<img", html), "nothing is loaded from anywhere"
