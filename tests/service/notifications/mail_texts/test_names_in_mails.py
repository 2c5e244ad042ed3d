"""What strangers chose does no harm in mails: neither in subjects nor in texts, whatever the kind."""

from __future__ import annotations

import re

import pytest

from service.core.settings.config import ROOT
from service.core.words.words import LANGUAGES, catalogue
from service.notifications.mail_texts.kinds import KINDS
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import HOUR, hours
from tests.support.mail_kinds import rows
from tests.support.post_office import Office
from tests.support.proposing import PAUSE, propose

__all__ = ["hours"]

NAMES = {
    "alice": "evil.com \u202egnorw",
    "bob": "http://a.example/b\r\nBcc: all@z.example",
    "carol": "c@x.example\u200b\u2028hid",
}
"""Names from before there were rules for them, and worse."""
LINKS = re.compile(r"evil\.com|a\.example|z\.example|x\.example|http://a")
ODD = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2066-\u2069]")
OF_ACCOUNTS = {
    *("verify", "known-address", "address-changed", "password-changed", "sign-in", "reset"),
    "webhook-off",
}
"""They name nobody but by handle, which has letters, digits and hyphens only."""


@pytest.fixture
def office(app, cast):
    """Everybody has an address and such a name."""
    office = Office(app)
    office.address(*cast.seated)
    for person in cast.seated:
        office.change("UPDATE players SET name = :n", person, n=NAMES[person.name.lower()])
    return office


def before_the_start(cast, office):
    """The mails about tables that have not started."""
    game_id = cast.open(private=True)
    invite = f"/api/games/{game_id}/invitations"
    made = cast.alice.post(invite, {"address": "bob@example.org"})
    key = {"Invitation": cast.alice.game(game_id)["invitation"]["key"]}
    yield from office.deliver()
    cast.bob.delete(f"/api/me/invitations/{made['id']}")
    yield from office.deliver()
    tenure = cast.carol.post(f"/api/games/{game_id}/seats", {}, headers=key)["tenure"]
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    yield from office.deliver()


def in_play(cast, office, hours):
    """The mails about a game and about the next one."""
    seats = f"/api/games/{(game_id := cast.open(pace='daily', takeover=1))}/seats"
    for person in (cast.bob, cast.carol):
        person.post(seats, {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    yield from office.deliver()
    for person in cast.seated:
        person.send("PATCH", "/api/me/settings", json={"digest": "08:00"})
    yield from office.deliver()
    for person in cast.seated:
        person.send("PATCH", "/api/me/settings", json={"digest": None})
    hours.later(13 * HOUR)
    cast.bob.post(f"/api/games/{game_id}/nudge", status=202)
    propose(cast.alice, game_id, PAUSE)
    yield from office.deliver()
    hours.later(10 * HOUR)
    yield from office.deliver(now=False)
    hours.later(2 * HOUR)
    yield from office.deliver()
    cast.carol.post(f"/api/games/{game_id}/resignation", status=200)
    yield from office.deliver()


def the_end(cast, office):
    game_id = cast.open(CARAVAN)
    cast.bob.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    cast.bob.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.post(f"/api/games/{game_id}/rematch", {})
    yield from office.deliver()


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
List-Unsubscribe-Post List-Id Reply-To
""".split()


@sqlite_only
def test_names_do_no_harm_in_any_kind_of_mail(app, cast, office, hours):
    mails = [*before_the_start(cast, office), *in_play(cast, office, hours), *the_end(cast, office)]
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
