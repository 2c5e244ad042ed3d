"""Receivers of webhooks in tests: programs that verify their messages, and respond."""

from __future__ import annotations

import json
from collections import deque
from datetime import UTC, datetime
from typing import Any

from flask import Flask
from standardwebhooks import Webhook

from service.core.models.receivers import WEBHOOK
from service.notifications.receivers.courier import Courier
from service.notifications.receivers.guarded_post import Post, PostOutcome, Request
from tests.support.sending import deliver_all

OK, DOWN = PostOutcome(status=204), PostOutcome(error="connection")
PATH = "/api/me/webhooks"
URL = "https://bot.example/hook"


class Receiver:
    """A program at a web address, and the courier that sends to it."""

    def __init__(self, app: Flask, post: Post | None = None) -> None:
        self.app = app
        self.courier = Courier(app.extensions["tegami"], {WEBHOOK: post or self.post})
        self.got: list[Request] = []
        """All requests, including those that were not accepted."""
        self.answers = deque[PostOutcome]()
        """Its next responses; after them, `usually`."""
        self.usually = OK

    def post(self, request: Request) -> PostOutcome:
        """Accept a request and respond."""
        self.got.append(request)
        return self.answers.popleft() if self.answers else self.usually

    def fetch(self) -> list[Any]:
        """Let the courier send what is due; returns the messages received."""
        before = len(self.got)
        with self.app.app_context():
            deliver_all(self.courier)
        return [json.loads(each.body) for each in self.got[before:]]

    def kinds(self) -> list[str]:
        """The types of the messages received."""
        return [each["type"] for each in self.fetch()]


def verified(request: Request, secret: str) -> bool:
    """Whether a message was signed with this secret, according to a receiver's library, at any time."""
    message, at = request.headers["webhook-id"], int(request.headers["webhook-timestamp"])
    moment = datetime.fromtimestamp(at, UTC)
    expected = Webhook(secret).sign(message, moment, request.body.decode())
    return expected in request.headers["webhook-signature"].split(" ")


def made(person: Any, url: str = URL, **more: Any) -> Any:
    """A new webhook of a person, with its secret."""
    return person.post(PATH, {"url": url, "label": "my bot", **more})["webhook"]


def deliveries(person: Any, webhook: Any) -> list[Any]:
    """The deliveries to a webhook, the newest first."""
    return list(person.get(f"{PATH}/{webhook['id']}/deliveries")["deliveries"])
