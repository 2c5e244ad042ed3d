"""Replies of many mail programs, in many character sets: the text that is read, and the time it takes."""

from __future__ import annotations

import os
import time
from email.header import Header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.notifications.incoming_mail.reading.answer_text import written
from service.notifications.incoming_mail.reading.authenticity import is_authentic
from service.notifications.incoming_mail.reading.message import LONGEST, ReceivedMail, Refused
from tests.support.mail_corpus import corpus

MARKS = ["reply+", "table@tegami.example", "Replies to the table: above this line"]
CORPUS = corpus()
SECONDS = 8.0
"""The seconds in which any message is read, even on a busy machine; the slowest takes a tenth of that."""


def read(data: bytes) -> str | None:
    """The text of a message; None if it is refused, or says nothing."""
    try:
        return written(ReceivedMail(data).text(), MARKS).text or None
    except Refused:
        return None


def test_replies_of_many_programs_say_what_was_written() -> None:
    wrong = [
        (each.name, each.says, said) for each in CORPUS if (said := read(each.data)) != each.says
    ]
    assert wrong == []
    assert len({each.data for each in CORPUS}) >= 150
    assert len({each.name for each in CORPUS}) == len(CORPUS)


def message(body: str, content: str = "text/plain", head: str = "") -> bytes:
    """A message with this body."""
    return f"From: a@example.org\nTo: reply+x@tegami.example\nContent-Type: {content}\n{head}\n{body}".encode()


def nested(depth: int) -> bytes:
    """A message in a message, and so on."""
    begun = "".join(
        f"Content-Type: multipart/mixed; boundary=b{at}\n\n--b{at}\n" for at in range(depth)
    )
    return f"From: a@example.org\n{begun}\nHello".encode()


def forwarded(depth: int) -> bytes:
    """Messages that are attached to messages."""
    return b"From: a@example.org\n" + b"Content-Type: message/rfc822\n\n" * depth + b"Hello"


MANY = 220_000
DEMANDING = {
    "comments": message("<!--" * MANY, "text/html"),
    "declarations": message("<!x" * MANY, "text/html"),
    "tags that do not end": message("<a " * MANY, "text/html"),
    "quotes that do not end": message("<a x=\"'" * 100_000, "text/html"),
    "elements in elements": message("<div>" * 60_000, "text/html"),
    "quotes in quotes": message("<blockquote>" * 40_000 + "</b>" * 9_000, "text/html"),
    "formats": message("<b id=1><p>" * 40_000, "text/html"),
    "references": message("&#" + "9" * 900_000, "text/html"),
    "many references": message("&amp" * 200_000, "text/html"),
    "an address in punycode": message("Hello", head=f"Reply-To: a@xn--{'z' * 300_000}\n"),
    "text in punycode": message("z-" * 150_000, "text/plain; charset=punycode"),
    "a subject in punycode": message("Hello", head=f"Subject: =?punycode?q?{'z' * 300_000}?=\n"),
    "8,000 parts in parts": nested(8_000),
    "90 parts in parts": nested(90) + b"\n" * 900_000,
    "messages in messages": forwarded(30_000),
    "parameters": message("Hello", 'text/plain; x="' + ";" * 300_000 + '"'),
    "brackets": message("Hello", head=f"Cc: {'(' * 300_000}\n"),
    "a sender in brackets": f"From: {'(' * 300_000}\n\nHello".encode(),
    "a sender in groups": f"From: {'a:' * 150_000}\n\nHello".encode(),
    "marks on a letter": message("a" + "\u0300\u0323" * MANY, "text/plain; charset=utf-8"),
    "a divider that does not end": message("_" * 900_000 + "x"),
    "what may say whose a quote is": message(("1" * 399 + "\n>\n") * 2_000),
    "headers": message("Hello", head="X: y\n" * 150_000),
    "words of a subject": message("Hello", head="Subject: " + "=?utf-8?q?x?= " * 20_000 + "\n"),
    "results": message("Hello", head=f"Authentication-Results: {'(' * 300_000}\n"),
    "lines": message("x\n" * 450_000),
    "quoted lines": message("> x\ny\n" * 150_000),
    "introductions": message("On " + "1" * 300 + ":\n> x\n" + ("a 1@" * 90 + ":\n>\n") * 2_500),
    "blank lines": message("x\n" + "\n" * 900_000),
    "dividers": message("-" * 900_000 + "x"),
    "one line": message("x " * 450_000),
    "flowed": message("x \n" * 300_000, "text/plain; format=flowed; delsp=yes"),
    "escapes": message("\x1b$B" * 200_000, "text/plain; charset=iso-2022-jp"),
    "marks": message("\u0301" * 400_000, "text/plain; charset=utf-8"),
}


@pytest.mark.of_service
@pytest.mark.parametrize("name", DEMANDING)
def test_no_message_takes_long(name: str) -> None:
    """It is read or refused for good, and never kept for another try."""
    begun = time.process_time()
    assert refusal(DEMANDING[name][:LONGEST]) in {None, os.EX_DATAERR}
    assert time.process_time() - begun < SECONDS, name


def refusal(data: bytes) -> int | None:
    """The code with which a message is refused, after everything in it was examined."""
    try:
        received = ReceivedMail(data)
        assert isinstance(received.sender, str) and isinstance(received.recipients, list)
        assert received.is_automatic in {False, True} and received.has_more in {False, True}
        assert not is_authentic(received.all("Authentication-Results"), "mx", "a@example.org")
        written(received.text(), MARKS)
    except Refused as refused:
        return refused.code
    return None


def test_a_message_that_is_too_long_is_refused_for_good() -> None:
    with pytest.raises(Refused) as told:
        ReceivedMail(message("x" * LONGEST))
    assert (told.value.code, told.value.why) == (65, "answer.too-long")


AUTOMATIC = """
Automatic reply: Your turn
Auto: Your turn: Caravan with Bob
Out of Office: Re: Your turn
Out of the office until Friday
Autoreply: Your turn
Vacation message
Auto-Reply: Re: Your turn
I am currently away
Abwesenheitsnotiz: Your turn
Automatische Antwort: Your turn
Réponse automatique : Your turn
自動返信: Your turn
【自動返信】Your turn
[自動応答] Re: あなたの番です
不在のお知らせ
不在通知：あなたの番です
休暇中のお知らせ
夏季休業のお知らせ
Re: 自動返信：あなたの番です
Undeliverable: Your turn
"""
PERSONAL = """
Re: Your turn: Caravan with Bob
Re: あなたの番です
Automatic doors are broken
Re: Out of Africa
Auto
Your reply
Vacation plans for July
自動車を買いました
不在がちですが
"""


def test_programs_that_answer_for_somebody_are_known_by_their_subjects() -> None:
    for expected, subjects in ((True, AUTOMATIC), (False, PERSONAL)):
        for subject in subjects.strip().splitlines():
            plain = ReceivedMail(message("Hello", head=f"Subject: {subject}\n"))
            coded = Header(subject, "utf-8").encode()
            assert plain.is_automatic is expected, subject
            assert (
                ReceivedMail(message("Hello", head=f"Subject: {coded}\n")).is_automatic is expected
            )


QUOTED = [
    'dkim=fail reason="; dkim=pass header.d=example.org"',
    'spf=pass smtp.mailfrom="a; dmarc=pass header.from=example.org "@evil.example',
    r'spf=pass smtp.mailfrom="a\"; dmarc=pass header.from=example.org; \""@evil.example',
    r"spf=fail (x \) ; dkim=pass header.d=example.org) smtp.mailfrom=a@evil.example",
    'spf=fail (x "\\) ; dkim=pass header.d=example.org " y) smtp.mailfrom=a@evil.example',
    "spf=fail " + "(" * 9 + "; dkim=pass header.d=example.org " + ")" * 9,
    'dkim=fail header.b="x; dkim=pass header.d=example.org',
    'dkim=pass header.i="@example.org "header.d=evil.example',
    'dkim=pass header.d=evil.example header.i="x header.d=example.org"',
]
"""Text about a stranger that others may quote: the name of their mailbox, a reason."""
RESULTS = [
    (True, ["mx; dkim=pass header.d=example.org"]),
    (True, ["mx 1; spf=pass (all is well; dkim=fail) smtp.mailfrom=a@example.org"]),
    (True, ["mx; dmarc=pass (p=none) header.from=example.org"]),
    (True, ["MX; dkim=fail header.d=other.example; dkim=pass header.i=@mail.example.org"]),
    (True, ["other; dkim=fail", "mx; dkim=pass header.d=example.org"]),
    (False, []),
    (False, ["mx; none"]),
    (False, ["mx; dkim=pass header.d=evil.example"]),
    (False, ["mx; dkim=pass header.d=org"]),
    (False, ["mx; dkim=pass"]),
    (False, ["other; dkim=pass header.d=example.org"]),
    (False, ["mx.evil; dkim=pass header.d=example.org"]),
    (False, ["mx; dkim=fail header.d=example.org", "mx; dkim=pass header.d=example.org"]),
    (False, ["mx; spf=pass smtp.helo=example.org"]),
    (False, ["mx; spf=pass smtp.mailfrom=a@notexample.org"]),
    (False, ["mx; auth=pass smtp.auth=a@example.org"]),
    (False, ["(mx; dkim=pass header.d=example.org"]),
    (True, ['mx; dkim=pass (a "good) header.d="example.org"']),
    (True, [r"mx; dkim=pass (a \) (nested) comment; dkim=fail) header.d=example.org"]),
    *((False, [f"mx; {each}"]) for each in QUOTED),
]


def test_only_the_named_server_tells_whose_a_message_is() -> None:
    for expected, headers in RESULTS:
        assert is_authentic(headers, "mx", "a@example.org") is expected, headers
        assert not is_authentic(headers, None, "a@example.org")


@given(
    st.binary(max_size=600),
    st.sampled_from(["text/plain", "text/html", "multipart/mixed; boundary=b"]),
)
def test_whatever_comes_is_read_or_refused_for_good(body: bytes, content: str) -> None:
    head = f"From: a@example.org\nContent-Type: {content}\nContent-Transfer-Encoding: "
    for encoding in (b"8bit", b"base64", b"quoted-printable", b"x-uuencode"):
        assert refusal(head.encode() + encoding + b"\n" + body) in {None, os.EX_DATAERR}
    assert refusal(body) in {None, os.EX_DATAERR}
