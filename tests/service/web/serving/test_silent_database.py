"""All threads wait for a silent database: a request that asks whether the process is alive still gets a response."""

from __future__ import annotations

import sqlite3
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from service.web.serving.application import THREADS, WRITING
from tests.support.servers.databases import plain
from tests.support.servers.relay import Relay
from tests.support.servers.server import PATIENCE, Server, free_port, wait_until

SOON = 5.0
"""The seconds for a response that nobody waits for, on a busy machine: fewer than the others wait."""
LONG = 20
MOST_CONNECTIONS = 16
"""The number that docs/hosting.md gives for each web process."""


@pytest.fixture
def relay(databases, tmp_path):
    url = databases.fresh("postgresql", tmp_path)
    with Relay(url) as started:
        yield started
    databases.drop(url)


class Web(Server):
    """A server without a worker."""

    def __init__(self, folder, database, **environment):
        super().__init__(folder, database, **environment)
        del self._commands["worker"]


def connections(url):
    """The number of other connections to the database."""
    query = "SELECT count(*) - 1 FROM pg_stat_activity WHERE datname = current_database()"
    with psycopg.connect(plain(url)) as connection:
        return connection.execute(query).fetchone()[0]


def ask(url, body=None):
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, ""


@pytest.mark.of_service
def test_health_and_metrics_wait_for_nobody(relay, tmp_path):
    metrics = f"127.0.0.1:{free_port()}"
    settings = {"DATABASE_STATEMENT_TIMEOUT": str(LONG), "METRICS": metrics, "WEB_CONCURRENCY": "1"}
    with (
        Web(tmp_path, relay.url, **settings) as server,
        ThreadPoolExecutor(THREADS + 3) as many,
    ):
        paths = ("/api/games", "/readyz", "/api/games?limit=2", "/api/me") * 10
        warm = many.map(ask, [f"{server.url}{path}" for path in paths])
        assert {status for status, _ in warm} == {200, 401, 503}
        wait_until(lambda: "_database_up 1" in ask(f"http://{metrics}/metrics")[1], "it is up")
        assert 1 < connections(relay.url) <= MOST_CONNECTIONS
        relay.swallow()
        asked = [many.submit(ask, f"{server.url}/api/games") for _ in range(THREADS + 2)]
        ready = many.submit(ask, f"{server.url}/readyz")
        try:
            wait_until(lambda: relay.kept >= THREADS, "all threads have asked the database")
            begun = time.monotonic()
            assert ask(f"{server.url}/healthz") == (200, '{"status":"ok"}')
            status, text = ask(f"http://{metrics}/metrics")
            assert (status, "tegami_database_up 0" in text) == (200, True)
            assert "tegami_requests_total" in text
            assert time.monotonic() - begun < SOON
            assert not any(each.done() for each in [*asked, ready]), "they wait"
        finally:
            relay.go_on()
        assert {each.result()[0] for each in asked} == {200}


@pytest.mark.of_service
def test_reading_goes_on_while_all_that_write_wait_for_a_lock(databases, tmp_path):
    """Somebody holds SQLite's one lock, and many want to become players."""
    url = databases.fresh("sqlite", tmp_path)
    writers = WRITING + 2
    with (
        Web(tmp_path, url, WEB_CONCURRENCY="1") as server,
        ThreadPoolExecutor(writers) as many,
        closing(sqlite3.connect(plain(url), isolation_level=None)) as other,
    ):
        assert ask(f"{server.url}/api/games")[0] == 200
        other.execute("BEGIN IMMEDIATE")
        asked = [
            many.submit(ask, f"{server.url}/api/players", b'{"name": "Dora"}')
            for _ in range(writers)
        ]
        begun = time.monotonic()
        with ThreadPoolExecutor(THREADS) as readers:
            read = readers.map(ask, [f"{server.url}/api/games"] * (8 * THREADS))
            assert {status for status, _ in read} == {200}
        assert time.monotonic() - begun < SOON
        assert not any(each.done() for each in asked), "all that write still wait"
        other.execute("ROLLBACK")
        assert {each.result()[0] for each in asked} == {201}
