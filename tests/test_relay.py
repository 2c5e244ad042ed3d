"""`examples/relay.py` passes messages of a webhook on to Telegram and LINE: once, and again after a failure."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import requests
from standardwebhooks import Webhook

from tests.support.servers.server import ROOT, free_port, wait_until
from tests.test_clients_document import snippet

SECRET = "whsec_" + "A" * 43 + "="
CHANGE = {"number": 3, "kind": "turn", "game": "g_94PIy7XRoLrKZMqCPq9hf5"}
WORDS = "Your turn in Caravan: *Bo* <b>"
PATHS = {"telegram": "/bot1:t/sendMessage", "line": "/v2/bot/message/push"}


class Service(ThreadingHTTPServer):
    """Stands for Telegram and for LINE; `fails` makes it refuse."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Taking)
        self.got: list[tuple[str, str | None, Any]] = []
        self.fails = False

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Taking(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.got.append((self.path, self.headers["Authorization"], body))
        self.send_response(500 if self.server.fails else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.serve_forever)
    thread.start()
    yield made
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.fixture(params=["telegram", "line"])
def relay(request: pytest.FixtureRequest, service: Service) -> Iterator[tuple[str, str]]:
    """The service to which it passes messages on, and its own address."""
    port = free_port()
    of_line = {"LINE_TOKEN": "t", "LINE_TO": "U1"}
    own = {"TELEGRAM_API": service.url, "LINE_API": service.url, "PORT": str(port), **of_line}
    program = subprocess.Popen(
        ["sh", "-e", "-c", command(request.param)], env={**os.environ, **own}, cwd=ROOT
    )
    url = f"http://127.0.0.1:{port}/"
    try:
        wait_until(lambda: answers(url), "the relay")
        yield request.param, url
    finally:
        program.kill()
        program.wait()


def command(way: str) -> str:
    """The command of the guide, with its reader's values."""
    given = {"whsec_…": SECRET, "TOKEN=…": "TOKEN=1:t", "CHAT=…": "CHAT=42"}
    given |= {"python ": f"exec {sys.executable} ", "relay.py telegram": f"relay.py {way}"}
    text = snippet("export TEGAMI_URL=")
    for before, after in given.items():
        text = text.replace(before, after)
    return text


def answers(url: str) -> bool:
    try:
        return requests.post(url, data=b"{}", timeout=5).status_code == 401
    except requests.ConnectionError:
        return False


def told(url: str, number: str, secret: str = SECRET, change: Any = CHANGE) -> int:
    """The status of its response to such a message."""
    body = json.dumps({"type": "turn", "data": {"words": WORDS, "change": change}})
    now = datetime.now(UTC)
    headers = {
        "webhook-id": number,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(number, now, body),
    }
    return requests.post(url, data=body, headers=headers, timeout=20).status_code


def test_what_is_told_is_passed_on_once(relay: tuple[str, str], service: Service) -> None:
    way, url = relay
    assert [told(url, "w_1.1"), told(url, "w_1.1"), told(url, "w_1.2", change=None)] == [204] * 3
    assert [path for path, _, _ in service.got] == [PATHS[way]] * 2
    (_, authorization, first), (_, _, ping) = service.got
    said = f"{WORDS}\nhttps://tegami.example/games/{CHANGE['game']}"
    if way == "line":
        assert authorization == "Bearer t"
        assert first == {"to": "U1", "messages": [{"type": "text", "text": said}]}
    else:
        assert (first["chat_id"], first["text"]) == ("42", said)
        assert "parse_mode" not in first, "nothing that was typed is markup"
        assert ping["text"].endswith("https://tegami.example")


def test_what_cannot_be_passed_on_comes_again(relay: tuple[str, str], service: Service) -> None:
    _, url = relay
    service.fails = True
    assert told(url, "w_1.1") == 502
    service.fails = False
    assert told(url, "w_1.1") == 204
    assert len(service.got) == 2


def test_what_others_send_is_not_passed_on(relay: tuple[str, str], service: Service) -> None:
    _, url = relay
    assert told(url, "w_1.1", "whsec_" + "B" * 43 + "=") == 401
    assert service.got == []
