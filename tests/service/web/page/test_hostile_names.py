"""A name is text wherever the server writes it: in HTML, in the responses inside it, in a feed and a calendar."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from flask import render_template
from icalendar import Calendar

from service.core.runtime.plain_text import one_line
from service.core.words.words import phrases
from service.tables.views.feeds import FeedEntry, calendar
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import execute
from tests.support.hostile_names import HOSTILE, MARKUP
from tests.support.in_one_go import case, in_one_go

HTML = {"Accept": "text/html", "Accept-Language": "en"}
UNSEEN = "\x00"
"""Characters that HTML does not have: a browser shows U+FFFD for them."""


class Structure(HTMLParser):
    """The elements of a page with the names of their attributes, its text, and the JSON inside it."""

    def __init__(self, html):
        super().__init__()
        self.elements, self.text, self.json, self.is_json = [], "", [], False
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, *[name for name, _ in attrs]))
        self.is_json = ("type", "application/json") in attrs

    def handle_data(self, data):
        self.text += data
        if self.is_json and data.strip():
            self.json.append(json.loads(data))

    def handle_endtag(self, tag):
        self.is_json = False


@pytest.fixture
def pages(app, cast):
    """Pages on which bob is named."""
    game_id = cast.start(CARAVAN)
    public = cast.open()
    paths = [f"/plain/games/{game_id}", f"/plain/games/{public}", "/plain", f"/games/{game_id}"]
    paths += [f"/plain/games/{game_id}/talk", f"/plain/games/{game_id}/history"]
    cast.bob.post(f"/api/games/{game_id}/messages", {"channel": "seats", "text": "Hello"})

    def read():
        answers = [cast.alice.send("GET", path, headers=HTML) for path in paths]
        assert [each.status_code for each in answers] == [200] * len(paths)
        return [Structure(each.get_data(as_text=True)) for each in answers]

    return read


@sqlite_only
@pytest.mark.parametrize(
    "names", [MARKUP[:9], pytest.param(HOSTILE, marks=pytest.mark.thorough)], ids=["some", "all"]
)
def test_a_name_is_text_on_every_page(app, cast, pages, names):
    usual = pages()
    for name in names:
        with case(name):
            execute(app, "UPDATE players SET name = :n WHERE id = :id", n=name, id=cast.bob.id)
            execute(app, "UPDATE messages SET text = :n", n=one_line(name))
            shown = pages()
            assert [each.elements for each in shown] == [each.elements for each in usual]
            plain = name.replace(UNSEEN, "")
            named = [plain in each.text.replace(UNSEEN, "") for each in shown if not each.json]
            assert any(named), [each.text for each in shown]
            (whole,) = [each for each in shown if each.json]
            assert name in json.dumps(whole.json, ensure_ascii=False) or json.dumps(name)[
                1:-1
            ] in json.dumps(whole.json)


def entry(title):
    """A deadline that is called so."""
    at = "2026-11-21T10:00:00.000Z"
    return FeedEntry(
        "tag:one", one_line(title), "https://a.example/games/g", at, at, one_line(title)
    )


@in_one_go("title", HOSTILE)
def test_a_title_is_text_in_a_calendar(title):
    """It is unfolded and unescaped as RFC 5545 says (3.1 and 3.3.11), and as a library reads it."""
    made = calendar([entry(title)], one_line(title))
    lines = re.sub("\r\n ", "", made.decode()).split("\r\n")
    assert [line.partition(":")[0] for line in lines if line.startswith(("BEGIN", "END"))] == [
        *("BEGIN", "BEGIN", "END", "END")
    ]
    (summary,) = [line for line in lines if line.startswith("SUMMARY")]
    text = re.sub(r"\\(.)", r"\1", summary.partition(":")[2])
    assert text == one_line(title)
    (event,) = Calendar.from_ical(made).walk("VEVENT")
    assert str(event["SUMMARY"]) == one_line(title)


@sqlite_only
def test_a_title_is_text_in_a_feed(app):
    for title in HOSTILE:
        with case(title), app.test_request_context():
            about = {"id": "x", "updated": "x", "url": "x", "own_url": "x", "language": "en"}
            xml = render_template("turns.xml", words=phrases("en"), entries=[entry(title)], **about)
            (shown,) = ElementTree.fromstring(xml).iter("{http://www.w3.org/2005/Atom}entry")
            assert shown.findtext("{http://www.w3.org/2005/Atom}title") == one_line(title)
