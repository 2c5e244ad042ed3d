"""The reading of returned mails, whoever wrote them, in whatever form."""

from __future__ import annotations

import time

import pytest

from service.notifications.incoming_mail.returned import reports
from tests.support.returned import complaint, dsn, plain

TO = "reply+x@tegami.example"
QMAIL = """Hi. This is the qmail-send program at mx.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<somebody@example.org>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <x@example.org>
"""
EXIM = """This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  somebody@example.org
    Unrouteable address
"""


@pytest.mark.parametrize(
    ("message", "found"),
    [
        (dsn(TO), ("failed", "5.1.1")),
        (dsn(TO, "4.2.2", "delayed"), ("delayed", "4.2.2")),
        (dsn(TO, "4.4.1", "failed"), ("failed", "4.4.1")),
        (dsn(TO, "5.0.0", code="550-5.1.1 The email account does not exist."), ("failed", "5.1.1")),
        (dsn(TO, "5.0.0", code="550 User unknown"), ("failed", "5.1.1")),
        (dsn(TO, "5.0.0", code="552 the mailbox is full"), ("failed", "5.2.2")),
        (dsn(TO, "5.7.26", code="550 5.7.26 from 192.0.2.5"), ("failed", "5.7.26")),
        (dsn(TO, "5.0.0", code="554 see 5.9.8.7"), ("failed", "5.0.0")),
        (dsn(TO, "", "failed (comment)"), ("failed", "")),
        (plain(TO, QMAIL), ("failed", "5.1.1")),
        (plain(TO, EXIM, X_Failed_Recipients="somebody@example.org"), ("failed", "5.1.1")),
        (complaint(TO, TO), ("complaint", "abuse")),
        (dsn(TO).replace(b"message/delivery", b"message/global-delivery"), ("failed", "5.1.1")),
    ],
)
def test_what_a_report_says(message, found):
    report = reports.read(message)
    assert report is not None and report[:2] == found


@pytest.mark.parametrize(
    "message",
    [
        dsn(TO, "2.0.0", "delivered"),
        dsn(TO, "2.0.0", "relayed"),
        complaint(TO, TO, "not-spam"),
        complaint(TO, TO, "auth-failure"),
        plain(TO, "I am on vacation until Friday.", Auto_Submitted="auto-replied"),
        plain(TO, "Who are you?", From="ann@example.org"),
        b"",
        b"Content-Type: multipart/report; boundary=b\r\n\r\n--b",
        dsn(TO)[:300],
    ],
)
def test_what_asks_for_nothing(message):
    assert reports.read(message) is None


def test_the_mail_that_a_complaint_is_about_is_found_by_its_envelope():
    report = reports.read(complaint("x@y.example", TO))
    assert report is not None and report.senders == (TO,)
    report = reports.read(complaint("x@y.example", "", head=f"Return-Path: <{TO}>\r\n"))
    assert report is not None and report.senders == (TO,)


HOSTILE = {
    "brackets": b"\r\n\r\nYour message could not be delivered\n" + b"<" * 1_000_000,
    "lines": b"\r\n\r\nYour message could not be delivered to\n" + (b"a" * 998 + b"\n") * 1000,
    "short lines": b"\r\n\r\n" + b"x y\n" * 250_000,
    "nested": b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(8000)
    ),
    "messages": b"Content-Type: message/rfc822\n\n" * 8000,
    "fields": b"a: b\n" * 200_000 + b"\n",
    "recipients": b"X-Failed-Recipients: " + b"(" * 900_000 + b"\n\n",
    "parameters": b"Content-Type: text/plain" + b"; a*0*=%41" * 90_000 + b"\n\n",
    "nothing": b"\xff\x00" * 500_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_in_little_time(name):
    """flufl.bounce alone takes minutes for some of these."""
    begun = time.thread_time()
    reports.read(HOSTILE[name])
    assert time.thread_time() - begun < 5


def test_what_the_library_trips_over_is_no_report(caplog, capfd):
    assert reports.read(b"From:\n\nno addresses") is None
    assert caplog.records == []
    assert "Traceback" not in "".join(capfd.readouterr())
