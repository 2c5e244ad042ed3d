"""Whatever goes wrong, no response and no log file holds a hidden card or a person's secret."""

from __future__ import annotations

import json
import re
import sqlite3
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.cast import BOOMERANG
from tests.support.servers.databases import Databases
from tests.support.servers.leaking import MARKER
from tests.support.servers.remote import Remote
from tests.support.servers.server import PATIENCE, Server, wait_until

REFUSE_EVENTS = """
CREATE TRIGGER refuse BEFORE INSERT ON events WHEN NEW.number > 1
BEGIN SELECT RAISE(ABORT, 'no room'); END
"""


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose parts fail with a marker in the error: gunicorn and the worker."""
    folder, launcher = tmp_path_factory.mktemp("traps"), "tests.support.servers.leaking"
    database = databases.fresh("sqlite", folder)
    app, worker = f"{launcher}:trapped_app()", ("-m", launcher)
    with Server(folder, database, app, worker, WEB_CONCURRENCY="1") as server:
        yield server


class RecordingPlayer(Remote):
    """A player who records every response."""

    def __init__(self, url: str, name: str, answers: list[str]) -> None:
        self.answers = answers
        super().__init__(url, name)

    def send(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        status, told = super().send(method, path, body)
        self.answers.append(json.dumps(told, ensure_ascii=False))
        return status, told

    def bid(self, game: Any, rank: str) -> int:
        """The status of the answer to a bid of this rank."""
        bids = [entry["action"] for entry in game["legal"] if entry["action"]["type"] == "bid"]
        action = next(bid for bid in bids if bid["cards"][0][0] == rank)
        body = {"asked": game["asked"], "action": action}
        return self.send("POST", f"/api/games/{game['id']}/actions", body)[0]


@pytest.fixture
def answers() -> list[str]:
    """Every response that anybody got."""
    return []


@pytest.fixture
def players(server: Server, answers: list[str]) -> list[RecordingPlayer]:
    return [RecordingPlayer(server.url, name, answers) for name in ("Alice", "Bob", "Carol")]


def sit_down(players: list[RecordingPlayer]) -> str:
    game_id = players[0].open(BOOMERANG)
    for player in players[1:]:
        player.send("POST", f"/api/games/{game_id}/seats", {})
    return game_id


def assert_no_marker(server: Server, answers: list[str]) -> None:
    """Check that no response and no log file holds the marker."""
    assert answers
    assert MARKER not in "".join(answers)
    assert MARKER not in server.logged()


def test_rules_that_crash(
    server: Server, players: list[RecordingPlayer], answers: list[str]
) -> None:
    game_id = sit_down(players)
    game = players[0].game(game_id)
    assert [players[0].bid(game, rank) for rank in "A3"] == [500, 500]
    assert players[0].game(game_id)["number"] == game["number"]  # no event was appended
    assert "RuntimeError" in server.logged()  # the operator learns what failed, and where
    assert "do_bid" in server.logged()
    assert_no_marker(server, answers)


def test_a_view_that_crashes(
    server: Server, players: list[RecordingPlayer], answers: list[str]
) -> None:
    game_id = sit_down(players)
    assert players[0].bid(players[0].game(game_id), "2") == 500
    for player in players:
        for path in ("", "/events", "/record"):
            player.send("GET", f"/api/games/{game_id}{path}")
    assert "ValueError" in server.logged()
    assert_no_marker(server, answers)


def test_a_line_without_words(
    server: Server, players: list[RecordingPlayer], answers: list[str]
) -> None:
    game_id = sit_down(players)
    players[0].bid(players[0].game(game_id), "4")
    assert players[1].send("GET", f"/api/games/{game_id}/events")[0] == 500
    assert_no_marker(server, answers)


def test_a_database_that_refuses_a_row(
    server: Server, players: list[RecordingPlayer], answers: list[str]
) -> None:
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
    card = game["legal"][0]["action"]["cards"][0]
    assert not re.search(rf"\b{card}\b", server.logged()), "ids may have the same two letters"
    assert_no_marker(server, answers)


def test_moves_leave_no_cards_in_log_files(server: Server, players: list[RecordingPlayer]) -> None:
    game_id = sit_down(players)
    played = []
    for player in players:
        game = player.game(game_id)
        for bid in [each["action"] for each in game["legal"] if "cards" in each["action"]][-1:]:
            body = {"asked": game["asked"], "action": bid}
            status, _ = player.send("POST", f"/api/games/{game_id}/actions", body)
            played += bid["cards"] if status == 201 else []
    assert played
    logged = server.logged()
    assert not [card for card in played if re.search(rf"\b{card}\b", logged)]


def test_an_illegal_action(
    server: Server, players: list[RecordingPlayer], answers: list[str]
) -> None:
    game_id = sit_down(players)
    game = players[0].game(game_id)
    own = {card for entry in game["legal"] for card in entry["action"].get("cards", [])}
    body = {"asked": game["asked"], "action": {"type": "bid", "cards": ["5h"]}}
    status, told = players[0].send("POST", f"/api/games/{game_id}/actions", body)
    assert status == 422
    assert {card for cards in told["why"]["may"] for card in cards} == own
    assert players[1].send("POST", f"/api/games/{game_id}/actions", body)[0] in {409, 422}
    assert_no_marker(server, answers)


def test_a_house_player_that_crashes(
    server: Server, players: list[RecordingPlayer], answers: list[str]
) -> None:
    for _ in range(4):
        game_id = players[0].open(BOOMERANG, house=2)
        body = {"asked": players[0].game(game_id)["asked"], "action": {"type": "pass"}}
        players[0].send("POST", f"/api/games/{game_id}/actions", body)
    wait_until(lambda: '"house player"' in server.logged(), "a house player's crash")
    assert_no_marker(server, answers)


def test_requests_leave_no_secrets_in_log_files(
    server: Server, players: list[RecordingPlayer]
) -> None:
    secrets = ["tgm_" + "s" * 43, "k" * 43, "query" * 5]
    headers = {"Authorization": f"Bearer {secrets[0]}", "Invitation": secrets[1]}
    links = (f"/moves/{secrets[2]}", f"/votes/{secrets[2]}")
    for path in (f"/api/games?cursor={secrets[2]}", *links, "/api/me/turns"):
        request = urllib.request.Request(server.url + path, headers=headers)
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(request, timeout=PATIENCE)
    assert not [secret for secret in secrets if secret in server.logged()]
    assert players[0]._token not in server.logged()
