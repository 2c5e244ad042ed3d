"""Clients that send or read slowly, or not at all, cost the others next to nothing: without a proxy, in one process."""

from __future__ import annotations

import selectors
import socket
import statistics
import threading
import time
from contextlib import contextmanager

import pytest

from tests.support.cast import CARAVAN
from tests.support.servers.remote import Remote
from tests.support.servers.server import Server, wait_until

SLOW = 200
"""Connections of attackers."""
HEAD = b"GET /api/games HTTP/1.1\r\nHost: a\r\nX: "
BODY = b"POST /api/players HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
LARGE = b"GET /openapi.yaml HTTP/1.1\r\nHost: a\r\n\r\n"
ATTACKS = {
    "headers": (HEAD, b"x"),
    "bodies": (BODY + b"Content-Length: 60000\r\n\r\n", b" "),
    "chunks": (BODY + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n"),
    "waiting for 100": (BODY + b"Expect: 100-continue\r\nContent-Length: 60000\r\n\r\n", b""),
    "nothing": (b"", b""),
    "reading": (LARGE * 50, b""),
    "not ending": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", b""),
}
"""What the attackers send at first, and then again and again."""


@pytest.fixture(scope="module")
def server(databases, tmp_path_factory):
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, databases.fresh("sqlite", folder), WEB_CONCURRENCY="1") as server:
        yield server


class Attackers:
    """Many connections that never get further, and are reopened when the server ends them."""

    def __init__(self, port, kinds):
        self._port, self._kinds = port, kinds
        self._selector = selectors.DefaultSelector()
        self._stopped = threading.Event()

    def attack(self):
        for number in range(SLOW):
            self._open(self._kinds[number % len(self._kinds)])
        while not self._stopped.wait(0.05):
            self._look_for_ended()
            for key in list(self._selector.get_map().values()):
                self._dribble(key)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()

    def stop(self):
        self._stopped.set()

    @property
    def number(self):
        return len(self._selector.get_map() or ())

    def _open(self, kind):
        first, more = ATTACKS[kind]
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", self._port))
        client.setblocking(False)
        client.send(first)
        events = 0 if kind in {"reading", "not ending"} else selectors.EVENT_READ
        self._selector.register(client, events or selectors.EVENT_WRITE, (kind, more))

    def _look_for_ended(self):
        for key, events in self._selector.select(0):
            if events & selectors.EVENT_READ and self._has_ended(key.fileobj):
                self._again(key)

    def _has_ended(self, client):
        try:
            return client.recv(65536) == b""
        except OSError:
            return True

    def _dribble(self, key):
        try:
            key.fileobj.send(key.data[1])
        except BlockingIOError:
            pass
        except OSError:
            self._again(key)

    def _again(self, key):
        self._selector.unregister(key.fileobj)
        key.fileobj.close()
        self._open(key.data[0])


@contextmanager
def attacked(server, *kinds):
    attackers = Attackers(server.port, kinds)
    thread = threading.Thread(target=attackers.attack)
    thread.start()
    try:
        wait_until(lambda: attackers.number == SLOW, "the attack")
        yield attackers
    finally:
        attackers.stop()
        thread.join()


def seconds(player, *request):
    """The seconds until a response, which has to be a good one."""
    began = time.perf_counter()
    status, told = player.send(*request)
    assert status in {200, 201}, told
    return time.perf_counter() - began


def rounds(alice, bob, game_id, number):
    """The duration of the requests of two players: they look at their table, and say something."""
    taken = []
    for count in range(number):
        for player in (alice, bob):
            path = f"/api/games/{game_id}"
            taken.append(seconds(player, "GET", path))
        taken.append(
            seconds(bob, "POST", f"{path}/messages", {"channel": "seats", "text": f"Hello {count}"})
        )
    return taken


def percentile_95(taken):
    return statistics.quantiles(taken, n=20)[-1]


def is_held_up(server, kinds, alice, bob, game_id):
    """Whether the requests of two players take much longer with the attackers than without them."""
    alone = rounds(alice, bob, game_id, 30)
    with attacked(server, *kinds) as attackers:
        bound = 6 * percentile_95(alone) + 0.02
        wait_until(lambda: max(rounds(alice, bob, game_id, 2)) < bound, "an idle server")
        beside = rounds(alice, bob, game_id, 60)
        wait_until(lambda: attackers.number == SLOW, "all attackers")
    alone += rounds(alice, bob, game_id, 30)
    return percentile_95(beside) >= 6 * percentile_95(alone) + 0.02


ONE_KIND = [pytest.param((kind,), marks=pytest.mark.thorough) for kind in ATTACKS]


@pytest.mark.of_service
@pytest.mark.parametrize("kinds", [tuple(ATTACKS), *ONE_KIND], ids="+".join)
def test_slow_clients_hold_up_nobody(server, kinds):
    """Other work of the machine can only lengthen the times, and not always: one try of three has to be good."""
    alice, bob = Remote(server.url, "Alice"), Remote(server.url, "Bob")
    game_id = alice.open(CARAVAN)
    bob.insist("POST", f"/api/games/{game_id}/seats", {})
    tries = (is_held_up(server, kinds, alice, bob, game_id) for _ in range(3))
    assert not all(tries)
