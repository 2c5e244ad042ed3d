"""The page about privacy: in both languages, and filled from the settings."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from service.core.words.words import phrases
from service.web.app import create_app
from service.web.page.privacy import DAYS, PARTS
from tests.contract import CheckedClient
from tests.support.cast import sqlite_only

pytestmark = sqlite_only


@pytest.fixture
def shown(config, runtime):
    """The page with these settings."""

    def show(language="en", **settings):
        app = create_app(replace(config, **settings), runtime)
        app.test_client_class = CheckedClient
        return app.test_client().get(f"/privacy?lang={language}").text

    return show


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_has_all_parts_and_how_long_things_are_kept(shown, language):
    text = shown(language)
    words = phrases(language)
    assert f'<html lang="{language}"' in text
    points = [key for key in words.below("privacy.") if key[-1].isdigit()]
    assert text.count("<li>") == len(points)
    assert {key.split(".")[0] for key in points} == set(PARTS)
    assert all(re.search(rf"(?<!\d){days} ?\w", text) for days in DAYS.values())
    assert "{" not in text


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_names_the_operator(shown, language):
    text = shown(language, operator="Card & Club <b>", contact="post@tegami.example")
    assert "Card &amp; Club &lt;b&gt;" in text
    assert '<a href="mailto:post@tegami.example">post@tegami.example</a>' in text


def test_it_says_if_the_operator_is_not_named(shown):
    text = shown()
    assert phrases("en").say("privacy.operator") in text
    assert phrases("en").say("privacy.contact") not in text


@pytest.mark.parametrize(
    ("contact", "link"),
    [
        ("https://tegami.example/contact", 'href="https://tegami.example/contact"'),
        ("the box beside the door", None),
        ("javascript:alert(1)", None),
    ],
)
def test_the_contact_is_a_link_if_possible(shown, contact, link):
    text = shown(contact=contact)
    assert contact in text
    assert link is None or link in text
    assert 'href="javascript' not in text
