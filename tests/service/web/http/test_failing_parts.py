"""A part of a running server fails: callers learn only that it did, and log files say only where."""

from __future__ import annotations

import json
import socket

import pytest

from service.web.app import create_app
from tests.contract import CheckedClient
from tests.service.tables.play.test_hidden_information import CARD
from tests.support.cast import BOOMERANG, CARAVAN, Cast
from tests.support.servers.breaking import MARKER, PARTS, break_database
from tests.support.servers.databases import disconnect
from tests.support.servers.remote import Remote, move
from tests.support.servers.server import PATIENCE, Server, wait_until


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.thorough)]
)
def server(request, databases, tmp_path_factory):
    """A running server with parts that can be made to fail."""
    folder = tmp_path_factory.mktemp("leaks")
    database = databases.fresh(request.param, folder)
    breaking = folder / "breaking"
    breaking.write_text("")
    launcher = "tests.support.servers.breaking"
    with Server(
        folder,
        database,
        f"{launcher}:broken_app()",
        ("-m", launcher, "worker"),
        BREAKING=str(breaking),
        WEB_CONCURRENCY="1",
    ) as server:
        yield server
    databases.drop(database)


@pytest.fixture
def broken(server):
    """Make a part fail; it works again at the end."""
    file = server.folder / "breaking"
    yield file.write_text
    file.write_text("")


def logs_no_secrets(server, *secrets):
    """Whether the log files hold no secrets."""
    logged = server.logged()
    assert MARKER not in logged
    assert "Traceback" not in logged
    assert CARD.findall(logged) == []
    for secret in secrets:
        assert secret not in logged
    return True


@pytest.mark.parametrize("part", PARTS)
def test_a_defect_reveals_nothing(server, broken, part):
    """The caller learns only that something failed in the web process, and the log file says where."""
    alice, bob = Remote(server.url, "Alice"), Remote(server.url, "Bob")
    game_id = alice.open(CARAVAN)
    bob.insist("POST", f"/api/games/{game_id}/seats", {})
    game = alice.game(game_id)
    broken(part)
    answers = [
        alice.send("POST", f"/api/games/{game_id}/actions", move(game)),
        alice.send("GET", f"/api/games/{game_id}"),
        alice.send("GET", f"/api/games/{game_id}/events"),
    ]
    broken("")
    failed = [told for status, told in answers if status >= 500]
    assert failed
    for told in failed:
        assert told["type"] == "/problems/server-error"
        assert told.keys() == {"type", "title", "status", "detail", "request_id"}
    assert MARKER not in json.dumps(answers)
    assert '"event": "crash"' in server.logged()
    assert logs_no_secrets(server)
    played = answers[0][0] == 201
    assert alice.game(game_id)["number"] == game["number"] + played, "nothing else was changed"
    assert alice.answer(game)[0] == (200 if played else 201), "and it goes on"


@pytest.mark.both_databases
@pytest.mark.parametrize("part", ["insert", "commit"])
def test_a_failing_database_reveals_nothing(config, runtime, tmp_path, monkeypatch, capsys, part):
    """Its message about a refused row contains the row."""
    file = tmp_path / "breaking"
    file.write_text("")
    monkeypatch.setenv("BREAKING", str(file))
    app = create_app(config, runtime)
    app.test_client_class = CheckedClient
    break_database(app)
    cast = Cast(app)
    game_id = cast.start(CARAVAN)
    person, game = cast.asked(game_id)
    file.write_text(part)
    failed = person.send("POST", f"/api/games/{game_id}/actions", json=move(game))
    file.write_text("")
    assert failed.status_code >= 500
    logged = capsys.readouterr().err
    assert '"event": "crash"' in logged and "Traceback" not in logged
    assert MARKER not in logged + failed.text
    assert CARD.findall(logged) == []
    person.answer(game)
    disconnect(app)


def test_a_defect_of_the_worker_reveals_nothing(server, broken):
    alice = Remote(server.url, "Alice")
    server.stop("worker")
    game_id = alice.open(CARAVAN, house=1)
    broken("legal")
    server.launch("worker")
    wait_until(lambda: game_id in server.log("worker").read_text(), "a house player that fails")
    assert '"error": "Defect"' in server.log("worker").read_text()
    assert logs_no_secrets(server)


def test_what_callers_send_is_not_logged(server, broken):
    """No tokens, keys, paths or queries are, even if the bytes are not HTTP."""
    alice = Remote(server.url, "Alice")
    token = alice._token
    broken("view")
    alice.send("GET", f"/api/games?{MARKER}=1")
    alice.send("GET", f"/api/{MARKER}")
    alice.send("POST", "/api/sign-ins", {"key": MARKER * 5})
    alice.send("POST", "/api/games", {"ruleset": BOOMERANG, MARKER: 1})
    broken("")
    for raw in (
        f"GET /{MARKER} HTTP/9.9\r\n\r\n",
        f"GET /{MARKER}\r\n\r\n",
        f"{MARKER} / HTTP/1.1\r\nHost: x\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\n{MARKER} : x\r\n\r\n",
        f"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: {MARKER}\x00\r\n\r\n",
        f"GET /{MARKER * 2000} HTTP/1.1\r\nHost: x\r\n\r\n",
        f"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {MARKER}\r\n\r\n",
        f"POST /api/players HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{MARKER}\r\n",
        f"POST /api/players HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{MARKER}",
    ):
        send_raw(server.port, raw.encode("latin-1"))
    assert logs_no_secrets(server, token, token.removeprefix("tgm_"))


def send_raw(port, raw):
    """Send these bytes to the server, and read until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


def test_nothing_is_logged_about_requests_that_succeed(server):
    alice = Remote(server.url, "Alice")
    before = server.logged()
    game_id = alice.open(CARAVAN, private=True)
    alice.game(game_id)
    assert server.logged() == before
