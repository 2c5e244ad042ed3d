"""Feeds at secret addresses: an Atom feed of turns, and a calendar of deadlines."""

from __future__ import annotations

import re
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest

from service.web.http.limits.rate_limits import rate
from tests.support.cast import BOOMERANG, CARAVAN, Person
from tests.support.circles import found, member, path
from tests.support.dump import dump, execute
from tests.support.proposing import registered
from tests.support.series import enter, games, of, opened, work

MOST_OCTETS = 75
"""The most octets in a line of iCalendar; a longer one is folded (RFC 5545, 3.1)."""
ATOM = "{http://www.w3.org/2005/Atom}"


class Feed:
    """The addresses of a feed, fetched by a program that knows nothing else."""

    def __init__(self, app, person, label="phone"):
        self.made = person.post("/api/me/feeds", {"label": label})["feed"]
        self.reader = Person(app)

    def fetch(self, name, status=200, **headers):
        answer = self.reader.send("GET", urlsplit(self.made[name]).path, headers=headers)
        assert answer.status_code == status
        return answer

    def entries(self):
        """The entries of the Atom feed: their ids, titles and links."""
        root = ElementTree.fromstring(self.fetch("turns").get_data())
        assert root.tag == f"{ATOM}feed"
        assert all(root.find(f"{ATOM}{name}") is not None for name in ("id", "title", "updated"))
        links = {each.get("rel"): each.get("href") for each in root.findall(f"{ATOM}link")}
        assert links["self"] == self.made["turns"]
        return [
            tuple(each.find(f"{ATOM}{name}").text for name in ("id", "title", "updated"))
            for each in root.iter(f"{ATOM}entry")
        ]

    def series(self, series_id, status=200):
        """The titles of the entries of a series, the latest first, and their summaries."""
        path = f"{urlsplit(self.made['series']).path}{series_id}/news.atom"
        answer = self.reader.send("GET", path)
        assert answer.status_code == status
        if status != 200:
            return None
        root = ElementTree.fromstring(answer.get_data())
        links = {each.get("rel"): each.get("href") for each in root.findall(f"{ATOM}link")}
        assert urlsplit(links["self"]).path == path
        found = [
            [each.find(f"{ATOM}{name}").text for name in ("id", "title", "summary")]
            for each in root.iter(f"{ATOM}entry")
        ]
        assert len({each for each, _, _ in found}) == len(found)
        return [(title, summary) for _, title, summary in found]

    def events(self):
        """The events of the calendar, each as a dict."""
        text = self.fetch("deadlines").get_data(as_text=True)
        lines = text.split("\r\n")
        assert lines.pop() == ""
        assert all(len(line.encode()) <= MOST_OCTETS for line in lines)
        unfolded = re.sub("\r\n ", "", text)
        assert unfolded.startswith("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:")
        assert unfolded.endswith("END:VCALENDAR\r\n")
        found = re.findall("BEGIN:VEVENT\r\n(.*?)END:VEVENT\r\n", unfolded, re.S)
        return [dict(line.split(":", 1) for line in each.split("\r\n")[:-1]) for each in found]


def test_a_reader_is_told_of_a_turn_and_of_nothing_secret(app, cast):
    feed = Feed(app, cast.alice)
    assert feed.entries() == []
    game_id = cast.start(BOOMERANG)
    game = cast.alice.game(game_id)
    assert game["legal"]
    ((entry_id, title, updated),) = feed.entries()
    assert title == "Boomerang Auction: it is your turn"
    assert game_id in entry_id and updated.startswith("2026-11-21T10:00:00")
    shown = feed.fetch("turns").get_data(as_text=True) + feed.fetch("deadlines").get_data(True)
    for entry in game["legal"]:
        assert entry["words"] not in shown
    cast.alice.answer(game)
    waits = bool(cast.alice.game(game_id)["legal"])
    assert bool(feed.entries()) is waits
    assert entry_id not in [each[0] for each in feed.entries()]


@pytest.mark.both_databases
def test_a_calendar_has_the_deadlines(app, cast):
    feed = Feed(app, cast.alice)
    cast.start(CARAVAN, pace="none")
    assert feed.events() == []
    game_id = cast.start(CARAVAN, pace="steady")
    person, game = cast.asked(game_id)
    feed = Feed(app, person)
    (event,) = feed.events()
    (due,) = (each["due"] for each in game["waiting"] if each["seat"] == game["seat"])
    assert event["DTSTART"] == re.sub(r"[-:]|\.\d+", "", due)
    assert event["SUMMARY"] == "Caravan: your time runs out"
    assert event["URL"].endswith(f"/games/{game_id}")


def test_a_deadline_that_is_moved_keeps_its_uid(app, cast):
    game_id = cast.start(CARAVAN, pace="weekly")
    person, _ = cast.asked(game_id)
    feed = Feed(app, person)
    (before,) = feed.events()
    person.post("/api/me/vacations", {"first": "2026-11-23", "last": "2026-11-24"})
    (after,) = feed.events()
    assert after["UID"] == before["UID"]
    assert after["DTSTART"] > before["DTSTART"]
    assert int(after["SEQUENCE"]) > int(before["SEQUENCE"])


@pytest.mark.parametrize("name", ["turns", "deadlines"])
def test_without_news_the_answer_is_304(app, cast, name):
    feed = Feed(app, cast.alice)
    tag = feed.fetch(name).headers["ETag"]
    assert feed.fetch(name, 304, If_None_Match=tag).get_data() == b""
    cast.start(BOOMERANG, pace="steady")
    feed.fetch(name, 200, If_None_Match=tag)


@pytest.mark.both_databases
@pytest.mark.parametrize("name", ["turns", "deadlines"])
def test_a_revoked_feed_is_gone_and_others_stay(app, cast, name):
    feed, other = Feed(app, cast.alice), Feed(app, cast.alice, "watch")
    listed = cast.alice.get("/api/me/feeds")["feeds"]
    assert {each["label"] for each in listed} == {"phone", "watch"}
    cast.alice.delete(f"/api/me/feeds/{feed.made['id']}")
    feed.fetch(name, 404)
    other.fetch(name)
    cast.mallory.refused("DELETE", f"/api/me/feeds/{other.made['id']}", "not-found")
    other.fetch(name)


def test_an_address_opens_nothing_else_and_nothing_else_is_an_address(app, cast):
    feed = Feed(app, cast.alice)
    secret = feed.made["turns"].split("/")[-2]
    thief = Person(app)
    thief.headers = {"Authorization": f"Bearer {secret}"}
    thief.refused("GET", "/api/me", "not-signed-in")
    thief.headers = {}
    thief.refused("POST", "/api/sign-ins", "wrong-key", {"key": secret})
    assert feed.reader.send("GET", f"/feeds/{cast.alice.key}/turns.atom").status_code == 404
    assert feed.reader.send("GET", f"/feeds/{'0' * 43}/turns.atom").status_code == 404
    assert feed.reader.send("GET", "/feeds/short/turns.atom").status_code == 404


def test_an_address_is_stored_as_a_hash_and_shown_once(app, cast):
    feed = Feed(app, cast.alice)
    secret = feed.made["turns"].split("/")[-2]
    assert secret not in str(dump(app))
    assert secret not in str(cast.alice.get("/api/me/feeds"))
    assert secret not in str(cast.alice.get("/api/me/export"))


def test_fetching_a_feed_is_not_being_here(app, cast):
    """Otherwise mails would wait for people whose calendar asks automatically."""
    query = "SELECT max(seen_at) AS at FROM credentials WHERE player_id = :id"
    feed = Feed(app, cast.alice)
    before = execute(app, query, id=cast.alice.id)[0].at
    app.extensions["tegami"].now.forward(3_600_000)
    feed.fetch("turns")
    assert execute(app, query, id=cast.alice.id)[0].at == before


def test_whoever_registers_ends_the_feeds(app, cast):
    feed = Feed(app, cast.alice)
    body = {"handle": "alice", "address": "alice@example.com", "password": "nine brown cats"}
    cast.alice.post("/api/me/registration", body)
    feed.fetch("turns", 404)


def test_feeds_are_fetched_so_often_and_not_more(app, cast):
    feed = Feed(app, cast.alice)
    answer = feed.fetch("turns")
    most, _ = rate("feeds")
    if "RateLimit" in answer.headers:
        assert answer.headers["RateLimit"].startswith(f'"feeds";r={most - 1};')


@pytest.mark.both_databases
def test_a_reader_is_told_what_happens_in_a_series(app, cast, clock):
    registered(*cast.seated)
    feed, circle_id = Feed(app, cast.alice), found(cast.alice, cast.bob)
    series_id = opened(cast.alice, circle_id, starts_in=1, rounds=1)
    assert feed.series(series_id) == []
    for person in (cast.alice, cast.bob):
        enter(person, series_id)
    clock.forward(86_400_000)
    work(app)
    assert feed.series(series_id) == [("Round 1 has begun", None)]
    (game_id,) = games(cast.alice.get(of(series_id)))
    clock.forward(3_600_000)
    cast.bob.post(f"/api/games/{game_id}/resignation", {}, 200)
    clock.forward(3_600_000)
    work(app)
    assert feed.series(series_id) == [
        ("Final standings", "1. Alice, 2. Bob"),
        ("Round 1: 1. Alice, 2. Bob", None),
        ("Round 1 has begun", None),
    ]


def test_a_feed_shows_a_series_to_those_who_may_see_it(app, cast):
    registered(*cast.everybody)
    series_id = opened(cast.alice, found(cast.alice, cast.bob))
    ours, theirs = Feed(app, cast.bob), Feed(app, cast.mallory)
    assert ours.series(series_id) == []
    theirs.series(series_id, 404)
    theirs.series("e_0123456789abcdef0123", 404)
    circle_id = cast.bob.get(of(series_id))["circle"]
    circle = cast.alice.get(path(circle_id))
    cast.alice.delete(path(circle_id, f"members/{member(circle, 'Bob')}"))
    ours.series(series_id, 404)
