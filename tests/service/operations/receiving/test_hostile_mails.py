"""Messages from strangers, robots and mail servers, over real connections: nobody plays or speaks for somebody else.

Mails leave by SMTP and come in by LMTP, as in earnest.
"""

from __future__ import annotations

import socket
from collections import Counter
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr

import pytest

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt
from service.notifications.incoming_mail import answers
from service.notifications.mail_sending.budgets import BUDGETS
from service.notifications.mail_sending.sender import senders_of
from service.web.app import create_app
from tests.support.cast import CARAVAN, Cast, sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office, part
from tests.support.replying import SAID, answer
from tests.support.returned import complaint, dsn, plain
from tests.support.sending import send_all
from tests.support.servers.databases import disconnect
from tests.support.servers.lmtp import listening, sent, speaking
from tests.support.servers.server import PATIENCE
from tests.support.servers.smtp_server import MailServer
from tests.support.talking import heard

pytestmark = [sqlite_only, pytest.mark.of_service]

OURS, SERVER = "reply@tegami.example", "mx.tegami.example"
SENT = {250, 451}
"""The replies to a mail server about a message that is dealt with, or may come again later."""


class Line:
    """A server with outgoing and incoming mails, and a game of alice and bob."""

    def __init__(self, app, outgoing, port, clock):
        self.app, self.clock, self._outgoing, self._port = app, clock, outgoing, port
        self.cast, office = Cast(app), Office(app)
        office.address(self.cast.alice, self.cast.bob, self.cast.carol)
        (self._sender,) = senders_of(app.extensions["tegami"])
        self.id, self._read = self.cast.start(CARAVAN), 0
        self.mail = self.to_alice()[-1].message

    def deliver(self):
        """Send what is due, now or later; returns all mails that have been sent so far."""
        execute(self.app, "UPDATE outbox SET run_at = 0, lease_until = 0 WHERE done_at IS NULL")
        with self.app.app_context():
            send_all(self._sender)
        return self._outgoing.mails

    def to_alice(self):
        """The mails that alice has received since the last call."""
        self.deliver()
        found, before = self._outgoing.to("alice@example.org"), self._read
        self._read = len(found)
        return found[before:]

    def hand_over(self, data, sender="alice@example.org", *recipients):
        """The code and the text with which a message is accepted; by default it goes to the address for alice's
        replies.
        """
        to = recipients or (parseaddr(str(self.mail["Reply-To"]))[1],)
        with speaking(self._port) as server:
            ((code, told), *_) = sent(server, sender, to, data)
        return code, told.decode()

    def state(self):
        """Everything that a message could change, except counts."""
        stored = dump(self.app)
        return {name: rows for name, rows in stored.items() if name != "tallies"}

    def raw(self, data):
        """The reply to bytes that a mail server sends."""
        with socket.create_connection(("127.0.0.1", self._port), PATIENCE) as line:
            line.sendall(data)
            return line.makefile("rb").read().decode()


@pytest.fixture
def line(config, runtime, clock, lending):
    with MailServer() as outgoing:
        settings = {"incoming_mail": OURS, "authserv_id": SERVER, "smtp_connections": 1}
        settings |= {"mails_per_day": 5000}
        app = create_app(replace(config, smtp_url=outgoing.url, **settings), runtime)
        with listening(app) as port:
            yield Line(app, outgoing, port, clock)
        disconnect(app)


# Whoever writes as somebody else


PASSES = f"{SERVER}; dkim=pass header.d=evil.example; spf=pass smtp.mailfrom=eve@evil.example"
SENDERS = [
    "alice@example.org <eve@evil.example>",
    '"alice@example.org" <eve@evil.example>',
    "eve@evil.example (alice@example.org)",
    "=?utf-8?q?alice=40example=2Eorg?= <eve@evil.example>",
    "=?utf-8?q?alice=40example=2Eorg=3E?= <eve@evil.example>",
    "<alice@example.org> <eve@evil.example>",
    "<alice@example.org>, <eve@evil.example>",
    "friends: alice@example.org;, eve@evil.example",
    "<@evil.example:alice@example.org.evil.example>",
    "alice@example.org.evil.example",
    "alice@example.org\n\tevil.example",
    '"alice@example.org "@evil.example',
    "\u0430lice@example.org",
    "alice@ex\u0430mple.org",
    "alice@example.org" + " " * 5000 + "<eve@evil.example>",
    "alice@example.org\nFrom: eve@evil.example",
    "",
]


def test_nobody_plays_or_speaks_as_somebody_whose_address_they_only_name(line):
    words, stored = line.cast.alice.game(line.id)["legal"][0]["words"], line.state()["events"]
    for number, each in enumerate(SENDERS):
        for text in (words, SAID, "1"):
            head = f"From: {each}\nTo: x@y.example\nMessage-ID: <{number}.{text[:3]}@evil>\n"
            head += f"Authentication-Results: {PASSES}\nMIME-Version: 1.0\n"
            content = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
            code, _ = line.hand_over((head + content + text).encode(), "eve@evil.example")
            assert code in {250, 550, 451}, each
    assert heard(line.cast.bob, line.id) == []
    assert line.state()["events"] == stored
    mails = [part(each.message) for each in line.to_alice()]
    assert mails, "alice is asked whether it was she"
    assert all(
        "nothing has been played" in each or "no choice" in each or "1." in each for each in mails
    )


def test_whoever_has_a_reply_address_does_not_use_up_what_is_for_its_player(line):
    """This holds even with so many mails that no more are read within the hour."""
    data = answer(line.mail, sender="eve@evil.example")
    services, to = line.app.extensions["tegami"], parseaddr(str(line.mail["Reply-To"]))[1]
    others = answers.doubtful(answers.READ)
    with line.app.app_context():
        for _ in range(answers.READ.most):
            attempt = Attempt(others, line.cast.alice.id)
            attempt_counts.count(services, services.config.secret_key, [attempt])
    assert line.hand_over(data, "eve@evil.example", to)[0] == 451
    results = f"{SERVER}; dkim=pass header.d=example.org"
    told = answer(line.mail, id="<own@example.org>", Authentication_Results=results)
    assert line.hand_over(told)[0] == 250
    assert heard(line.cast.bob, line.id) == [SAID]
    assert line.to_alice() == [], "nor is she told of it"


def test_an_address_is_good_for_one_thing(line):
    """An address for replies takes no reports, and one for returned mails takes no replies, whatever comes."""
    to = parseaddr(str(line.mail["Reply-To"]))[1]
    back = line.deliver()[0].sender
    assert back != to and back.startswith("reply+")
    stored = line.state()
    assert line.hand_over(dsn(to), "", to)[0] == 250
    assert line.hand_over(complaint(to, to), "eve@evil.example", to)[0] == 250
    assert line.hand_over(answer(line.mail, To=back), "alice@example.org", back)[0] == 250
    assert line.hand_over(answer(line.mail, "1", To=back), "alice@example.org", back)[0] == 250
    assert line.state() == stored


# Mails that come back, and complaints


def test_forged_reports_stop_nobodys_mails(line):
    """The senders know the addresses of players, or were sent mails of their own."""
    own = next(each.sender for each in line.deliver() if each.to == ["bob@example.org"])
    other = next(each.sender for each in line.deliver() if each.to == ["alice@example.org"])
    local, _, domain = other.partition("@")
    stored = line.state()
    swapped = local[:14] + own.partition("@")[0][14:]
    forged = [
        *(
            f"{local[:at]}{'a' if local[at] != 'a' else 'b'}{local[at + 1 :]}"
            for at in range(6, 33, 4)
        ),
        *(
            swapped,
            local[:-1],
            f"{local}a",
            "reply+",
            "reply",
            f"{local}+{local}",
            local.replace("+", "-"),
        ),
    ]
    for each in (f"{one}@{domain}" for one in forged):
        for message in (
            dsn(each).replace(b"somebody@example.org", b"alice@example.org"),
            complaint(OURS, each, head=f"Return-Path: <{each}>\r\n"),
            plain(each, "The user alice@example.org does not exist."),
        ):
            assert line.hand_over(message, "", each)[0] in {250, 550}
    many = complaint(OURS, "", head="".join(f"Return-Path: <{one}@{domain}>\r\n" for one in forged))
    assert line.hand_over(many, "abuse@provider.example", OURS)[0] == 250
    assert line.state() == stored
    assert len(line.deliver()) == 2, "and nothing is answered"


def test_bounces_of_bounces_end(line):
    """Nothing is sent in response to a returned mail, or to a program's automatic reply."""
    to = parseaddr(str(line.mail["Reply-To"]))[1]
    line.hand_over(answer(line.mail, "9999"))
    (response,) = line.to_alice()
    number = len(line.deliver())
    for address in (response.sender, parseaddr(str(response.message["Reply-To"]))[1], to, OURS):
        for message in (
            dsn(address, "4.4.1", "delayed"),
            dsn(address, "2.0.0", "relayed"),
            plain(address, "1\n\nHi. This is the qmail-send program at mx.example."),
            response.raw,
            b"From: <>\r\n\r\n",
            b"",
        ):
            for sender in ("", "MAILER-DAEMON@mx.example"):
                code, _ = line.hand_over(message, sender, address)
                assert code in ({250} if not sender else {250, 550, 554})
    assert len(line.deliver()) == number
    assert heard(line.cast.bob, line.id) == []


# Programs that answer


AUTOMATIC = [
    {"Auto-Submitted": "auto-replied (vacation)"},
    {"Auto-Submitted": "Auto-Generated"},
    {"Precedence": "bulk"},
    {"Precedence": "auto_reply"},
    {"X-Precedence": "auto_reply"},
    {"X-Autoreply": "yes"},
    {"X-Autoreply-From": "alice@example.org"},
    {"X-Autorespond": "Re: Your turn"},
    {"X-Autoresponder": "yes"},
    {"X-Mail-Autoreply": "1"},
    {"X-Autogenerated": "Reply"},
    {"X-Vacation": "yes"},
    {"X-FC-MachineGenerated": "true"},
    {"X-POST-MessageClass": "9; Autoresponder"},
    {"Delivered-To": "Autoresponder"},
    {"List-Unsubscribe": "<https://example.org/stop>"},
    {"Content-Type": "multipart/report; report-type=disposition-notification; boundary=b"},
    {"Content-Type": "message/disposition-notification"},
    *(
        {"Subject": each}
        for each in (
            "Automatic reply: Your turn: Caravan with Bob",
            "Out of Office: Your turn",
            "Re: Out of Office Re: Your turn",
            "AUTO: Alice is out of the office (returning 12/05)",
            "Alice is out of the office.",
            "Alice Aoki/Tokyo is out of the office",
            "[Auto-Reply] Your turn",
            "(Auto Reply) Your turn",
            "*** Auto-Reply *** Your turn",
            "Autoreply: Re: Your turn",
            "Abwesenheitsnotiz: Your turn",
            "Read: Your turn: Caravan with Bob",
            "Not read: Your turn: Caravan with Bob",
            "開封済み: あなたの番です",
            "自動返信: あなたの番です",
            "【自動返信】あなたの番です",
            "Re: 【自動応答】お問い合わせありがとうございます",
            "≪自動返信≫お休みをいただいております",
            "<自動送信>不在のお知らせ",
            "不在通知: あなたの番です",
            "休暇中です Re: あなたの番です",
            "夏季休業のお知らせ",
        )
    ),
]


def test_no_program_that_answers_plays_or_speaks(line):
    """This holds whatever it writes, and whether a header or only its subject identifies it as a program."""
    words, stored = line.cast.alice.game(line.id)["legal"][0]["words"], line.state()
    results = f"{SERVER}; dkim=pass header.d=example.org"
    for number, headers in enumerate(AUTOMATIC):
        for text in (words, "1", "I am away until Monday."):
            given = {name: value for name, value in headers.items() if name != "Content-Type"}
            message = EmailMessage()
            message["From"], message["To"] = "alice@example.org", str(line.mail["Reply-To"])
            message["Message-ID"] = f"<{number}.{text[:2]}@example.org>"
            message["Authentication-Results"] = results
            for name, value in given.items():
                message[name] = value
            message.set_content("1" if "Content-Type" in headers else text)
            if "Content-Type" in headers:
                message.replace_header("Content-Type", headers["Content-Type"])
            assert line.hand_over(message.as_bytes())[0] in {250, 554}, headers
            assert line.state() == stored, (headers, text)


@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(each, marks=pytest.mark.thorough) for each in ("9999", "3 or 4")),
        *("I am away until Monday.", "Yes", "no"),
    ],
)
def test_a_robot_that_hides_what_it_is_is_answered_so_often_and_no_more(line, text):
    """It answers each mail, even each reply. Nobody else gets mails because of it."""
    before = Counter(each.to[0] for each in line.deliver())
    mails, number = [line.mail], 0
    while mails and number < 200:
        for mail in mails:
            number += 1
            assert line.hand_over(answer(mail, text, id=f"<{number}@robot>"))[0] in SENT
        mails = [each.message for each in line.to_alice()]
    (most,) = [each.hour for each in BUDGETS if each[:2] == ("reply", "person at table")]
    after = Counter(each.to[0] for each in line.deliver()) - before
    assert after["alice@example.org"] <= most, "and then they wait"
    assert set(after) <= {"alice@example.org"}
    assert len(heard(line.cast.bob, line.id)) <= answers.BY_MAIL.most


def test_two_robots_at_a_table_do_not_keep_each_other_busy(line):
    addresses = ("alice@example.org", "bob@example.org")
    read, number = dict.fromkeys(addresses, 0), 0
    for _ in range(40):
        news = [(each, mail) for mail in line.deliver() for each in mail.to]
        fresh = [(who, [mail for to, mail in news if to == who][read[who] :]) for who in addresses]
        if not any(mails for _, mails in fresh):
            break
        for who, mails in fresh:
            read[who] += len(mails)
            for mail in mails:
                number += 1
                told = answer(mail.message, "I am out until Monday", who, id=f"<{number}@robot>")
                to = parseaddr(str(mail.message["Reply-To"]))[1]
                assert line.hand_over(told, who, to)[0] in SENT
    else:
        pytest.fail("they go on and on")
    assert number < 10


# What is said without an id, and lines that end otherwise


def test_the_same_words_answer_each_question_anew(line):
    """They come from a program that gives its messages no id and quotes nothing; a copy is answered once."""
    for _ in range(2):
        message = EmailMessage()
        message["From"], message["To"] = "alice@example.org", str(line.mail["Reply-To"])
        message.set_content("9999")
        for _ in range(2):
            assert line.hand_over(message.as_bytes())[0] == 250
        (response,) = line.to_alice()
        assert "no choice with this number" in part(response.message)
        line.cast.alice.answer(line.cast.alice.game(line.id))
        while line.cast.asked(line.id)[0] is not line.cast.alice:
            person, game = line.cast.asked(line.id)
            person.answer(game)
        line.mail = line.to_alice()[-1].message


ENDS = [b"\n.\n", b"\r.\r", b"\n.\r\n", b"\r\n.\n", b"\r\n.\r", b"\r\n.\0\r\n", b"\0\n.\n"]


@pytest.mark.parametrize("end", ENDS)
def test_a_message_ends_where_the_mail_server_ends_it(line, end):
    """Text after a different end belongs to the message and is no second one (SMTP smuggling)."""
    to = parseaddr(str(line.mail["Reply-To"]))[1].encode()
    second = b"MAIL FROM:<alice@example.org>\r\nRCPT TO:<%b>\r\nDATA\r\n" % to
    second += b"From: alice@example.org\r\n\r\nSmuggled\r\n"
    said = line.raw(
        b"LHLO x\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<%b>\r\nDATA\r\n" % to
        + b"From: eve@evil.example\r\n\r\nHello"
        + end
        + second
        + b".\r\nQUIT\r\n"
    )
    replies = [each[:3] for each in said.splitlines() if each[3:4] == " "]
    assert replies.count("354") <= 1, said
    assert heard(line.cast.bob, line.id) == []


RECIPIENTS = [
    '"{}"@tegami.example',
    "@evil.example:{}@tegami.example",
    "{}@[127.0.0.1]",
    "{}@tegami.example.",
    "{}@tegami\u3002example",
    "{}\u200b@tegami.example",
    "{}%tegami.example@else.example",
    "{}@tegami.example@else.example",
    "{}\x00@tegami.example",
    "{} @tegami.example",
    "reply+" + "a" * 5000 + "@tegami.example",
    "",
]


def test_whatever_the_recipient_is_the_next_message_is_taken(line):
    local = parseaddr(str(line.mail["Reply-To"]))[1].partition("@")[0]
    for each in RECIPIENTS:
        to = each.format(local).encode()
        said = line.raw(
            b"LHLO x\r\nMAIL FROM:<eve@evil.example> SMTPUTF8\r\nRCPT TO:<%b>\r\nDATA\r\n" % to
            + b"From: eve@evil.example\r\n\r\nHello\r\n.\r\nQUIT\r\n"
        )
        assert said.splitlines()[-1].startswith("221"), each
    assert heard(line.cast.bob, line.id) == []
    assert line.hand_over(answer(line.mail))[0] == 250
    assert heard(line.cast.bob, line.id) == [SAID]
