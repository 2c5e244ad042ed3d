"""Waiting for news without a thread: `Prefer: wait`."""

from __future__ import annotations

import socket
import time
from contextlib import ExitStack, closing, contextmanager, suppress

import pytest

from service.web.http.polls.waiting import LONGEST, preferred
from service.web.serving.held_answers import OF_PLAYER
from tests.service.web.serving.test_polls import TABLE
from tests.support.servers.raw_client import Client
from tests.support.servers.server import PATIENCE, Server

pytestmark = pytest.mark.of_service

CARAVAN = {**TABLE, "ruleset": "caravan", "start": "host"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, databases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("waiting")
    database = databases.fresh(request.param, folder)
    with Server(folder, database, WEB_CONCURRENCY="1") as started:
        yield started


@contextmanager
def client(server):
    with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as opened:
        yield Client(opened)


def newcomer(one, name):
    """The headers of a new player, once the waiting requests are known."""
    made = one.ask("POST", "/api/players", {"name": name, "token": "a", "scopes": ["talk"]})[2]
    auth = {"Authorization": f"Bearer {made['token']['secret']}"}
    one.ask("GET", "/api/me", **auth)
    return auth


def begin(one, auth):
    """The address of somebody's changes from now on."""
    told = one.ask("GET", "/api/me/changes", **auth)[2]
    return f"/api/me/changes?after={told['next']}"


def table_of_two(one, host, guest):
    game = one.ask("POST", "/api/games", CARAVAN, **host)[2]
    one.ask("POST", f"/api/games/{game['id']}/seats", {}, **guest)
    return game["id"]


def header(head, name):
    found = [line for line in head.decode().split("\r\n") if line.lower().startswith(name)]
    return found[0].partition(": ")[2] if found else None


def test_an_answer_waits_for_news(server):
    with client(server) as waiting, client(server) as other:
        alice, bob = newcomer(other, "Alice"), newcomer(other, "Bob")
        path = begin(waiting, bob)
        game_id = table_of_two(other, alice, bob)
        path = f"/api/me/changes?after={waiting.ask('GET', path, **bob)[2]['next']}"
        waiting.send("GET", path, **bob, Prefer="wait=30")
        began = time.monotonic()
        assert nothing_comes(waiting)
        other.ask("POST", f"/api/games/{game_id}/start", {}, **alice)
        status, head, told = waiting.answer()
        assert status == 200
        assert [each["kind"] for each in told["changes"]] == ["started", "turn"]
        assert header(head, "preference-applied") is None
        assert time.monotonic() - began < 10


def nothing_comes(one, seconds=0.6):
    one.socket.settimeout(seconds)
    try:
        with suppress(TimeoutError):
            one.rest += one.socket.recv(65536)
        return one.rest == b""
    finally:
        one.socket.settimeout(PATIENCE)


def test_without_news_the_answer_comes_when_the_time_is_over(server):
    with client(server) as one:
        auth = newcomer(one, "Alice")
        path, began = begin(one, auth), time.monotonic()
        status, head, told = one.ask("GET", path, **auth, Prefer="wait=1")
        assert (status, told["changes"]) == (200, [])
        assert header(head, "preference-applied") == "wait=1"
        assert time.monotonic() - began >= 1
        tag = header(head, "etag")
        status, head, _ = one.ask("GET", path, **auth, If_None_Match=tag, Prefer="wait=1")
        assert (status, header(head, "preference-applied")) == (304, "wait=1")


@pytest.mark.parametrize("is_first", [True, False])
def test_a_game_waits_for_its_next_revision(server, is_first):
    with client(server) as waiting, client(server) as other:
        alice, bob = newcomer(other, "Alice"), newcomer(other, "Bob")
        path = f"/api/games/{table_of_two(other, alice, bob)}"
        _, head, game = waiting.ask("GET", path, **bob)
        tag = header(head, "etag")
        if not is_first:  # the same request was answered in another way before
            waiting.ask("GET", path, **bob, If_None_Match=tag)
        waiting.send("GET", path, **bob, If_None_Match=tag, Prefer="wait=30")
        assert nothing_comes(waiting)
        other.ask("POST", f"{path}/start", {}, **alice)
        status, head, shown = waiting.answer()
        assert (status, shown["status"]) == (200, "running")
        assert shown["revision"] > game["revision"]


def test_a_stream_waits_for_events_without_being_asked(server):
    with client(server) as waiting, client(server) as other:
        alice, bob = newcomer(other, "Alice"), newcomer(other, "Bob")
        game_id = table_of_two(other, alice, bob)
        after = waiting.ask("GET", "/api/me/changes", **bob)[2]["next"]
        path = f"/api/me/changes/stream?after={after}"
        waiting.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: a\r\n"
            f"Authorization: {bob['Authorization']}\r\n\r\n".encode()
        )
        assert nothing_comes(waiting)
        other.ask("POST", f"/api/games/{game_id}/start", {}, **alice)
        told = waiting.socket.recv(65536)
        assert told.startswith(b"HTTP/1.1 200 OK\r\n")
        assert f"id: {after + 1}\nevent: started\ndata: {{".encode() in told


def test_the_next_request_ends_the_wait(server):
    with client(server) as one:
        auth = newcomer(one, "Alice")
        path = begin(one, auth)
        one.send("GET", path, **auth, Prefer="wait=60")
        assert nothing_comes(one)
        one.send("GET", "/api/me", **auth)
        assert one.answer()[2]["changes"] == []
        assert one.answer()[2]["player"]["name"] == "Alice"


def test_what_was_not_waited_for_does_not_say_so(server):
    """More has arrived on the connection, but it is noticed only after others have taken the last room."""
    with client(server) as one:
        auth = newcomer(one, "Alice")
        path = begin(one, auth)
        lines = f"GET {path} HTTP/1.1\r\nHost: a\r\nPrefer: wait=1\r\n"
        asked = f"{lines}Authorization: {auth['Authorization']}\r\n\r\n"
        one.socket.sendall(2 * asked.encode())
        heads = [one.answer()[1] for _ in range(2)]
    assert [header(each, "preference-applied") for each in heads] == [None, "wait=1"]


def test_one_player_does_not_take_the_room_of_all(server):
    with client(server) as one:
        auth = newcomer(one, "Alice")
        path = begin(one, auth)
        with ExitStack() as stack:
            others = [stack.enter_context(client(server)) for _ in range(OF_PLAYER)]
            for each in others:
                each.send("GET", path, **auth, Prefer="wait=60")
            assert all(nothing_comes(each, 0.2) for each in others)
            began = time.monotonic()
            status, head, _ = one.ask("GET", path, **auth, Prefer="wait=60")
            assert (status, header(head, "preference-applied")) == (200, None)
            assert time.monotonic() - began < 10
            bob = newcomer(one, "Bob")
            path = begin(one, bob)
            assert header(one.ask("GET", path, **bob, Prefer="wait=1")[1], "preference-applied")


def test_whoever_only_looks_on_without_signing_in_does_not_wait(server):
    with client(server) as one, client(server) as other:
        alice, bob = newcomer(other, "Alice"), newcomer(other, "Bob")
        path = f"/api/games/{table_of_two(other, alice, bob)}"
        tag = header(one.ask("GET", path)[1], "etag")
        status, head, _ = one.ask("GET", path, If_None_Match=tag, Prefer="wait=60")
        assert (status, header(head, "preference-applied")) == (304, None)


def test_a_token_that_has_ended_meanwhile_is_refused(server):
    with client(server) as waiting, client(server) as other:
        made = other.ask(
            "POST", "/api/players", {"name": "A", "token": "a", "scopes": ["account"]}
        )[2]
        auth = {"Authorization": f"Bearer {made['token']['secret']}"}
        path = begin(waiting, auth)
        waiting.send("GET", path, **auth, Prefer="wait=2")
        assert nothing_comes(waiting)
        other.ask("DELETE", f"/api/me/tokens/{made['token']['id']}", **auth)
        assert waiting.answer()[0] == 401


@pytest.mark.parametrize(
    ("prefer", "seconds"),
    [
        ("wait=30", 30),
        ("respond-async, wait=10", 10),
        ('return=minimal; foo="bar", Wait = "7"', 7),
        ("wait=9999", LONGEST),
        ("wait=0", 0),
        ("wait", 0),
        ("wait=-1", 0),
        ("wait=1.5", 0),
        ("await=5", 0),
        ("", 0),
    ],
)
def test_a_preference_is_read(prefer, seconds):
    assert preferred(prefer) == seconds
