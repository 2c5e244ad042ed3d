"""Polls that come again byte for byte: the answer of before, for as long as nothing has changed for the caller."""

from __future__ import annotations

import json
import re
import socket
from contextlib import closing, contextmanager

import pytest

from service.web.http.polls.idle_poll import Unchanged
from service.web.serving.repeated_polls import LARGEST, Repeats
from tests.support.servers.server import Server

ANSWER = b"HTTP/1.1 304 Not Modified\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nETag: x\r\n\r\n"
TABLE = {"ruleset": "boomerang-auction", "house": 0, "start": "full", "nonce": None}
HOLDS = Unchanged(lambda: True, at_once=True)


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(request, databases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("repeats")
    database = databases.fresh(request.param, folder)
    with Server(folder, database, WEB_CONCURRENCY="1") as started:
        yield started


class Client:
    """A connection that stays open; answers are told apart from their dates."""

    def __init__(self, opened):
        self.socket, self.rest = opened, b""

    def ask(self, method, path, body=None, **headers):
        self.send(method, path, body, **headers)
        return self.answer()

    def send(self, method, path, body=None, **headers):
        sent = b"" if body is None else json.dumps(body).encode()
        given = {"Host": "a", **headers, "Content-Length": str(len(sent))}
        if body is None:
            del given["Content-Length"]
        else:
            given["Content-Type"] = "application/json"
        lines = [f"{name.replace('_', '-')}: {value}\r\n" for name, value in given.items()]
        self.socket.sendall(f"{method} {path} HTTP/1.1\r\n{''.join(lines)}\r\n".encode() + sent)

    def answer(self):
        while b"\r\n\r\n" not in self.rest:
            self.rest += self.socket.recv(65536)
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        length = re.search(rb"Content-Length: (\d+)", head)
        while length and len(self.rest) < int(length[1]):
            self.rest += self.socket.recv(65536)
        size = int(length[1]) if length else 0
        body, self.rest = self.rest[:size], self.rest[size:]
        assert re.search(rb"\r\nDate: [^\r\n]+ GMT\r\n", head)
        head = re.sub(rb"\r\nDate: [^\r\n]+", b"", head)
        return int(head[9:12]), head, json.loads(body) if body else None


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


def test_the_answer_of_before_is_that_of_the_application(client):
    """A header that nobody looks at makes the request another one, which is answered anew."""
    who = guest(client, "Ann")
    path = opened(client, who)
    for headers in (who, {}, {"Accept_Language": "ja"}):
        poll = {**headers, "If_None_Match": tag_of(client, path, **headers)}
        first, *again = [client.ask("GET", path, **poll) for _ in range(3)]
        anew = client.ask("GET", path, **poll, X_Other="1")
        assert first[0] == 304
        assert [first, first] == again == [anew, anew]


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
    """A proxy keeps connections for anybody."""
    who = guest(client, "Cat")
    path = opened(client, who)
    poll = {**who, "If_None_Match": tag_of(client, path, **who)}
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


def test_as_many_answers_are_kept_as_there_is_room_for():
    repeats = Repeats(2)
    for number in range(4):
        repeats.keep(b"%d" % number, ANSWER, HOLDS)
    assert [bool(repeats.get(b"%d" % number)) for number in range(4)] == [False, False, True, True]
    repeats.keep(b"x" * LARGEST, ANSWER, HOLDS)
    repeats.keep(b"no date", b"HTTP/1.1 304 Not Modified\r\n\r\n", HOLDS)
    assert len(repeats) == 2


def test_an_answer_that_is_given_again_has_the_date_of_today():
    repeats = Repeats()
    repeats.keep(b"x", ANSWER, HOLDS)
    again = repeats.get(b"x").answer()
    assert b"1970" not in again
    assert len(again) == len(ANSWER)
