"""A part of a whole server fails: nobody hears more than that, and no log file says more than where."""

from __future__ import annotations

import json
import socket

import pytest

from tests.service.breaking import MARKER, PARTS
from tests.service.cast import BOOMERANG, CARAVAN
from tests.service.databases import KINDS
from tests.service.remote import Remote, move
from tests.service.server import Server, wait_until
from tests.service.test_shown import CARD


@pytest.fixture(scope="module", params=KINDS)
def server(request, databases, tmp_path_factory):
    """A whole server with a part that can be broken."""
    folder = tmp_path_factory.mktemp("leaks")
    database = databases.fresh(request.param, folder)
    breaking = folder / "breaking"
    breaking.write_text("")
    launcher = "tests.service.breaking"
    with Server(
        folder,
        database,
        f"{launcher}:broken_app()",
        ("-m", launcher, "worker"),
        BREAKING=str(breaking),
    ) as server:
        yield server
    databases.drop(database)


@pytest.fixture
def broken(server):
    """Break a part; it is whole again at the end."""
    file = server.folder / "breaking"
    yield file.write_text
    file.write_text("")


def quiet(server, *secrets):
    """Whether no log file says more than it may."""
    logged = server.logged()
    assert MARKER not in logged
    assert "Traceback" not in logged
    assert CARD.findall(logged) == []
    for secret in secrets:
        assert secret not in logged
    return True


@pytest.mark.parametrize("part", PARTS)
def test_a_defect_tells_nothing(server, broken, part):
    """In the web: whatever fails, the caller learns that it did, and the log file where."""
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
        assert told.keys() == {"type", "title", "status", "detail"}
    assert MARKER not in json.dumps(answers)
    assert '"event": "crash"' in server.logged()
    assert quiet(server)
    played = answers[0][0] == 201
    assert alice.game(game_id)["number"] == game["number"] + played, "nothing else was changed"
    assert alice.answer(game)[0] == (200 if played else 201), "and it goes on"


def test_a_defect_of_the_worker_tells_nothing(server, broken):
    alice = Remote(server.url, "Alice")
    server.stop("worker")
    game_id = alice.open(CARAVAN, house=1)
    broken("legal")
    server.launch("worker")
    wait_until(lambda: game_id in server.log("worker").read_text(), "a house player that fails")
    assert '"error": "Defect"' in server.log("worker").read_text()
    assert quiet(server)


def test_what_callers_send_is_not_logged(server, broken):
    """Neither tokens nor keys, paths nor queries; also when what they send is not even HTTP."""
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
        speak(server.port, raw.encode("latin-1"))
    assert quiet(server, token, token.removeprefix("tgm_"))


def speak(port, raw):
    """Say this to the server, and hear it out."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(raw)
        connection.shutdown(socket.SHUT_WR)
        while connection.recv(65536):
            pass


def test_the_server_logs_nothing_of_its_callers_when_all_is_well(server):
    alice = Remote(server.url, "Alice")
    before = server.logged()
    game_id = alice.open(CARAVAN, private=True)
    alice.game(game_id)
    assert server.logged() == before
