"""Programs play random games of every ruleset over HTTP, and check every answer."""

from __future__ import annotations

import http.client
import itertools
import json
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

import rules
from service.log.verification.verify_record import verify
from service.tables.views.rulesets.ruleset_view import offered
from tests import contract
from tests.rules.pairwise_tables import drawn
from tests.support.servers.server import Server, wait_until

Json = dict[str, Any]

SEEDS = 2
MANY = 100
"""Games of each ruleset, without and with --thorough."""
EVENTS = 200
"""The maximum number of events on a page of the history."""


class Program:
    """A player with a token and a connection; every answer is checked against the document."""

    def __init__(self, url: str, name: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        self._token = ""
        made = self.call("POST", "/api/players", {"name": name, "token": name})
        self._token = made["token"]["secret"]

    def leave(self) -> None:
        """Close the connection."""
        self._connection.close()

    def call(self, method: str, path: str, body: Json | None = None) -> Any:
        """The body of the answer; the status has to be 201 for a POST, otherwise 200."""
        status, answer = self.send(method, path, body)
        assert status == (201 if body is not None else 200), answer
        return answer

    def send(
        self, method: str, path: str, body: Json | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Status and body."""
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if body is not None:
            headers["Content-Type"] = "application/json"
        sent = None if body is None else json.dumps(body)
        answer = self._exchange(method, path, sent, headers)
        self.raw, self.tag = answer.read(), answer.headers.get("ETag", "")
        contract.check(method, path, answer.status, answer.headers, self.raw)
        return answer.status, json.loads(self.raw) if self.raw else None

    def _exchange(self, *request: Any) -> http.client.HTTPResponse:
        """The answer; a connection that was closed while idle is opened again."""
        try:
            self._connection.request(*request)
            return self._connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            self._connection.close()
        self._connection.request(*request)
        return self._connection.getresponse()


@pytest.fixture(scope="module")
def programs(server: Server) -> Iterator[list[Program]]:
    """As many programs as the largest table has seats."""
    most = max(max(rules.load(slug).players) for slug in rules.slugs())
    programs = [Program(server.url, f"Program {number}") for number in range(most)]
    yield programs
    for program in programs:
        program.leave()


def tables(slug: str, rng: random.Random) -> Iterator[tuple[int, Json]]:
    """All numbers of players in turn, the fewest and the most first, with the shortest length and random options."""
    ruleset = rules.load(slug)
    fewest, *others = sorted(ruleset.players)
    for players in itertools.cycle([fewest, *reversed(others)]):
        short = ruleset.looks.lengths(players)[0].options
        _, options = drawn(ruleset, players, short, rng) or (players, short)
        if not ruleset.live(players, options):
            yield players, {name: options[name] for name in offered(ruleset, players)}


@pytest.mark.timeout(1000)
@pytest.mark.parametrize("slug", rules.slugs())
def test_random_games_over_http(
    slug: str, programs: list[Program], request: pytest.FixtureRequest
) -> None:
    games = MANY if request.config.getoption("--thorough") else SEEDS
    rng = random.Random(slug)
    for players, options in itertools.islice(tables(slug, rng), games):
        game = play(seated(programs[:players], slug, options), programs, rng)
        check_end(game, programs[0])


def seated(programs: list[Program], slug: str, options: Json) -> str:
    """The id of a running game with a program in each seat."""
    wish = {"ruleset": slug, "players": len(programs), "options": options}
    table = programs[0].call(
        "POST", "/api/games", {**wish, "seating": "order", "start": "full", "nonce": None}
    )
    for other in programs[1:]:
        table = other.call("POST", f"/api/games/{table['id']}/seats", {})
    assert table["status"] == "running"
    assert table["options"].items() >= options.items()
    return str(table["id"])


def play(game_id: str, programs: list[Program], rng: random.Random) -> Json:
    """Answer every question with a random legal action; returns the game when it is over."""
    path = f"/api/games/{game_id}"
    game: Json = programs[0].call("GET", path)
    while game["status"] == "running":
        asked = rng.choice(game["waiting"])["seat"]
        if game["seat"] != asked:
            game = programs[asked].call("GET", path)
        action = rng.choice(game["legal"])["action"]
        answer = {"asked": game["asked"], "action": action}
        played = programs[asked].call("POST", f"{path}/actions", answer)
        assert played["game"]["number"] >= played["number"] > game["number"]
        game = played["game"]
    return game


def check_end(game: Json, program: Program) -> None:
    """The result is shown, polls get a 304, the history is complete, and the record is valid."""
    path = f"/api/games/{game['id']}"
    assert game["status"] == "over" and game["legal"] == [] and game["waiting"] == []
    assert len(game["result"]["scores"]) == game["players"]
    program.call("GET", path)
    assert program.send("GET", path, **{"If-None-Match": program.tag})[0] == 304
    told = program.call("GET", f"{path}/events?limit={EVENTS}")["events"]
    assert [event["number"] for event in told] == list(range(1, game["number"] + 1))[:EVENTS]
    program.call("GET", f"{path}/record")
    assert verify(program.raw)["head"] == game["head"]


@pytest.mark.parametrize("slug", rules.slugs())
def test_a_random_game_against_house_players(slug: str, programs: list[Program]) -> None:
    program, rng, ruleset = programs[0], random.Random(slug), rules.load(slug)
    players = ruleset.players[0]
    options = ruleset.looks.lengths(players)[0].options
    wish = {"ruleset": slug, "players": players, "options": options, "house": players - 1}
    game = program.call("POST", "/api/games", {**wish, "start": "full", "nonce": None})
    path = f"/api/games/{game['id']}"

    def asked() -> Json | None:
        shown: Json = program.call("GET", path)
        return shown if shown["legal"] or shown["status"] == "over" else None

    while (game := wait_until(asked, "a question"))["status"] == "running":
        answer = {"asked": game["asked"], "action": rng.choice(game["legal"])["action"]}
        status, told = program.send("POST", f"{path}/actions", answer)
        assert status == 201 or told["type"] == "/problems/stale"  # a house player was faster
    check_end(game, program)
