"""Keep-alive, pipelining, `100 Continue`, HTTP/1.0, byte for byte; and the time limits of a connection."""

from __future__ import annotations

import json
import socket
import time
from contextlib import ExitStack, closing
from types import SimpleNamespace

import pytest

from service.web.http.bodies.body_and_query import LARGEST_BODY
from service.web.serving.connections import LINGER, MOST_HEAD, Bounds, Connections
from tests.support.servers.hasty import APP, ARGUMENTS, ROOM
from tests.support.servers.server import Server

pytestmark = pytest.mark.of_service

GET = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
LAST = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
LARGE = b"GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /api/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
BODY = json.dumps({"name": "Dora"}).encode()
SIZED = POST + b"Content-Length: %d\r\n" % len(BODY)
HASTY = {"app": APP, "GUNICORN_CMD_ARGS": ARGUMENTS}


def started(databases, folder, **environment):
    database = databases.fresh("sqlite", folder)
    return Server(folder, database, WEB_CONCURRENCY="1", **environment)


@pytest.fixture(scope="module")
def patient(databases, tmp_path_factory):
    """The usual limits of a server."""
    with started(databases, tmp_path_factory.mktemp("patient")) as server:
        yield server


@pytest.fixture(scope="module")
def hasty(databases, tmp_path_factory):
    """Low limits."""
    folder = tmp_path_factory.mktemp("hasty")
    with started(databases, folder, **HASTY) as server:
        yield server


def connected(server, **options):
    made = socket.socket()
    made.settimeout(20)
    for name, value in options.items():
        made.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
    made.connect(("127.0.0.1", server.port))
    return closing(made)


def received(client):
    """Everything until the server ends the connection."""
    data = b""
    try:
        while more := client.recv(65536):
            data += more
    except ConnectionResetError:
        pass
    return data


def exchanged(server, *sent):
    """The reply to these pieces, which are sent one by one."""
    with connected(server) as client:
        for piece in sent:
            client.sendall(piece)
        return received(client)


def statuses(data):
    return [int(part[:3]) for part in data.split(b"HTTP/1.1 ")[1:]]


def test_requests_in_one_packet_are_answered_in_their_order(patient):
    sent = SIZED + b"\r\n" + BODY + GET + POST + b"Content-Length: 1\r\n\r\n[" + LAST
    assert statuses(exchanged(patient, sent)) == [201, 200, 400, 200]


def test_requests_in_small_pieces_are_answered(patient):
    sent = SIZED + b"\r\n" + BODY + GET + LAST
    assert statuses(exchanged(patient, *(sent[at : at + 7] for at in range(0, len(sent), 7)))) == [
        201,
        200,
        200,
    ]


def test_a_client_that_ends_its_side_is_answered(patient):
    with connected(patient) as client:
        client.sendall(GET + GET)
        client.shutdown(socket.SHUT_WR)
        assert statuses(received(client)) == [200, 200]


def test_a_client_that_waits_before_the_body_is_told_to_go_on(patient):
    with connected(patient) as client:
        client.sendall(SIZED + b"Expect: 100-continue\r\nConnection: close\r\n\r\n")
        assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(BODY)
        assert statuses(received(client)) == [201]


def test_a_client_that_does_not_wait_is_not_told(patient):
    sent = SIZED + b"Expect: 100-continue\r\nConnection: close\r\n\r\n" + BODY
    assert statuses(exchanged(patient, sent)) == [201]


def test_a_body_that_is_too_large_is_refused_before_it_comes(patient):
    sent = POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % (LARGEST_BODY + 1)
    told = exchanged(patient, sent)
    assert statuses(told) == [413] and b"\r\nConnection: close\r\n" in told


def test_http_1_0_ends_with_the_answer_unless_asked_to_stay(patient):
    once = b"GET /healthz HTTP/1.0\r\n\r\n"
    stay = b"GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
    for sent, answers in ((once + once, 1), (stay + once, 2)):
        assert exchanged(patient, sent).count(b"HTTP/1.0 200 OK") == answers


def test_what_is_no_http_is_refused_and_ends_the_connection(patient):
    for sent, status in (
        (b"GET /healthz HTTP/1.1\nHost: a\n\n", 400),
        (b"nonsense\r\n\r\n", 400),
        (POST + b"Transfer-Encoding: chunked\r\n\r\nx\r\n", 400),
        (POST + b"Transfer-Encoding: identity\r\n\r\n", 400),
        (POST + b"Content-Length: 1\r\nContent-Length: 1\r\n\r\na", 400),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * MOST_HEAD, 431),
        (b"GET / HTTP/1.1\r\nA: " + b"b" * 9000 + b"\r\n\r\n", 431),
        (b"GET /" + b"b" * 9000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"b" * MOST_HEAD + b" HTTP/1.1\r\n\r\n", 414),
        (b"\r\nGET /" + b"b" * MOST_HEAD, 414),
    ):
        assert statuses(exchanged(patient, sent + GET)) == [status], sent[:60]


def test_what_is_too_long_gets_a_problem_document(patient):
    for sent, slug in (
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * MOST_HEAD, "headers-too-large"),
        (b"GET / HTTP/1.1\r\nA: " + b"b" * 9000 + b"\r\n\r\n", "headers-too-large"),
        (b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 101 + b"\r\n", "headers-too-large"),
        (b"GET /" + b"b" * 9000 + b" HTTP/1.1\r\n\r\n", "uri-too-long"),
    ):
        head, _, body = exchanged(patient, sent).partition(b"\r\n\r\n")
        assert b"\r\nContent-Type: application/problem+json\r\n" in head
        problem = json.loads(body)
        assert problem["type"] == f"/problems/{slug}"
        assert f"\r\nX-Request-Id: {problem['request_id']}".encode() in head


def padded(start, length, end):
    """This number of bytes, from this start to this end."""
    return start + b"a" * (length - len(start) - len(end)) + end


HEADERS = b"Host: a\r\nConnection: close\r\n"
KIB = b"".join(padded(b"B%d: " % n, 1024, b"\r\n") for n in range(31))
"""Headers of 31 KiB."""
LENGTHS = {
    "a line": (4094, lambda n: padded(b"GET /healthz?", n, b" HTTP/1.1") + b"\r\n" + HEADERS, 414),
    "a header": (8188, lambda n: LAST[:-2] + padded(b"A: ", n, b"") + b"\r\n", 431),
    "headers": (100, lambda n: LAST[:-2] + b"".join(b"A%d: a\r\n" % i for i in range(n - 2)), 431),
    "all": (32 * 1024, lambda n: padded(LAST[:-2] + KIB + b"A: ", n - 2, b"\r\n"), 431),
}
"""By what is measured: the length that is read, the request of that length, and the status if it is longer."""


@pytest.mark.parametrize("what", LENGTHS)
def test_as_long_as_it_may_be_it_is_read(patient, what):
    most, made, refused = LENGTHS[what]
    assert statuses(exchanged(patient, made(most) + b"\r\n")) == [200]
    assert statuses(exchanged(patient, made(most + 1) + b"\r\n")) == [refused]


def test_a_large_answer_comes_whole_however_slowly_it_is_read(patient):
    with connected(patient, SO_RCVBUF=4096) as client:
        client.sendall(LARGE * 4 + LAST)
        data = received(client)
    assert statuses(data) == [200] * 5
    with connected(patient) as client:
        client.sendall(LARGE + LAST)
        assert len(received(client)) < len(data) / 3


def test_who_sends_too_slowly_is_told_so(hasty):
    for sent in (GET[:9], SIZED + b"\r\n", POST + b"Transfer-Encoding: chunked\r\n\r\n1"):
        assert statuses(exchanged(hasty, sent)) == [408]


def test_bytes_do_not_prolong_the_time(hasty):
    began = time.monotonic()
    with connected(hasty) as client:
        client.settimeout(0.05)
        client.sendall(GET[:-2])
        told = b""
        while not told:
            try:
                client.sendall(b"a")
                told = client.recv(100)
            except TimeoutError:
                assert time.monotonic() - began < 20
    assert statuses(told) == [408]


def test_a_connection_without_a_request_is_ended_silently(hasty):
    assert exchanged(hasty) == b""
    assert statuses(exchanged(hasty, GET)) == [200]


def test_who_does_not_read_loses_the_connection(hasty):
    with connected(hasty, SO_RCVBUF=4096) as client:
        client.sendall(LARGE * 20)
        client.settimeout(0.1)
        with pytest.raises(ConnectionError):
            send_until_it_fails(client)


def test_who_reads_at_a_dribble_gets_no_more_time_and_holds_up_nobody(hasty):
    with connected(hasty, SO_RCVBUF=4096) as client:
        client.sendall(LARGE)
        client.recv(64)
        client.sendall(GET)  # what nobody reads any more makes the end of the connection an error
        with pytest.raises(ConnectionError):
            read_until_it_fails(client, hasty)


def read_until_it_fails(client, server):
    """Read a few bytes between the requests of somebody else, who gets responses."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        assert statuses(exchanged(server, LAST)) == [200]
        client.recv(64)


def send_until_it_fails(client):
    """Send more, and read nothing; a full buffer on the way is no failure."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            client.sendall(LARGE * 50)
        except TimeoutError:
            continue


def test_answers_that_nobody_takes_are_bounded_together(hasty):
    with ExitStack() as stack:
        for _ in range(ROOM - 5):
            client = stack.enter_context(connected(hasty, SO_RCVBUF=4096))
            client.sendall(LARGE * 3)
        assert statuses(exchanged(hasty, LAST)) == [200]


def test_too_many_connections_of_an_address_cost_it_the_oldest(hasty):
    with ExitStack() as stack:
        clients = [stack.enter_context(connected(hasty)) for _ in range(ROOM)]
        assert statuses(exchanged(hasty, LAST)) == [200]
        clients[0].settimeout(0.5)
        assert clients[0].recv(1) == b""
        clients[-1].sendall(LAST)
        assert statuses(received(clients[-1])) == [200]


def test_behind_a_proxy_an_address_may_have_all_connections(databases, tmp_path):
    with (
        started(databases, tmp_path, **HASTY, TRUSTED_PROXIES="1") as server,
        ExitStack() as stack,
    ):
        clients = [stack.enter_context(connected(server)) for _ in range(ROOM + 10)]
        for client in clients:
            client.sendall(LAST)
        assert [statuses(received(client)) for client in clients] == [[200]] * len(clients)
        more = [stack.enter_context(connected(server)) for _ in range(100)]
        assert statuses(exchanged(server, LAST)) == [200]
        more[-1].sendall(LAST)
        assert statuses(received(more[-1])) == [200]


HELD_UP = 25
"""Seconds that an end takes if clients hold it up: almost the 30 for which gunicorn waits for them."""


def test_slow_clients_do_not_hold_up_the_end(databases, tmp_path):
    with started(databases, tmp_path) as server, ExitStack() as stack:
        for sent in (b"", GET[:5], SIZED + b"\r\n", GET):
            stack.enter_context(connected(server)).sendall(sent)
        assert statuses(exchanged(server, LAST)) == [200]
        began = time.monotonic()
        server.stop("web")
        assert time.monotonic() - began < HELD_UP


class Known:
    """A connection that notes what is asked of it; `fails` at one of these things."""

    network, unsent, makes_room = "", 0, None

    def __init__(self, fails=None):
        self.fails, self.done = fails, []

    def _do(self, what):
        self.done.append(what)
        if what == self.fails:
            raise OSError("the client has gone")

    def look(self):
        self._do("look")

    def hurry(self, until):
        self._do(f"hurry {until}")

    def drop(self):
        self._do("drop")


@pytest.mark.parametrize("alive", [True, False])
def test_an_error_at_one_connection_ends_nothing_but_that_one(alive):
    """Neither the look at others, nor any later one; a stopping process hurries the others, too."""
    later, told = [], []
    loop = SimpleNamespace(
        time=lambda: 0.0,
        call_later=lambda _, look: later.append(look),
        call_exception_handler=lambda about: told.append(str(about["exception"])),
    )
    config = SimpleNamespace(worker_connections=10)
    worker = SimpleNamespace(loop=loop, alive=True, cfg=config)
    connections = Connections(worker, Bounds())
    first, gone, last = Known(), Known("look" if alive else f"hurry {LINGER}"), Known()
    for each in (first, gone, last):
        connections.add(each)
    for each in (first, gone, last):
        each.done.clear()
    worker.alive = alive
    hurried = [] if alive else [f"hurry {LINGER}"]
    later.pop()()
    assert [each.done for each in (first, last)] == [[*hurried, "look"]] * 2
    assert gone.done == [gone.fails, "drop"]
    assert told == ["the client has gone"]
    later.pop()()
    assert [each.done for each in (first, last)] == [[*hurried, "look"] * 2] * 2
    assert gone.done == [gone.fails, "drop"], "it is forgotten"
