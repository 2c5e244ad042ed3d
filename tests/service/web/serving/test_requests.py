"""The end of a request is never in doubt: afterwards the next one begins, or the connection ends."""

from __future__ import annotations

import random
import re
import socket
from contextlib import closing, suppress

import pytest

from service.web.http.bodies.body_and_query import LARGEST_BODY
from service.web.serving.refusals import OF_GUNICORN
from tests.support.servers.server import PATIENCE, Server

BODY = b'{"name": "Dora"}'
POST = b"POST /api/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
SIZED = POST + b"CONTENT-length: \t%d \r\n\r\n" % len(BODY) + BODY
CHUNKED = POST + b"Transfer-Encoding: Chunked\r\n\r\n"
CHUNK = b'%x;a=b; c="d"\r\n%s\r\n' % (len(BODY), BODY)
LAST = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
WHOLE = {
    "get": (b"GET /api/games HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    "get by a whole address": (b"GET http://a/api/games HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    "get with a body": (
        b"GET /api/games HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\r\n\r\n.",
        200,
    ),
    "get with headers": (b"GET /api/games HTTP/1.1\r\nA: b\r\nHost:a\r\n\r\n", 200),
    "to a port": (b"GET /api/games HTTP/1.1\r\nhost: [::1]:80\r\n\r\n", 200),
    "an empty line before": (b"\r\nGET /api/games HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    "head": (b"HEAD /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n", 200),
    "nowhere": (b"GET /%ff%00 HTTP/1.1\r\nHost: a\r\n\r\n", 404),
    "another method": (b"OPTIONS /api/games HTTP/1.1\r\nHost: a\r\n\r\n", 405),
    "sized": (SIZED, 201),
    "of no length": (POST + b"Content-Length: 0\r\n\r\n", 400),
    "chunked": (CHUNKED + CHUNK + b"0\r\n\r\n", 201),
    "with trailers": (CHUNKED + CHUNK + b"00\r\nTrailing: x\r\n\r\n", 201),
    "without chunks": (CHUNKED + b"0\r\n\r\n", 400),
    "names with underscores": (
        b"GET /api/games HTTP/1.1\r\nHost: a\r\nContent_Length: 5\r\n\r\n",
        200,
    ),
}
"""Requests with the status of their answer; another one may follow each."""


@pytest.fixture(scope="module")
def server(databases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("requests")
    with Server(folder, databases.fresh("sqlite", folder), WEB_CONCURRENCY="1") as started:
        yield started


def answers(server, pieces):
    """The heads of all responses until the server ends the connection."""
    with closing(socket.create_connection(("127.0.0.1", server.port), PATIENCE)) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        data = b""
        with suppress(
            ConnectionError
        ):  # it has ended already, and what it has said is still to be read
            for piece in pieces:
                client.sendall(piece)
        with suppress(ConnectionError):
            while more := client.recv(65536):
                data += more
    return [part.partition(b"\r\n\r\n")[0] for part in data.split(b"HTTP/1.1 ")[1:]]


def statuses(server, *pieces):
    return [int(head[:3]) for head in answers(server, pieces)]


@pytest.mark.parametrize("request_", WHOLE)
def test_a_request_ends_with_its_last_byte(server, request_):
    sent, status = WHOLE[request_]
    assert statuses(server, sent + LAST) == [status, 200]
    assert statuses(server, *(bytes([byte]) for byte in sent + LAST)) == [status, 200]


def test_requests_are_told_apart_in_whatever_pieces_they_come(server):
    rng = random.Random(2459)
    for _ in range(20):
        chosen = rng.choices(list(WHOLE.values()), k=6)
        sent = b"".join(request for request, _ in chosen) + LAST
        cuts = sorted(rng.sample(range(len(sent)), rng.randrange(9)))
        pieces = [sent[a:b] for a, b in zip([0, *cuts], [*cuts, len(sent)], strict=True)]
        assert statuses(server, *pieces) == [*(status for _, status in chosen), 200]


@pytest.mark.parametrize(
    "headers",
    [
        b"Content-Length: 5\r\nContent-Length: 5\r\n",
        b"Content-Length: 5, 5\r\n",
        b"Content-Length: +5\r\n",
        b"Content-Length: -1\r\n",
        b"Content-Length: 1_5\r\n",
        b"Content-Length: \xb2\r\n",
        b"Content-Length: 0x5\r\n",
        b"Content-Length:\r\n",
        b"Content-Length: 99999999999999999999999\r\n",
        b"Content-Length: " + b"9" * 5000 + b"\r\n",
        b"Content-Length: %d\r\n" % (LARGEST_BODY + 1),
        b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: chunked, identity\r\n",
        b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
        b"Transfer-Encoding: \x0bchunked\r\n",
        b"Transfer-Encoding : chunked\r\n",
        b"Transfer-Encoding:\r\n chunked\r\n",
        b"Transfer-Encoding: chunked\x00\r\n",
        b'Transfer-Encoding: "chunked"\r\n',
        b"Transfer-Encoding: xchunked\r\n",
        b"Transfer-Encoding: gzip\r\n",
        b"Transfer-Encoding: gzip, chunked\r\n",
        b"Transfer-Encoding: identity\r\n",
        b"Host: a\nContent-Length: 5\r\n",
        b"Host: a\rContent-Length: 5\r\n",
        b"Host: a\r\nHost: b\r\n",
        b"Expect\r\n",
        b": 5\r\n",
    ],
    ids=lambda headers: str(headers[:60]),
)
def test_nothing_is_taken_for_a_request_behind_one_of_unclear_length(server, headers):
    (status,) = statuses(server, b"POST / HTTP/1.1\r\n" + headers + b"\r\n0\r\n\r\n" + LAST)
    assert status in {400, 405, 413, 501}


@pytest.mark.parametrize(
    "rest",
    [
        b"x\r\n",
        b"\r\n",
        b"-1\r\n",
        b"0x1\r\na\r\n",
        b"1_0\r\n",
        b"1 \r\na\r\n",
        b"1;\r\r\na\r\n",
        b"1\r\nabc",
        b"1\na\n0\n\n",
        b"1;" + b"a" * 9000,
        b"0\r\nA: " + b"a" * 9000,
        b"0\r\nContent-Length: 5\r\n\r\n",
        b"1\r\na\r\n" * (LARGEST_BODY + 1),
    ],
    ids=lambda rest: str(rest[:12]),
)
def test_malformed_chunks_are_refused(server, rest):
    (status,) = statuses(server, CHUNKED + rest + LAST)
    assert status in {400, 413, 431}


@pytest.mark.parametrize(
    "bad", [b"GET / HTTP/1.1\n", b"\n", b"GET / HTTP/1.1\r\nA: b\nC: d\r\n\r\n"]
)
def test_lines_that_end_without_a_carriage_return_are_refused(server, bad):
    assert statuses(server, bad + LAST) == [400]
    assert statuses(server, *(bytes([byte]) for byte in bad), LAST) == [400]


@pytest.mark.parametrize(
    "sent",
    [
        *(b"nonsense\r\n\r\n", b"get / HTTP/1.1\r\n\r\n", b"GET / HTTP/2.0\r\n\r\n"),
        *(b"GET / x HTTP/1.1\r\n\r\n", b"GET /\xc3\xa9 HTTP/1.1\r\n\r\n", b"\r\n\r\n"),
        *(b"GET / HTTP/1.1\r\n X: y\r\n\r\n", b"GET / HTTP/1.1\r\nX: a\r\n b\r\n\r\n"),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ],
)
def test_what_is_no_http_is_told_so_without_its_own_words(server, sent):
    """This replaces gunicorn's own message."""
    (head,) = answers(server, [sent + LAST])
    named = dict(line.split(b": ") for line in head.split(b"\r\n")[1:])
    assert head.startswith(b"400 Bad Request")
    assert re.fullmatch(rb"[0-9a-f]{32}", named.pop(b"X-Request-Id"))
    assert named == {b"Connection": b"close", b"Content-Length": b"0"}
    assert OF_GUNICORN[501].answer().startswith(b"HTTP/1.1 501 ")


HOSTS = (
    *("tegami.example", "tegami.example:8000", "TEGAMI.example:", "a_b.example", "127.0.0.1:1"),
    *("[::1]", "[2001:db8::1]:443", "xn--fiqs8s.example", "a."),
)
NO_HOSTS = (
    *("", " ", "a b", "a,b", "a/b", "http://a", "a@b", "a:b", "a:1:2", "[::1", "::1", "a#b", "a?b"),
    *("a\\b", "a:80:", "<a>", "\xe9", '"a"', "[a]b", "a:123456"),
)


def test_a_request_names_the_host_that_it_is_for(server):
    """RFC 9112, 3.2. Only HTTP/1.0 has requests without a host."""
    get, end = b"GET /healthz HTTP/1.1\r\n", b"Connection: close\r\n\r\n"
    hosts = [b"Host: %b\r\n" % each.encode("latin-1") for each in HOSTS]
    refused = [b"Host: %b\r\n" % each.encode("latin-1") for each in NO_HOSTS]
    refused += [b"", b"Host: a\r\nHost: a\r\n", b"Host: a\r\nhOST: b\r\n"]
    assert {host: statuses(server, get + host + end) for host in hosts} == {
        host: [200] for host in hosts
    }
    told = {host: statuses(server, get + host + end + LAST) for host in refused}
    assert told == {host: [400] for host in refused}
    whole = b"GET http://a/healthz HTTP/1.1\r\n"
    assert statuses(server, whole + LAST[23:]) == [200]
    assert statuses(server, whole + b"\r\n" + LAST) == [400]
    post = b"POST /api/players HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n"
    assert statuses(server, post + BODY + LAST) == [400]


def test_nobody_speaks_another_protocol_here(server):
    """A web socket is refused, because it has no use here; HTTP/2 is not begun."""
    upgrade = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: "
    key = b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    assert statuses(server, upgrade + b"websocket\r\n" + key + b"\r\n") == [403]
    assert statuses(server, upgrade + b"websocket\r\n\r\n") == [400]
    settings = b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n"
    assert statuses(server, upgrade + b"h2c\r\n" + settings + b"\r\n" + LAST) == [200, 200]
