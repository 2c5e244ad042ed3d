"""Browsers with Web Push: their keys, the messages that they read, and their push service, which sees the sender."""

from __future__ import annotations

import json
import os
from collections import deque
from functools import partial
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from flask import Flask
from py_vapid import Vapid02

from service.core.models.receivers import PUSH
from service.notifications.mail_sending.sender import Sender
from service.notifications.receivers import browsers
from service.notifications.receivers.courier import Courier
from service.notifications.receivers.guarded_post import Post, PostOutcome, Request
from service.notifications.receivers.web_push import decoded, encoded
from tests.support.cast import Person
from tests.support.dump import execute
from tests.support.post_office import Letters
from tests.support.sending import deliver_all, send_all

PATH = "/api/me/push"
CREATED = PostOutcome(status=201)
TIME_TO_SPARE = 24 * 3600
"""The longest time (seconds) for which a proof of the sender may be valid (RFC 8292, 2)."""


class Browser:
    """A browser of somebody who may be signed in there; `name` is part of its address at the push service."""

    def __init__(self, name: str = "one", at: str = "https://push.example/send/") -> None:
        self.endpoint = f"{at}{name}"
        self.key, self.secret = ec.generate_private_key(ec.SECP256R1()), os.urandom(16)

    @property
    def subscription(self) -> Any:
        """The result of its `PushSubscription`."""
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": encoded(point), "auth": encoded(self.secret)}
        return {"endpoint": self.endpoint, "keys": keys}

    def subscribe(self, person: Person, status: int = 201) -> Any:
        """Notify this person in the browser."""
        return person.post(PATH, self.subscription, status).get("browser")

    def read(self, body: bytes) -> str:
        """The message that the browser was sent."""
        read = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.secret, version="aes128gcm"
        )
        return bytes(read).decode()


class PushService:
    """The push service of some browsers: the messages it gets for them, and its responses."""

    def __init__(self, app: Flask, *known: Browser, post: Post | None = None) -> None:
        self.app, self.known = app, {each.endpoint: each for each in known}
        services = app.extensions["tegami"]
        self.services, self.post = services, Letters()
        self.courier = Courier(services, {PUSH: post or self.take})
        self.sender = Sender(services, self.post, browsers=partial(browsers.tell, services))
        self.got: list[Request] = []
        self.answers, self.usually = deque[PostOutcome](), CREATED

    def take(self, request: Request) -> PostOutcome:
        """Accept a message from a server."""
        self.got.append(request)
        return self.answers.popleft() if self.answers else self.usually

    def fetch(self, *, now: bool = True) -> list[Any]:
        """The messages to browsers that are due and, with `now`, those due later."""
        before = len(self.got)
        self.send(now=now)
        return [self.read(each) for each in self.got[before:]]

    def send(self, *, now: bool = True) -> None:
        """Send all messages that are due."""
        if now:
            execute(self.app, "UPDATE outbox SET run_at = 0 WHERE done_at IS NULL")
        with self.app.app_context():
            send_all(self.sender)
            deliver_all(self.courier)

    def read(self, request: Request) -> Any:
        """A message as its browser reads it."""
        return json.loads(self.known[request.url].read(request.body))

    def words(self, **more: Any) -> list[str]:
        """The words of the messages."""
        return [each["words"] for each in self.fetch(**more)]


def claims(authorization: str, key: str, now: int) -> Any:
    """A server's claims about itself, checked to be signed with the key that belongs to `key` at the time `now` (ms
    UTC).
    """
    assert Vapid02.verify(authorization)
    parts = dict(each.split("=", 1) for each in authorization.removeprefix("vapid ").split(","))
    assert parts["k"] == key
    head, told, _ = parts["t"].split(".")
    assert json.loads(decoded(head)) == {"typ": "JWT", "alg": "ES256"}
    found = json.loads(decoded(told))
    assert now // 1000 < found["exp"] <= now // 1000 + TIME_TO_SPARE
    return found
