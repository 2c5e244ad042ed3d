"""No name prevents a mail from being sent, or becomes anything except text on the way: a lost turn mail can lose the
game.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from service.core.words.words import LANGUAGES
from tests.support.cast import CARAVAN, Cast, sqlite_only
from tests.support.dump import execute
from tests.support.hostile_names import ENCODED_WORDS, HIDDEN_LINKS, HOSTILE, LINE_ENDS, MAILBOXES
from tests.support.in_one_go import case
from tests.support.post_office import Office, part

AGAIN = "UPDATE outbox SET done_at = NULL, outcome = NULL, lease_until = 0 WHERE kind = 'turn'"
LINK = re.compile(r"(?<!tegami\.)(?<!mail\.)(?:evil\.com|www\.evil|b\.example|eve@example\.org)")


@pytest.fixture
def config(config):
    """The settings of a server that receives mail, so that a name is next to an address of ours."""
    return replace(config, incoming_mail="answers@mail.example")


@pytest.fixture
def office(app):
    return Office(app)


def said(mail):
    """Everything that a reader is shown, including the header."""
    return "\n".join([*map(str, mail.values()), part(mail), part(mail, "html")])


@sqlite_only
@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", (*ENCODED_WORDS, *HIDDEN_LINKS[:4])),
        ("ja", (*ENCODED_WORDS[:2], *LINE_ENDS[:4], *MAILBOXES[:2])),
        *(pytest.param(each, HOSTILE, marks=pytest.mark.thorough) for each in LANGUAGES),
    ],
)
def test_no_name_stops_a_mail_or_becomes_part_of_it(app, office, language, names):
    cast = Cast(app)
    office.address(cast.bob, language=language)
    for _ in cast.moves(cast.start(CARAVAN)):
        if office.due():
            break
    usual = office.deliver()[0].keys()
    for name in names:
        with case(name):
            office.change("UPDATE players SET name = :n", cast.alice, n=name)
            execute(app, AGAIN)
            (mail,) = office.deliver()
            assert mail.keys() == usual
            assert not mail.defects and all(not each.defects for each in mail.values())
            assert not LINK.search(said(mail))
            (answers,) = mail["Reply-To"].addresses
            assert answers.addr_spec.endswith("@mail.example")
