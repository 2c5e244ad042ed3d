"""No secret leaves by an error, a log file, or somebody else's answer."""

from __future__ import annotations

import itertools
import json
import random
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest

import rules
from service.database import db
from service.log import States
from service.table import find
from tests.service.breaking import MARKER, PARTS
from tests.service.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.service.databases import KINDS
from tests.service.dump import execute
from tests.service.remote import Remote, move
from tests.service.server import Server, wait_until

CARD = re.compile(r"\b[A2-9TJQK][shdc]\b|(?:\b10|[A2-9JQK])[♠♥♦♣]")


# What a game that is running shows


def strings(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from strings(each)
    elif isinstance(value, str):
        yield value


def cards(value: Any) -> set[str]:
    """Every card that is spoken of, however it is written."""
    signs = str.maketrans("♠♥♦♣", "shdc")
    found = (card for text in strings(value) for card in CARD.findall(text))
    return {card.translate(signs).replace("10", "T") for card in found}


def known(app, game_id, seat):
    """The cards that this seat may know of: what the engine shows, lists and has told."""
    with app.app_context():
        game, states = find(game_id).game, States()
        ruleset = rules.load(game.ruleset, game.version)
        told = [
            ruleset.lines(states.load(db.session, game, number), seat)
            for number in range(1, game.number + 1)
        ]
        state = states.load(db.session, game)
        return cards([told, ruleset.view(state, seat), ruleset.legal(state, seat)])


def raw_secrets(app):
    """What stands in the log and nowhere else: salts, and the seeds."""
    bodies = [json.loads(row.body) for row in execute(app, "SELECT body FROM events")]
    seeds = [bytes(row.seed).hex() for row in execute(app, "SELECT seed FROM games")]
    return [body["salt"] for body in bodies] + seeds


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
@sqlite_only
def test_nothing_is_shown_but_what_the_engine_shows(app, cast, slug):
    game_id = cast.start(slug)
    people = (*cast.seated, cast.mallory, cast.nobody)
    for _ in itertools.islice(cast.moves(game_id, random.Random(9).choice), 6):
        for person in people:
            game = person.game(game_id)
            events = person.get(f"/api/games/{game_id}/events?limit=200")
            body = {"asked": 0, "action": {"type": "fly"}}
            problem = person.send("POST", f"/api/games/{game_id}/actions", json=body).json
            lists = [person.get("/api/games"), person.send("GET", "/api/me/turns").json]
            shown = [game, events, problem, lists]
            assert cards(shown) <= known(app, game_id, game["seat"])
            text = json.dumps(shown)
            assert not [secret for secret in raw_secrets(app) if secret in text]


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
@sqlite_only
def test_the_hands_of_others_are_numbers(cast, slug):
    game_id = cast.start(slug)
    for person in (*cast.seated, cast.mallory):
        game = person.game(game_id)
        hands = [zone for zone in game["view"]["zones"] if zone["kind"] == "hand"]
        assert len(hands) == game["players"]
        for hand in hands:
            assert ("cards" in hand) == (hand["seat"] == game["seat"])
            assert hand["count"] > 0


# What a defect tells


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
