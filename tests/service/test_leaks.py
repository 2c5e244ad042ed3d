"""Whatever goes wrong, a card that nobody may see is in no answer and in no log file; nor is a person's secret."""

from __future__ import annotations

import json
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.service.cast import BOOMERANG
from tests.service.databases import Databases
from tests.service.leaking import MARKER
from tests.service.remote import Remote
from tests.service.server import Server, wait_until

REFUSE_EVENTS = """
CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.number > 1
BEGIN SELECT RAISE(ABORT, 'no room'); END
"""


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of traps: gunicorn and the worker."""
    folder, launcher = tmp_path_factory.mktemp("traps"), "tests.service.leaking"
    database = databases.fresh("sqlite", folder)
    with Server(folder, database, f"{launcher}:trapped_app()", ("-m", launcher)) as server:
        yield server


class Listener(Remote):
    """A player who keeps everything that was heard."""

    def __init__(self, url: str, name: str, heard: list[str]) -> None:
        self.heard = heard
        super().__init__(url, name)

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, told = super().send(method, path, body)
        self.heard.append(json.dumps(told, ensure_ascii=False))
        return status, told

    def steps_into(self, game: Any, rank: str) -> int:
        """The status of the answer to a bid of this rank."""
        bids = [entry["action"] for entry in game["legal"] if entry["action"]["type"] == "bid"]
        action = next(bid for bid in bids if bid["cards"][0][0] == rank)
        body = {"asked": game["asked"], "action": action}
        return self.send("POST", f"/api/games/{game['id']}/actions", body)[0]


@pytest.fixture
def heard() -> list[str]:
    """All that anybody was answered."""
    return []


@pytest.fixture
def players(server: Server, heard: list[str]) -> list[Listener]:
    return [Listener(server.url, name, heard) for name in ("Alice", "Bob", "Carol")]


def sit_down(players: list[Listener]) -> str:
    game_id = players[0].open(BOOMERANG)
    for player in players[1:]:
        player.send("POST", f"/api/games/{game_id}/seats", {})
    return game_id


def silent(server: Server, heard: list[str]) -> None:
    """Nobody heard of the marker, no log file has it."""
    assert heard
    assert MARKER not in "".join(heard)
    assert MARKER not in server.logged()


def test_a_crash_of_the_engine(server: Server, players: list[Listener], heard: list[str]) -> None:
    game_id = sit_down(players)
    game = players[0].game(game_id)
    assert [players[0].steps_into(game, rank) for rank in "A3"] == [500, 500]
    assert players[0].game(game_id)["number"] == game["number"]  # nothing was logged
    assert "RuntimeError" in server.logged()  # the operator is told that, and where
    assert "do_bid" in server.logged()
    silent(server, heard)


def test_a_view_that_cannot_be_made(
    server: Server, players: list[Listener], heard: list[str]
) -> None:
    game_id = sit_down(players)
    assert players[0].steps_into(players[0].game(game_id), "2") == 500
    for player in players:
        for path in ("", "/events", "/record"):
            player.send("GET", f"/api/games/{game_id}{path}")
    assert "ValueError" in server.logged()
    silent(server, heard)


def test_a_line_without_words(server: Server, players: list[Listener], heard: list[str]) -> None:
    game_id = sit_down(players)
    players[0].steps_into(players[0].game(game_id), "4")
    assert players[1].send("GET", f"/api/games/{game_id}/events")[0] == 500
    silent(server, heard)


def test_a_database_that_refuses(server: Server, players: list[Listener], heard: list[str]) -> None:
    game_id = sit_down(players)
    game = players[0].game(game_id)
    body = {"asked": game["asked"], "action": {"type": "pass"}}
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as database:
        database.execute(REFUSE_EVENTS)
    status, told = players[0].send("POST", f"/api/games/{game_id}/actions", body)
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as database:
        database.execute("DROP TRIGGER refuse")
    assert (status, told["type"]) == (500, "/problems/server-error")
    assert "no room" not in server.logged()
    assert game["legal"][0]["action"]["cards"][0] not in server.logged()
    silent(server, heard)


def test_an_action_that_is_not_legal(
    server: Server, players: list[Listener], heard: list[str]
) -> None:
    game_id = sit_down(players)
    game = players[0].game(game_id)
    own = {card for entry in game["legal"] for card in entry["action"].get("cards", [])}
    body = {"asked": game["asked"], "action": {"type": "bid", "cards": ["5h"]}}
    status, told = players[0].send("POST", f"/api/games/{game_id}/actions", body)
    assert status == 422
    assert {card for cards in told["why"]["may"] for card in cards} == own
    assert players[1].send("POST", f"/api/games/{game_id}/actions", body)[0] in {409, 422}
    silent(server, heard)


def test_a_house_player_that_falls_over(
    server: Server, players: list[Listener], heard: list[str]
) -> None:
    for _ in range(4):
        game_id = players[0].open(BOOMERANG, house=2)
        body = {"asked": players[0].game(game_id)["asked"], "action": {"type": "pass"}}
        players[0].send("POST", f"/api/games/{game_id}/actions", body)
    wait_until(lambda: '"house"' in server.logged(), "a house player's accident")
    silent(server, heard)


def test_requests_leave_no_secrets_in_log_files(server: Server, players: list[Listener]) -> None:
    secrets = ["tgm_" + "s" * 43, "k" * 43, "query" * 5]
    headers = {"Authorization": f"Bearer {secrets[0]}", "Invitation": secrets[1]}
    links = (f"/moves/{secrets[2]}", f"/votes/{secrets[2]}")
    for path in (f"/api/games?cursor={secrets[2]}", *links, "/api/me/turns"):
        request = urllib.request.Request(server.url + path, headers=headers)
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(request, timeout=20)
    assert not [secret for secret in secrets if secret in server.logged()]
    assert players[0]._token not in server.logged()
