"""Two people and a house player play complete games by mail, with real web, worker and mail server processes.

An invitation, talk, reminders, a take-over and the way back by a link occur on the way.

In a game people only follow links in mails. To let time pass, the test moves the clock of the service ahead.
"""

from __future__ import annotations

import html
import json
import random
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.core.runtime.units import MINUTE
from service.core.settings.config import Config
from service.log.verification.verify_record import verify
from service.web.app import create_app
from tests.support.cast import BOOMERANG
from tests.support.dump import execute
from tests.support.servers.ahead import ahead, put
from tests.support.servers.databases import Databases, disconnect
from tests.support.servers.server import PATIENCE, Server, wait_until
from tests.support.servers.smtp_server import Mail, MailServer

HOUR = 3600
"""The seconds for a decision."""
STEP = 4 * MINUTE
"""The ms of a step of time: short enough that the worker does not count it as an outage."""
MOVE = re.compile(r"\S+/moves/\S+")
SEAT = re.compile(r"\S+/seats/\S+")
TALK = "Off to the mountains until Friday"
WAY = re.compile(r'<li><a class="button" href="([^"]+)">')
DUE = """
SELECT (SELECT count(*) FROM outbox WHERE done_at IS NULL AND run_at <= :soon)
     + (SELECT count(*) FROM seats JOIN games ON games.key = game_key
        WHERE status = 'running' AND waiting AND (house OR due <= :now))
     + (SELECT count(*) FROM heartbeats WHERE name = 'worker' AND at < :now - 60000)
"""
"""The number of things that the worker has to do now."""
SOON = 1000
"""The ms from now within which a mail counts as due: the worker may have queued it after the clock was read here."""


class World:
    """A complete server, a mail server, and their time."""

    def __init__(self, server: Server, mail: MailServer, app: Flask) -> None:
        self.server, self.mail, self._app = server, mail, app
        self._ahead = 0

    def later(self) -> None:
        """Let a little time pass, and let the worker do what is due."""
        self._ahead += STEP
        put(clock_in(self.server.folder), self._ahead)
        self.settle()

    def settle(self) -> None:
        """Return when the worker has nothing to do."""
        wait_until(lambda: not self._due(), "an idle worker")

    def _due(self) -> int:
        now = ahead(clock_in(self.server.folder)).now()
        return int(execute(self._app, DUE, now=now, soon=now + SOON)[0][0])


class Browser:
    """A client that keeps its cookies."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """The response. Raises HTTPError for a problem."""
        headers = {"Content-Type": "application/json", "Origin": self._url}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        with self._opener.open(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or b"null")


class Correspondent:
    """A player with a mail address, who plays by following links."""

    def __init__(self, world: World, name: str) -> None:
        self.name, self.address = name, f"{name.lower()}@example.org"
        self._browser = Browser(world.server.url)
        self._world, self._read, self._followed = world, 0, 0
        self.send("POST", "/api/players", {"name": name})
        self.send("POST", "/api/me/registration", {"handle": name.lower(), "address": self.address})
        world.settle()
        (mail,) = self.read()
        key = re.search(r"/plain/keys/verify/(\S+)", mail.text())
        assert key
        self.send("POST", "/api/verifications", {"key": key[1]})

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """The API's response to anything other than a move."""
        return self._browser.send(method, path, body)

    def read(self) -> list[Mail]:
        """The mails since the last call, whether their links were followed or not."""
        new = self._world.mail.to(self.address)[self._read :]
        self._read += len(new)
        return new

    def told(self, text: str) -> bool:
        """Whether any mail has this text."""
        return any(text in mail.text() for mail in self._world.mail.to(self.address))

    def got(self, subject: str) -> bool:
        """Whether there is an unread mail whose subject starts with this text."""
        new = self._world.mail.to(self.address)[self._read :]
        return any(str(mail.message["Subject"]).startswith(subject) for mail in new)

    def follow(self, rng: random.Random) -> int:
        """Play by a link of the last new mail that has any; returns the number of moves.

        The mails stay unread for `got`: an awaited mail may arrive while a move is on its way.
        """
        new = self._world.mail.to(self.address)[self._followed :]
        self._followed += len(new)
        links = [MOVE.findall(mail.text()) for mail in new]
        offered = next((found for found in reversed(links) if found), [])
        if not offered:
            return 0
        link = chosen(rng.choice(offered), rng)
        if link is None:
            return 0
        assert page(link, "POST")[0] == 200
        return 1


def chosen(link: str, rng: random.Random) -> str | None:
    """The link of a move, possibly through the steps of a form; None if the table has moved on."""
    while True:
        status, shown = page(link)
        assert status == 200
        if '<form method="post">' in shown:
            return link
        ways = [html.unescape(way) for way in WAY.findall(shown)]
        if not ways:
            return None
        link = rng.choice(ways)


def page(address: str, method: str = "GET") -> tuple[int, str]:
    """Status and text of a page, requested without a sign-in."""
    request = urllib.request.Request(address, b"" if method == "POST" else None, method=method)
    request.add_header("Accept", "text/html")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()


def clock_in(folder: Path) -> Path:
    return folder / "ahead"


MATCHES = [
    ("sqlite", "joretsu"),
    *(
        pytest.param(kind, BOOMERANG, marks=pytest.mark.thorough)
        for kind in ("sqlite", "postgresql")
    ),
]
"""An everyday run plays the game whose forms have many steps, and in which all are asked in each round; the others need
--thorough.

tests/test_long_game_by_mail.py plays on both databases, in a single process.
"""


@pytest.fixture
def world(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[World]:
    put(clock_in(tmp_path), 0)
    database = databases.fresh(request.param, tmp_path)
    config = Config(
        data_dir=tmp_path, database_url=database, secret_key=bytes(32), signing_key=bytes(32)
    )
    looking = create_app(config)
    worker = ("-m", "tests.support.servers.ahead")
    environment = {"AHEAD": str(clock_in(tmp_path)), "MAIL_FROM": "table@example.org"}
    environment["WEB_CONCURRENCY"] = "1"
    with MailServer() as mail:
        environment["SMTP_URL"] = mail.url
        with Server(
            tmp_path, database, "tests.support.servers.ahead:app()", worker, **environment
        ) as server:
            yield World(server, mail, looking)
    disconnect(looking)
    databases.drop(database)


class Match:
    """A game of alice, bob and a house player."""

    def __init__(self, world: World, ruleset: str) -> None:
        self._world, self._rng = world, random.Random(5)
        self.alice, self.bob = Correspondent(world, "Alice"), Correspondent(world, "Bob")
        self.bob.send("PATCH", "/api/me/settings", {"reminders": [20]})
        pace = {"kind": "decision", "seconds": HOUR}
        wish = {"ruleset": ruleset, "players": 3, "house": 1, "pace": pace, "takeover": 2}
        self.id = self.alice.send("POST", "/api/games", wish | {"start": "full", "nonce": None})[
            "id"
        ]

    def at(self, what: str) -> str:
        """A path of this game."""
        return f"/api/games/{self.id}/{what}".rstrip("/")

    def play(self, *people: Correspondent, until: Callable[[], bool]) -> int:
        """Let these people follow their mails and let time pass; returns the number of moves."""
        moves = 0
        for _ in range(200):
            self._world.settle()
            if until():
                return moves
            made = sum(person.follow(self._rng) for person in people)
            moves += made
            if not made:
                self._world.later()
        raise AssertionError("the condition was never met")

    def game(self) -> Any:
        """The game as alice sees it."""
        return self.alice.send("GET", self.at(""))

    def over(self) -> bool:
        """Whether the game is over."""
        return bool(self.game()["status"] == "over")

    def late(self, person: Correspondent) -> bool:
        """Whether the history has a time-out of this person."""
        return self._acted(person, "timeout")

    def played(self, *people: Correspondent) -> bool:
        """Whether each of these people has made a move."""
        return all(self._acted(person, "seat") for person in people)

    def _acted(self, person: Correspondent, by: str) -> bool:
        seats = {each["seat"] for each in self.game()["seats"] if each["name"] == person.name}
        told = self.alice.send("GET", self.at("events?limit=200"))["events"]
        return any(each["by"] == by and each["seat"] in seats for each in told if "by" in each)


@pytest.mark.parametrize(("world", "ruleset"), MATCHES, indirect=["world"])
def test_a_complete_game_by_mail(world: World, ruleset: str) -> None:
    match = Match(world, ruleset)
    bob_is_invited(match)
    they_begin(match)
    bob_is_late_and_loses_his_seat(match)
    bob_comes_back(match)
    they_play_to_the_end(match)
    they_play_again(match)


def bob_is_invited(match: Match) -> None:
    wish = {"address": match.bob.address}
    match.alice.send("POST", match.at("invitations"), wish)
    match.play(until=lambda: match.bob.got("Invitation to"))
    (mail,) = match.bob.read()
    assert f"/offers/{match.id}." in mail.text()
    match.bob.send("POST", match.at("seats"), {})


def they_begin(match: Match) -> None:
    before = match.game()["number"]
    match.alice.send("POST", match.at("messages"), {"channel": "seats", "text": TALK})
    match.play(
        match.alice,
        match.bob,
        until=lambda: match.game()["number"] >= before + 4 and match.bob.told(TALK),
    )


def bob_is_late_and_loses_his_seat(match: Match) -> None:
    """bob ignores his mails; alice continues."""
    for person in (match.alice, match.bob):
        person.read()
    match.play(match.alice, until=lambda: match.bob.got("Still your turn"))
    assert not match.late(match.bob)
    match.play(match.alice, until=lambda: match.late(match.bob))
    assert not match.bob.got("A house player has taken your seat")
    match.play(match.alice, until=lambda: match.bob.got("A house player has taken your seat"))
    assert match.game()["status"] == "running"
    match.play(until=lambda: match.alice.got("News from your table"))


def bob_comes_back(match: Match) -> None:
    mail = next(mail for mail in reversed(match.bob.read()) if SEAT.search(mail.text()))
    link = SEAT.findall(mail.text())[0]
    assert "Take your seat back" in page(link)[1]
    assert "The seat is yours again" in page(link, "POST")[1]
    match.play(match.alice, until=lambda: match.bob.got("Your turn"))


def they_play_to_the_end(match: Match) -> None:
    assert match.play(match.alice, match.bob, until=match.over) > 0
    for person in (match.alice, match.bob):
        match.play(until=lambda person=person: person.got("The game is over"))
        mail = person.read()[-1]
        found = re.search(r"\S+/records/\S+", mail.text())
        assert found
        verified = verify(page(found[0])[1].encode())
        kinds = [event["kind"] for event in verified["events"]]
        assert kinds.count("handover") == 2


def they_play_again(match: Match) -> None:
    new = match.alice.send("POST", match.at("rematch"), {"nonce": None})["id"]
    match.play(until=lambda: match.bob.got("Another game of"))
    match.bob.read()
    assert match.bob.send("POST", match.at("rematch"), {})["id"] == new
    match.id = new
    match.play(match.alice, match.bob, until=lambda: match.played(match.alice, match.bob))
