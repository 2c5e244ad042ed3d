"""security.txt: how to reach the operator about a vulnerability, in the format of RFC 9116."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from service.core.runtime.units import DAY, SECOND
from service.web.app import create_app
from service.web.page.privacy import VALID_FOR
from tests.contract import CheckedClient
from tests.support.cast import sqlite_only
from tests.support.servers.databases import disconnect

pytestmark = sqlite_only

PATH = "/.well-known/security.txt"


@pytest.fixture
def ask(config, runtime):
    """Get the file from a server with this contact."""
    made = []

    def ask(contact):
        settings = replace(config, contact=contact, public_url="https://tegami.example")
        made.append(create_app(settings, runtime))
        made[-1].test_client_class = CheckedClient
        return made[-1].test_client().get(PATH)

    yield ask
    for app in made:
        disconnect(app)


@pytest.mark.parametrize(
    ("contact", "uri"),
    [
        ("post@tegami.example", "mailto:post@tegami.example"),
        ("https://tegami.example/contact", "https://tegami.example/contact"),
    ],
)
def test_it_names_the_contact_and_when_it_expires(ask, clock, contact, uri):
    answer = ask(contact)
    assert answer.content_type == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert fields["Contact"] == uri
    assert fields["Canonical"] == f"https://tegami.example{PATH}"
    assert fields["Preferred-Languages"] == "en, ja"
    expires = datetime.fromisoformat(fields["Expires"]).timestamp()
    assert expires == (clock.at + VALID_FOR) // SECOND
    assert 0 < VALID_FOR < 365 * DAY


@pytest.mark.parametrize("contact", [None, "the box beside the door", "http://tegami.example"])
def test_there_is_none_without_an_address(ask, contact):
    answer = ask(contact)
    assert (answer.status_code, answer.json["type"]) == (404, "/problems/not-found")


def test_a_browser_gets_a_page_where_there_is_none(client):
    answer = client.get(PATH, headers={"Accept": "text/html"})
    assert (answer.status_code, answer.mimetype) == (404, "text/html")
