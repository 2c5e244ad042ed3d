"""Idle polls at a whole server: each response is true at that moment."""

from __future__ import annotations

import re
import socket
from contextlib import closing, contextmanager

import pytest

from tests.support.servers.raw_client import Client
from tests.support.servers.server import Server

TABLE = {"ruleset": "boomerang-auction", "house": 0, "start": "full", "nonce": None}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, databases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeats")
    database = databases.fresh(request.param, folder)
    with Server(folder, database, WEB_CONCURRENCY="1") as started:
        yield started


@contextmanager
def connected(server):
    with closing(socket.create_connection(("127.0.0.1", server.port), 20)) as opened:
        yield Client(opened)


@pytest.fixture
def client(server):
    with connected(server) as made:
        yield made


def guest(client, name):
    """The headers of a program that plays as a new guest."""
    made = client.ask("POST", "/api/players", {"name": name, "token": "my bot"})[2]
    return {"Authorization": f"Bearer {made['token']['secret']}"}


def opened(client, who):
    """The path of a new table."""
    return f"/api/games/{client.ask('POST', '/api/games', TABLE, **who)[2]['id']}"


def tag_of(client, path, **headers):
    head = client.ask("GET", path, **headers)[1]
    return re.search(rb'ETag: ("[0-9a-f]+")', head)[1].decode()


def test_an_idle_poll_has_the_answer_of_the_application(client):
    """A page of another site gets its response from the application, which tells it more."""
    who = guest(client, "Ann")
    path = opened(client, who)
    for headers in (who, {**who, "Accept_Language": "ja"}):
        poll = {
            **headers,
            "If_None_Match": tag_of(client, path, **headers),
            "X_Request_Id": "the-same",
        }
        first, *again = [client.ask("GET", path, **poll) for _ in range(3)]
        assert first[0] == 304
        assert [first, first] == again
        anew = client.ask("GET", path, **poll, Origin="https://elsewhere.example")
        told = set(anew[1].splitlines()) - {b"Cross-Origin-Resource-Policy: cross-origin"}
        told = {line for line in told if not line.startswith(b"Access-Control-")}
        assert set(first[1].splitlines()) - told == {b"Cross-Origin-Resource-Policy: same-origin"}
        assert told <= set(first[1].splitlines())


def test_what_changes_for_the_caller_is_seen_at_the_next_poll(client):
    who, other = guest(client, "Bea"), guest(client, "Bob")
    path = opened(client, who)
    poll = {**who, "If_None_Match": tag_of(client, path, **who)}
    for _ in range(2):
        assert client.ask("GET", path, **poll)[0] == 304
    assert client.ask("POST", f"{path}/seats", {}, **other)[0] == 201
    assert client.ask("GET", path, **poll)[0] == 200
    poll["If_None_Match"] = tag_of(client, path, **who)
    for _ in range(2):
        assert client.ask("GET", path, **poll)[0] == 304


def test_a_credential_that_has_ended_is_refused_at_the_next_poll(client):
    head = client.ask("POST", "/api/players", {"name": "Eve"})[1]
    cookie = {"Cookie": re.search(rb"Set-Cookie: ([^;]+)", head)[1].decode()}
    token = client.ask("POST", "/api/me/tokens", {"label": "x"}, **cookie)[2]["token"]
    path = opened(client, cookie)
    bearer = {"Authorization": f"Bearer {token['secret']}"}
    polls = [{**who, "If_None_Match": tag_of(client, path, **who)} for who in (cookie, bearer)]
    for poll in polls * 2:
        assert client.ask("GET", path, **poll)[0] == 304
    assert client.ask("DELETE", f"/api/me/tokens/{token['id']}", **cookie)[0] == 204
    assert [client.ask("GET", path, **poll)[0] for poll in polls] == [304, 401]
    assert client.ask("DELETE", "/api/sign-ins/current", **cookie)[0] == 204
    assert client.ask("GET", path, **polls[0])[2]["seat"] is None


def test_another_connection_may_bring_the_same_poll(client, server):
    """A proxy shares connections between its clients."""
    who = guest(client, "Cat")
    path = opened(client, who)
    poll = {**who, "If_None_Match": tag_of(client, path, **who), "X_Request_Id": "the-same"}
    first = client.ask("GET", path, **poll)
    with connected(server) as another:
        assert another.ask("GET", path, **poll) == first
        assert another.ask("GET", path, **{**poll, "Connection": "close"})[1] != first[1]
        assert another.socket.recv(1) == b""


def test_polls_that_come_together_are_answered_in_their_order(client):
    who = guest(client, "Dan")
    path = opened(client, who)
    poll = {**who, "If_None_Match": tag_of(client, path, **who)}
    assert client.ask("GET", path, **poll)[0] == 304
    for _ in range(3):
        client.send("GET", path, **poll)
        client.send("GET", "/healthz")
    assert [client.answer()[0] for _ in range(6)] == [304, 200] * 3
