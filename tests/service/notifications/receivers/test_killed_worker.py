"""The worker is killed while a receiver has a message in hand: the message comes again, with the same id."""

from __future__ import annotations

import sqlite3
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import requests

from tests.support.servers.server import PATIENCE, Server, wait_until


class Hook(ThreadingHTTPServer):
    """A receiver that responds only when it may; it stores the messages by id and sequence."""

    daemon_threads = True

    def __init__(self):
        self.got: list[tuple[str, bytes]] = []
        self.may_answer = threading.Event()
        super().__init__(("127.0.0.1", 0), Answer)


class Answer(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.headers["webhook-id"], body))
        self.server.may_answer.wait(PATIENCE)
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.fixture
def server(databases, tmp_path):
    with Server(tmp_path, databases.fresh("sqlite", tmp_path), WEB_CONCURRENCY="1") as server:
        yield server


@pytest.fixture
def hook():
    with Hook() as hook:
        thread = threading.Thread(target=hook.serve_forever)
        thread.start()
        yield hook
        hook.may_answer.set()
        hook.shutdown()
        thread.join()


@pytest.mark.of_service
def test_a_killed_worker_loses_nothing(server, hook):
    api = f"{server.url}/api"
    wish = {"name": "Bot", "token": "my bot", "scopes": ["account"]}
    token = requests.post(f"{api}/players", json=wish, timeout=60).json()["token"]
    headers = {"Authorization": f"Bearer {token['secret']}"}
    address = f"http://127.0.0.1:{hook.server_port}/"
    wish = {"url": address, "label": "my bot"}
    made = requests.post(f"{api}/me/webhooks", json=wish, headers=headers, timeout=60).json()
    path = f"{api}/me/webhooks/{made['webhook']['id']}"
    for _ in range(2):
        requests.post(f"{path}/ping", headers=headers, timeout=60)
    wait_until(lambda: hook.got, "the receiver to have the first one in hand")

    server.kill("worker")
    with sqlite3.connect(server.database.removeprefix("sqlite:///"), timeout=60) as database:
        database.execute("UPDATE deliveries SET lease_until = 0")  # as if a minute had passed
    database.close()
    hook.may_answer.set()
    server.launch("worker")

    def delivered():
        told = requests.get(f"{path}/deliveries", headers=headers, timeout=60).json()["deliveries"]
        return [each["state"] for each in told] == ["delivered"] * 2

    wait_until(delivered, "both to be delivered")
    ids = [each for each, _ in hook.got]
    assert len(set(ids)) == 2 and ids.count(ids[0]) >= 2, "the first one came again as itself"
    bodies = {each: {body for known, body in hook.got if known == each} for each in ids}
    assert all(len(each) == 1 for each in bodies.values())
