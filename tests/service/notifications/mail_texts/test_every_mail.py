"""Properties of every kind of mail: its headers, what a list of mails shows of it, and when it may be read."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from service.core.settings.config import ROOT
from service.core.words.catalogues import catalogue
from service.core.words.words import LANGUAGES, phrases
from tests.service.tables.play.test_hidden_information import cards
from tests.support.cast import Cast, sqlite_only
from tests.support.clock import hours
from tests.support.every_mail import every_mail
from tests.support.mail_kinds import rows
from tests.support.post_office import Office, part

__all__ = ["hours"]

SENT_FROM_NOW_ON = re.compile(
    r"\b(?:in|within) (?:an?|\d+|\{\w+\}) ?(?:day|hour|minute|second|week)|today|tomorrow|yesterday|just now"
    r"|あと\{(?:left|time)|今日|明日|昨日|以内|たった今|(?:日|時間|分)後"
)
"""A time that counts from when the mail is sent, or read."""
KEYS = {"turn", "response", "reminder", "nudge", "digest", "proposal", "told", "taken-over", "over"}
"""The kinds of mail to people at the table."""
PLAYING = re.compile(
    "/(moves|votes|tables|seats|offers|extensions|vacations|mails|records|rematches)/"
)
"""What somebody who has the mail can do in place of its reader."""


@pytest.fixture
def config(config):
    """The settings of a server that receives mail."""
    return replace(config, incoming_mail="answers@mail.example")


@pytest.fixture
def sent(app, hours):
    """Every kind of mail about games, in English, with the kind."""
    cast = Cast(app)
    office = Office(app)
    office.address(*cast.seated)
    mails = list(every_mail(cast, office, hours))
    kinds = {row.key: row.kind for row in rows(app).values() if row.outcome == "sent"}
    assert len(kinds) == len(mails)
    return [(kind_of(app, mail, kinds), mail) for mail in mails]


def kind_of(app, mail, kinds):
    """The kind of the row that was sent as this mail."""
    from service.notifications.mail_texts.message import message_id

    config = app.extensions["tegami"].config
    (kind,) = {
        kinds[key] for key in kinds if message_id(config, f"mail {key}") == mail["Message-ID"]
    }
    return kind


def preview(mail):
    """The text that a list of mails shows next to the subject."""
    hidden = re.search(r'<div class="preview"[^>]*>(.*?)</div>', part(mail, "html"), re.DOTALL)
    return " ".join(re.sub("[\u034f\u200c\xa0]+", "", unescape(hidden[1])).split())


@sqlite_only
def test_whatever_leaves_says_what_it_is(sent):
    lists = {}
    for kind, mail in sent:
        assert mail["X-Auto-Response-Suppress"].startswith("DR, "), kind
        assert "NDR" not in re.split(", ", mail["X-Auto-Response-Suppress"]), "it may come back"
        assert (mail["List-Id"] is None) == (mail["References"] is None) == (kind == "digest"), kind
        lists.setdefault(str(mail["References"]), set()).add(str(mail["List-Id"]))
        (answers,) = mail["Reply-To"].addresses
        assert answers.display_name, kind
        assert preview(mail), kind
        assert not re.search(r"[.。]", str(mail["Subject"])), "one sentence, without its end"
        assert str(mail["Subject"]) not in preview(mail), kind
        assert not cards([str(mail["Subject"]), preview(mail)]), kind
        text = " ".join(part(mail).split())
        assert not SENT_FROM_NOW_ON.search(text), (kind, SENT_FROM_NOW_ON.search(text))
        is_key = PLAYING.search(part(mail)) is not None
        assert (
            ("can play for you" in text) == ("can play for you" in part(mail, "html")) == is_key
        ), kind
        assert is_key or kind not in KEYS | {"offer"}, kind
        assert "and and" not in text + str(mail["Subject"])
        to_table = answers.addr_spec.startswith("answers+")
        assert to_table == ("A reply to this email plays the move" in text), kind
        assert to_table == ("Replies to the table: above this line" in part(mail)), kind
        assert to_table == (kind in KEYS - {"digest", "taken-over"}), kind
    del lists["None"]
    assert all(re.fullmatch(r"<[0-9a-z]{22}\.localhost>", one) for (one,) in lists.values())
    assert len(set(map(frozenset, lists.values()))) == len(lists) > 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_mail_counts_time_from_when_it_is_sent(language):
    messages = catalogue(ROOT / f"service/core/words/{language}.po")
    mails = {key: text for key, text in messages.items() if key.startswith("mail.")}
    assert len(mails) > 80
    assert {key for key, text in mails.items() if SENT_FROM_NOW_ON.search(text)} == set()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ["Ann", "Ann and Bob", "Ann, Bob and Cy", "Ann, Bob, Cy and 1 more"]),
        ("ja", ["Ann", "Ann、Bob", "Ann、Bob、Cy", "Ann、Bob、Cy、ほか1人"]),
    ],
)
def test_of_many_people_the_number_is_said(language, said):
    words, names = phrases(language), ["Ann", "Bob", "Cy", "Dan", "Eve"]
    assert [words.listed(names[:n], most=3) for n in (1, 2, 3, 4)] == said
    assert words.listed(names, most=3).replace("2", "1") == said[-1]
    assert words.listed(names[:4]).endswith("Dan")
