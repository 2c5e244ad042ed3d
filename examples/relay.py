"""Passes on what Tegami tells you to Telegram or LINE: `python relay.py telegram` or `python relay.py line`.

Needs Python 3.11 and `pip install standardwebhooks`. Put it behind a proxy with a certificate, add its address as a
webhook in your settings (Messages: for programs), and give it in the environment:

    TEGAMI_SECRET    the secret of the webhook, which is shown once: whsec_…
    TELEGRAM_TOKEN   of your bot, from @BotFather     TELEGRAM_CHAT   the id of the chat
    LINE_TOKEN       the channel access token         LINE_TO         the id of the user, group or room

It passes on the words and the address of the table, never a card, and each message once.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.error
import urllib.request
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from standardwebhooks import Webhook, WebhookVerificationError

TELEGRAM = os.environ.get("TELEGRAM_API", "https://api.telegram.org")
LINE = os.environ.get("LINE_API", "https://api.line.me")
TIMEOUT = 8
"""Seconds: Tegami waits for ten, and sends a message again if it gets no response."""
REMEMBERED = 1000
LARGEST = 64 * 1024


def telegram(words: str) -> None:
    """Send it as plain text, in which nothing is markup. Raises OSError."""
    chat = os.environ["TELEGRAM_CHAT"]
    body = {"chat_id": chat, "text": words, "link_preview_options": {"is_disabled": True}}
    post(f"{TELEGRAM}/bot{os.environ['TELEGRAM_TOKEN']}/sendMessage", body, {})


def line(words: str) -> None:
    """Push it. Raises OSError."""
    body = {"to": os.environ["LINE_TO"], "messages": [{"type": "text", "text": words}]}
    headers = {"Authorization": f"Bearer {os.environ['LINE_TOKEN']}"}
    post(f"{LINE}/v2/bot/message/push", body, headers)


def post(url: str, body: Any, headers: dict[str, str]) -> None:
    """Send JSON. Raises OSError."""
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
    with urllib.request.urlopen(request, timeout=TIMEOUT):
        pass


WAYS = {"telegram": telegram, "line": line}


class Relay(BaseHTTPRequestHandler):
    """Takes what Tegami sends. A message that cannot be passed on gets 502, and so comes again later."""

    way = staticmethod(telegram)
    secret = ""
    passed: OrderedDict[str, None] = OrderedDict()

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        if length > LARGEST:
            return self.answer(413)
        body = self.rfile.read(length)
        try:
            message = Webhook(self.secret).verify(body, dict(self.headers))
        except WebhookVerificationError:
            return self.answer(401)
        number = self.headers["webhook-id"]
        if number not in self.passed:
            try:
                self.way(words_of(message))
            except (OSError, urllib.error.HTTPError):
                return self.answer(502)
            self.remember(number)
        return self.answer(204)

    def remember(self, number: str) -> None:
        """A message can come twice: it is passed on once."""
        self.passed[number] = None
        if len(self.passed) > REMEMBERED:
            self.passed.popitem(last=False)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Write nothing: the address of a table concerns nobody else."""


def words_of(message: Any) -> str:
    """The event in words, and the address at which to look."""
    told = message["data"]
    change = told["change"] or {}
    page = os.environ.get("TEGAMI_URL", "").rstrip("/")
    where = f"{page}/games/{change['game']}" if page and change.get("game") else page
    return f"{told['words']}\n{where}".strip()


def main() -> None:
    """Run it, for the service that the command line names."""
    Relay.way = staticmethod(WAYS[sys.argv[1]])
    Relay.secret = os.environ["TEGAMI_SECRET"]
    port = int(os.environ.get("PORT", "5000"))
    ThreadingHTTPServer(("127.0.0.1", port), Relay).serve_forever()


if __name__ == "__main__":
    main()
