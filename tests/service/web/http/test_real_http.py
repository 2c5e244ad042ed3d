"""Behaviour that only a real server shows: chunked bodies, and several requests on one connection."""

from __future__ import annotations

import http.client
import json
from contextlib import closing

import pytest

from service.web.http.bodies.body_and_query import LARGEST_BODY
from tests.support.servers.remote import Remote
from tests.support.servers.server import PATIENCE

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def connection(server):
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)) as made:
        yield made


def status_and_problem(connection):
    """The status of the response, and the type of its problem, if any."""
    answer = connection.getresponse()
    body = answer.read()
    document = json.loads(body) if body else {}
    return answer.status, document.get("type")


def chunks(body, size=8192):
    return (body[at : at + size] for at in range(0, len(body), size))


@pytest.mark.parametrize("more", [0, 1, 8192])
def test_a_chunked_body_is_limited_too(connection, more):
    body = json.dumps({"name": "Dora"}).encode().ljust(LARGEST_BODY) + b" " * more
    connection.request("POST", "/api/players", chunks(body), JSON, encode_chunked=True)
    assert status_and_problem(connection) == (
        (413, "/problems/body-too-large") if more else (201, None)
    )


def test_a_chunked_body_is_not_silently_cut_off_at_the_limit(connection):
    body = json.dumps({"name": "Dora"}).encode().ljust(LARGEST_BODY + 1) + b"nonsense"
    connection.request("POST", "/api/players", chunks(body), JSON, encode_chunked=True)
    assert status_and_problem(connection) == (413, "/problems/body-too-large")


def test_a_body_that_announces_its_size_is_limited(connection):
    connection.request("POST", "/api/players", b" " * (LARGEST_BODY + 1), JSON)
    assert status_and_problem(connection) == (413, "/problems/body-too-large")


def test_a_connection_stays_open_between_polls(connection):
    socket = None
    for _ in range(5):
        connection.request("GET", "/api/games")
        assert status_and_problem(connection) == (200, None)
        assert connection.sock is (socket or connection.sock)
        socket = connection.sock


def test_a_304_has_no_body(server, connection):
    """This holds for Flask's 304 and for that of the idle poll."""
    game_id = Remote(server.url, "Alice").open()
    for path in ("/api/rulesets", f"/api/games/{game_id}"):
        connection.request("GET", path)
        first = connection.getresponse()
        tag = {"If-None-Match": first.headers["ETag"]}
        first.read()
        for _ in range(3):
            connection.request("GET", path, headers=tag)
            assert status_and_problem(connection) == (304, None)


@pytest.mark.parametrize("path", ["/", "/api/games", "/healthz", "/nowhere"])
def test_no_header_names_a_version(connection, path):
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    told = [
        value for name, value in answer.getheaders() if name in {"Server", "Via", "X-Powered-By"}
    ]
    assert told == ["gunicorn"]


def test_an_empty_body_needs_no_media_type(connection):
    connection.request("POST", "/api/me/link")
    assert status_and_problem(connection) == (401, "/problems/not-signed-in")
