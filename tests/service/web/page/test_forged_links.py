"""Forged links: their signatures are checked first, so not even the response time reveals what they name."""

from __future__ import annotations

import re

import pytest

from service.log.table_rows.table import find
from service.notifications.mail_texts import mail_links
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.outbox import unsubscriptions
from service.tables.before_start import invitations
from tests.support.cast import sqlite_only
from tests.support.post_office import Office
from tests.support.proposing import PAUSE, links, propose
from tests.support.watching import watched

pytestmark = sqlite_only

KINDS = ("move", "form", "vote", "table", "seat", "invitation", "unsubscribe")


@pytest.fixture
def real(app, cast):
    """A path of each kind, signed by this server, for something that exists."""
    office = Office(app)
    office.address(*cast.seated)
    game_id = cast.start(pace="daily")
    person, _ = cast.asked(game_id)
    office.deliver()
    propose(cast.alice, game_id, PAUSE)
    services = app.extensions["tegami"]
    with app.app_context():
        game = GameForReader(services, find(game_id), person.id, "en")
        urls = {
            "move": game.choices()[0].url,
            "form": game.form_url,
            "table": game.own_url,
            "seat": mail_links.seat_link(services.config, game.holder.tenure),
            "vote": links(office.deliver()[0])["agree"],
            "invitation": invitations.decline_link(services.config, "i_" + "x" * 22),
            "unsubscribe": unsubscriptions.address_unsubscribe_link(services.config, "a@b.example"),
        }
    return {kind: url.removeprefix("http://localhost") for kind, url in urls.items()}


def forged(path):
    """The same link with another signature."""
    start, found, end = re.fullmatch(
        r"(.*?)([\w-]{27,43})((?:\.\d+|\.q_\w+\.agree)*)", path
    ).groups()
    return f"{start}{found[:5]}{'A' if found[5] != 'A' else 'B'}{found[6:]}{end}"


def elsewhere(path):
    """The same link to something that does not exist."""
    return re.sub(r"/(t_)\w{22}\.", "/t_" + "x" * 22 + ".", path)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_link_is_refused_before_anything_is_read(app, client, real, kind, method):
    with watched(app) as seen:
        assert client.open(real[kind]).status_code in {200, 404}
        assert seen.statements or kind == "unsubscribe"
        seen.clear()
        answer = client.open(forged(real[kind]), method=method)
        assert seen.statements == []
    assert answer.status_code in {404, 405, 422}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("kind", ["move", "form", "vote", "table", "seat"])
def test_a_forged_link_does_not_tell_whether_its_table_exists(client, real, kind, method):
    path = forged(real[kind])
    assert elsewhere(path) != path
    one, other = (client.open(each, method=method) for each in (path, elsewhere(path)))
    assert (one.status_code, one.data) == (other.status_code, other.data)
    assert one.status_code == (405 if (kind, method) == ("table", "POST") else 404)
    assert dict(one.headers) == dict(other.headers)
