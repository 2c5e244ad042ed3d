"""Headers are data: any text arrives as it was written, and none is ever taken for anything else."""

from __future__ import annotations

import re
from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.core.runtime.plain_text import one_line
from service.core.settings.config import Config
from service.notifications.mail_sending.smtp import SmtpServer, SmtpTransport
from service.notifications.mail_texts.headers import mailbox_field, text_field
from service.notifications.mail_texts.message import Answers, Mail, compose
from tests.support import encoded_words
from tests.support.cast import START
from tests.support.hostile_names import HOSTILE
from tests.support.in_one_go import in_one_go
from tests.support.servers.server import PATIENCE
from tests.support.servers.smtp_server import MailServer

LETTER = Mail("bob@example.org", "A letter", "Hello\n", "<p>Hello</p>")
NAMES = {
    *("From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "Reply-To"),
    *("X-Auto-Response-Suppress", "MIME-Version", "Content-Type"),
}
BLANKS = st.sampled_from([" ", "  ", "\u3000", "\t", " – ", "?=", "=?"])
WORDS = st.sampled_from(
    [*'aZ9=?_"\\<>,;:@()', "手紙", "ブーメラン", "é", "🎴", "Ann", "=?utf-8?q?a?=", "x" * 90]
)
SUBJECTS = st.one_of(
    st.text(max_size=300),
    st.lists(st.one_of(WORDS, BLANKS), max_size=40).map("".join),
    st.sampled_from(HOSTILE),
)


@pytest.fixture(scope="module")
def server():
    with MailServer() as server:
        yield server


@pytest.fixture(scope="module")
def composed(tmp_path_factory):
    """A mail ready to be sent."""
    config = Config(
        data_dir=tmp_path_factory.mktemp("data"),
        database_url="sqlite://",
        secret_key=bytes(32),
        signing_key=bytes(32),
        mail_from="手紙 Tegami <tegami@mail.example>",
    )
    return lambda **changes: compose(config, START, "one", LETTER._replace(**changes))


@pytest.fixture(scope="module")
def send(server, composed):
    """Send a mail by SMTP; returns its bytes as they arrived."""
    post = SmtpTransport(SmtpServer.parse(server.url), "tegami@mail.example", PATIENCE)

    def sent(**changes):
        assert post.send(composed(**changes), lambda: True)
        return server.mails.pop().raw

    yield sent
    post.disconnect()


def assert_arrives(raw, subject, called):
    """Check this with Python's reader and with our own."""
    assert sorted(name for name, _ in encoded_words.fields_of(raw)) == sorted(NAMES)
    assert encoded_words.text(encoded_words.field(raw, "Subject")) == subject
    phrase = encoded_words.field(raw, "Reply-To").rpartition(" <")[0]
    answers = encoded_words.mailbox(encoded_words.field(raw, "Reply-To"))
    assert answers == (called, "answers@mail.example")
    message = message_from_bytes(raw, EmailMessage, policy=policy.default)
    assert set(message.keys()) == NAMES and len(message.keys()) == len(NAMES)
    assert str(message["Subject"]) == subject
    assert _by_decode_header(encoded_words.field(raw, "Subject")) == subject
    assert _by_decode_header(phrase) == called or phrase.startswith('"') or not phrase
    assert [each.addr_spec for each in message["Reply-To"].addresses] == ["answers@mail.example"]
    assert message["From"].addresses[0].display_name == "手紙 Tegami"
    (body,) = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    assert body.get_content().split() == ["Hello"]


def _by_decode_header(value):
    """Read with the older of Python's readers. The newer one puts a blank between two encoded words of a phrase."""
    return str(make_header(decode_header(value)))


@settings(deadline=None, max_examples=60)
@given(SUBJECTS, SUBJECTS)
@example(
    "あなたの番です: ブーメラン オークション · Alice さん、Bob さん · 第 3 ラウンド",
    "ブーメラン オークション " * 9,
)
@example("Your turn – Boomerang Auction  with  Zoë and 手紙", " a ")
def test_any_subject_and_any_name_arrive(send, subject, called):
    raw = send(subject=subject, answers=Answers(called, "answers@mail.example"))
    assert_arrives(raw, one_line(subject), one_line(called))


@in_one_go("name", HOSTILE)
def test_a_hostile_name_arrives_as_text(composed, name):
    answers = Answers(name, "answers@mail.example")
    raw = composed(subject=f"Your turn: {name}", answers=answers).raw
    assert_arrives(raw, one_line(f"Your turn: {name}"), one_line(name))


@in_one_go("text", ["a\r\nb", "a\nb", "a\rb", "a\x00b", "a\x0cb", "a\x85b", "a\u2028b", "a\ud800b"])
def test_what_ends_a_line_is_a_blank(text):
    assert one_line(text) == "a b" or one_line(text) == "a  b"
    assert text_field("Subject", text) == text_field("Subject", one_line(text))


@in_one_go(
    "address",
    [
        *("", "bob", "Bob <bob@example.org>", "bob@example.org\r\nBcc: eve@example.org"),
        *(
            "bob@example.org, eve@example.org",
            "bob@example.org eve@example.org",
            "b\x00b@example.org",
        ),
        *("=?utf-8?q?eve=40example.org?=@example.net", "bob@example.org>", "(x)bob@example.org"),
        *('"bob"@example.org', "手紙@example.org", "@example.org", "bob@"),
    ],
)
def test_what_is_no_plain_address_is_refused(address):
    with pytest.raises(ValueError, match="not an address"):
        mailbox_field("To", "", address)


def test_a_plain_text_stays_as_it_is():
    assert text_field("Subject", "Your turn: Caravan") == "Subject: Your turn: Caravan"
    assert text_field("Subject", long := "Your turn " * 20 + "now").endswith(long)
    assert mailbox_field("To", "Ann Lee", "a@b.c") == "To: Ann Lee <a@b.c>"
    assert mailbox_field("To", 'J.R. "R"', "a@b.c") == 'To: "J.R. \\"R\\"" <a@b.c>'


@pytest.mark.parametrize("name", ["Subject", "Reply-To"])
def test_lines_of_encoded_words_are_short(name):
    write = {
        "Subject": lambda text: text_field(name, text),
        "Reply-To": lambda text: mailbox_field(name, text, "a-rather-long-address@mail.example"),
    }[name]
    for number in range(1, 120):
        for letter in "手é":
            lines = write(letter * number).split("\r\n")
            assert max(map(len, lines)) <= encoded_words.LONGEST_LINE
            assert all(re.match(r"\S" if n == 0 else r" \S", line) for n, line in enumerate(lines))
