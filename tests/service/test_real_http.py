"""What only a real server shows: bodies in chunks, connections that stay, several requests on one of them."""

from __future__ import annotations

import http.client
import json
from contextlib import closing

import pytest

from service import MOST_BYTES
from tests.service.remote import Remote

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def connection(server):
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)) as made:
        yield made


def told(connection):
    """Status, and type of the problem if it is one."""
    answer = connection.getresponse()
    body = answer.read()
    document = json.loads(body) if body else {}
    return answer.status, document.get("type")


def chunks(body, size=8192):
    return (body[at : at + size] for at in range(0, len(body), size))


@pytest.mark.parametrize("more", [0, 1, 8192])
def test_a_body_in_chunks_is_measured_too(connection, more):
    body = json.dumps({"name": "Dora"}).encode().ljust(MOST_BYTES) + b" " * more
    connection.request("POST", "/api/players", chunks(body), JSON, encode_chunked=True)
    assert told(connection) == ((413, "/problems/body-too-large") if more else (201, None))


def test_what_follows_the_limit_is_not_cut_off_in_silence(connection):
    body = json.dumps({"name": "Dora"}).encode().ljust(MOST_BYTES + 1) + b"nonsense"
    connection.request("POST", "/api/players", chunks(body), JSON, encode_chunked=True)
    assert told(connection) == (413, "/problems/body-too-large")


def test_a_body_that_says_it_is_too_large_is_refused(connection):
    connection.request("POST", "/api/players", b" " * (MOST_BYTES + 1), JSON)
    assert told(connection) == (413, "/problems/body-too-large")


def test_a_connection_stays_from_poll_to_poll(connection):
    socket = None
    for _ in range(5):
        connection.request("GET", "/api/games")
        assert told(connection) == (200, None)
        assert connection.sock is (socket or connection.sock)
        socket = connection.sock


def test_no_body_follows_a_304(server, connection):
    """Neither Flask's nor that of the idle poll."""
    game_id = Remote(server.url, "Alice").open()
    for path in ("/api/rulesets", f"/api/games/{game_id}"):
        connection.request("GET", path)
        first = connection.getresponse()
        tag = {"If-None-Match": first.headers["ETag"]}
        first.read()
        for _ in range(3):
            connection.request("GET", path, headers=tag)
            assert told(connection) == (304, None)


def test_an_empty_start_needs_no_media_type(connection):
    connection.request("POST", "/api/me/link")
    assert told(connection) == (401, "/problems/not-signed-in")
