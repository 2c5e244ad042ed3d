"""Text from strangers does no harm in mails, in subjects or in texts, whatever the kind."""

from __future__ import annotations

import re

import pytest

from service.core.settings.config import ROOT
from service.core.words.words import LANGUAGES, catalogue
from service.notifications.mail_texts.kinds import KINDS
from tests.support.cast import sqlite_only
from tests.support.clock import hours
from tests.support.every_mail import every_mail
from tests.support.mail_kinds import rows
from tests.support.post_office import Office

__all__ = ["hours"]

NAMES = {
    "alice": "evil.com \u202egnorw",
    "bob": "http://a.example/b\r\nBcc: all@z.example",
    "carol": "c@x.example\u200b\u2028hid",
}
"""Names from before there were rules for them, and worse ones."""
LINKS = re.compile(r"evil\.com|a\.example|z\.example|x\.example|http://a")
ODD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069]")
OF_ACCOUNTS = {
    *("verify", "known-address", "address-changed", "password-changed", "sign-in", "reset"),
    "webhook-off",
}
"""Mails that name people only by handle, which has letters, digits and hyphens only."""


@pytest.fixture
def office(app, cast):
    """Everybody has an address and such a name."""
    office = Office(app)
    office.address(*cast.seated)
    for person in cast.seated:
        office.change("UPDATE players SET name = :n", person, n=NAMES[person.name.lower()])
    return office


def assert_harmless(mail):
    subject = str(mail["Subject"])
    assert set(mail.keys()) <= {*HEADERS}, mail.keys()
    assert not re.match(r"evil|http|c@", subject)
    for part in mail.walk():
        if not part.is_multipart():
            text = " ".join(part.get_content().split(" "))
            assert not LINKS.search(subject + text), LINKS.search(subject + text)
            assert not ODD.search(subject + text.replace("\r", "")), ascii(
                ODD.search(subject + text)
            )


HEADERS = """
From To Subject Date Message-ID In-Reply-To References Auto-Submitted MIME-Version Content-Type List-Unsubscribe
List-Unsubscribe-Post List-Id Reply-To X-Auto-Response-Suppress
""".split()


@sqlite_only
def test_names_do_no_harm_in_any_kind_of_mail(app, cast, office, hours):
    mails = list(every_mail(cast, office, hours))
    sent = {row.kind for row in rows(app).values() if row.outcome == "sent"}
    assert sent == KINDS.keys() - OF_ACCOUNTS
    for mail in mails:
        assert_harmless(mail)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_subject_begins_with_what_a_stranger_chose(language):
    messages = catalogue(ROOT / f"service/core/words/{language}.po")
    subjects = {
        key: text for key, text in messages.items() if re.fullmatch(r"mail\..*\.subject", key)
    }
    assert len(subjects) >= len(KINDS)
    ours = [text for text in subjects.values() if re.match(r"[^{]|\{game\}", text)]
    assert sorted(ours) == sorted(subjects.values())
