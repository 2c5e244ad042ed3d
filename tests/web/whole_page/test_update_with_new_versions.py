"""An update brings version 2 of two games: games that run already are played to the end by page, mail and program.

The old server is this clone, the new one a copy of it in which two games have a newer version.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from service.core.settings.config import Config
from service.web.app import create_app
from tests.support.cast import BOOMERANG, CARAVAN, eager
from tests.support.dump import execute
from tests.support.newer_games import CHANGES, bring_out
from tests.support.servers.ahead import put
from tests.support.servers.databases import Databases, disconnect
from tests.support.servers.remote import Remote
from tests.support.servers.server import ROOT, Server, wait_until
from tests.support.servers.smtp_server import MailServer
from tests.test_by_mail import MOVE, Browser, chosen, page
from tests.web.conftest import DESK

pytestmark = [pytest.mark.browser, pytest.mark.thorough, pytest.mark.timeout(300)]

CLICKED = 2
"""Own moves that are clicked before and after the update."""
NAMES = {BOOMERANG: {1: "pass", 2: "decline"}, CARAVAN: {1: "discard", 2: "drop"}}


@pytest.fixture
def newer_clone(tmp_path: Path) -> Path:
    """A copy of this clone in which two games have a version 2."""
    clone, compiled = tmp_path / "newer", shutil.ignore_patterns("__pycache__")
    for folder in ("rules", "service", "web"):
        shutil.copytree(ROOT / folder, clone / folder, ignore=compiled)
    shutil.copy(ROOT / "openapi.yaml", clone)
    shutil.copytree(ROOT / "tests/support", clone / "tests/support", ignore=compiled)
    for game in CHANGES:
        bring_out(clone / "rules/games" / game)
    return clone


@pytest.fixture
def mail() -> Iterator[MailServer]:
    with MailServer() as mail:
        yield mail


@pytest.fixture
def server(databases: Databases, tmp_path: Path, mail: MailServer) -> Iterator[Server]:
    """A server of this clone that sends mail."""
    database = databases.fresh("sqlite", tmp_path)
    clock = tmp_path / "ahead"
    put(clock, 0)
    post = {"SMTP_URL": mail.url, "MAIL_FROM": "table@example.org", "AHEAD": str(clock)}
    hasty = ("-m", "tests.support.servers.ahead")
    with Server(tmp_path, database, worker=hasty, **post) as server:
        yield server


@pytest.fixture
def looking(server: Server) -> Iterator[Flask]:
    """An application of the test's own over the same database."""
    key = bytes(32)
    config = Config(
        data_dir=server.folder, database_url=server.database, secret_key=key, signing_key=key
    )
    app = create_app(config)
    yield app
    disconnect(app)


_LATER = "outbox WHERE done_at IS NULL AND run_at > 0 AND kind IN ('turn', 'over')"
_VERIFY = """
import sys
from pathlib import Path
from service.log.verification.verify_record import verify
for each in sys.argv[1:]:
    verify(Path(each).read_bytes())
"""
"""The steps of `tegami verify`, for several records in one process."""


class Reader:
    """Somebody who plays against house players by the links in mails."""

    def __init__(self, server: Server, mail: MailServer, looking: Flask) -> None:
        self._mail, self._looking, self._read = mail, looking, 0
        self._browser = Browser(server.url)
        self.send("POST", "/api/players", {"name": "Dora"})
        account = {"handle": "dora", "address": "dora@example.org"}
        self.send("POST", "/api/me/registration", account)
        key = re.search(r"/plain/keys/verify/(\S+)", self.next_mail())
        assert key
        self.send("POST", "/api/verifications", {"key": key[1]})

    def send(self, method: str, path: str, body: Any = None) -> Any:
        """The answer of the API."""
        return self._browser.send(method, path, body)

    def open(self) -> str:
        """The id of a game that has begun."""
        wish = {
            "ruleset": BOOMERANG,
            "house": 2,
            "start": "full",
            "seating": "order",
            "nonce": None,
        }
        return str(self.send("POST", "/api/games", wish)["id"])

    def next_mail(self) -> str:
        """The text of the next mail. Nobody waits for mails that are due later."""

        def come() -> list[Any]:
            if execute(self._looking, f"SELECT id FROM {_LATER}"):
                execute(self._looking, f"UPDATE {_LATER.replace('WHERE', 'SET run_at = 0 WHERE')}")
            return self._mail.to("dora@example.org")[self._read :]

        mail = wait_until(come, "a mail")[0]
        self._read += 1
        return str(mail.text())

    def play(self, rng: random.Random) -> set[str]:
        """Follow mails until the game is over; returns the words of all offered moves."""
        offered = set[str]()
        while "Look back at the whole game" not in (text := self.next_mail()):
            offered |= {line.strip() for line in text.splitlines()}
            link = chosen(rng.choice(MOVE.findall(text)), rng)
            if link is not None:
                assert page(link, "POST")[0] == 200
        return offered


def played_by_programs(alice: Remote, bob: Remote, game_id: str, rng: random.Random) -> None:
    """Let both answer until the game is over."""
    choose, game = eager(rng), alice.game(game_id)
    while game["status"] == "running":
        on_turn = (alice, bob)[game["waiting"][0]["seat"]]
        game = on_turn.game(game_id)
        status, told = on_turn.answer(game, game["legal"].index(choose(game["legal"])))
        assert status == 201
        game = told["game"]


def begun(alice: Remote, bob: Remote, *types: str) -> str:
    """The id of a game of Caravan in which, after the openings, somebody has taken an action of these types."""
    game_id = alice.open(CARAVAN)
    bob.insist("POST", f"/api/games/{game_id}/seats", {})
    for kind in ("open", "open", *types):
        person = next(each for each in (alice, bob) if each.game(game_id)["legal"])
        game = person.game(game_id)
        found = [each["action"]["type"] for each in game["legal"]].index(kind)
        assert person.answer(game, found)[0] == 201
    return game_id


class Games:
    """Games of version 1 that have begun, and then some of version 2: on the website, by mail, and between programs."""

    def __init__(self, visitor: Any, reader: Reader, *programs: Remote) -> None:
        self.visitor, self.reader, self.programs = visitor, reader, programs
        self.rng = random.Random(6)
        self.ids: dict[str, str] = {}

    def begin(self) -> str:
        """The old ones; the first mail."""
        self.visitor.play_now(BOOMERANG)
        click(self.visitor, self.rng)
        self.ids = {"page": self.visitor.game_id, "mail": self.reader.open()}
        self.ids["stays"] = begun(*self.programs, "discard")
        self.ids["goes over"] = begun(*self.programs)
        return self.reader.next_mail()

    def play_on(self, first_mail: str) -> None:
        """The old ones to the end."""
        click(self.visitor, self.rng)
        link = chosen(self.rng.choice(MOVE.findall(first_mail)), self.rng)
        assert link is not None and page(link, "POST")[0] == 200
        assert "Pass" in self.reader.play(self.rng)
        for name in ("stays", "goes over"):
            played_by_programs(*self.programs, self.ids[name], self.rng)
        finish(self.visitor, self.rng)

    def play_new(self) -> None:
        """New ones to the end."""
        self.ids["new by mail"] = self.reader.open()
        assert "Decline" in self.reader.play(self.rng)
        self.ids["new by program"] = begun(*self.programs, "drop")
        played_by_programs(*self.programs, self.ids["new by program"], self.rng)
        self.visitor.open().locator(f"[data-play='{BOOMERANG}']").click()
        self.visitor.page.wait_for_selector(".play")
        self.ids["new on the page"] = self.visitor.game_id
        click(self.visitor, self.rng)
        finish(self.visitor, self.rng)


def test_running_games_go_on_by_their_version_and_new_ones_by_the_newer(
    server: Server, mail: MailServer, looking: Flask, newer_clone: Path, visit: Any, tmp_path: Path
) -> None:
    programs = [Remote(server.url, name) for name in ("Alice", "Bob")]
    games = Games(visit(DESK, own=True), Reader(server, mail, looking), *programs)
    first_mail = games.begin()

    server.update(newer_clone)
    told = server.python("-m", "service.operations.commands", "upgrade-games", CARAVAN)
    assert told.returncode == 3, told.stderr
    lines = [line for line in told.stdout.splitlines() if games.ids["stays"] in line]
    assert len(lines) == 1 and "its type is not legal" in lines[0]

    games.play_on(first_mail)
    games.play_new()
    expected = {"page": [1], "mail": [1], "stays": [1], "goes over": [1, 2]}
    for name, game_id in games.ids.items():
        record = urllib.request.urlopen(f"{server.url}/api/games/{game_id}/record").read()
        assert versions(json.loads(record)) == expected.get(name, [2]), name
        (tmp_path / f"{name}.json").write_bytes(record)
    files = [str(tmp_path / f"{name}.json") for name in games.ids]
    for words in (
        ["-c", _VERIFY, *files],
        ["-m", "service.operations.commands", "verify", files[3]],
    ):
        checked = server.python(*words)
        assert checked.returncode == 0, checked.stderr
    unanswered = "net::ERR_"  # during the update
    games.visitor.errors[:] = [each for each in games.visitor.errors if unanswered not in each]


def click(visitor: Any, rng: random.Random) -> None:
    """Make some own moves on the page."""
    moves = 0
    while moves < CLICKED and visitor.my_turn():
        visitor.choose(rng)
        moves += visitor.confirm()


def finish(visitor: Any, rng: random.Random) -> None:
    """Play the rest of the game; the page shows how it ends."""
    while visitor.answer(rng):
        pass
    visitor.see_the_end()
    assert visitor.game()["result"]["words"] in visitor.page.locator(".result").inner_text()


def versions(record: Any) -> list[int]:
    """The versions by which a game was played, in order; its actions have their names there."""
    events, slug = record["events"], record["events"][0]["ruleset"]
    found = [events[0]["version"]]
    for event in events:
        if event["kind"] == "version":
            found.append(event["to"])
        if event["kind"] == "action":
            others = {name for number, name in NAMES[slug].items() if number != found[-1]}
            assert event["action"]["type"] not in others
    return found
