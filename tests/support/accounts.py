"""Registered players in tests, the mails that they get, and the keys in these."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage
from typing import Any

from argon2 import PasswordHasher
from flask import Flask

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_texts.message import Message
from service.people.credentials.passwords import Passwords
from service.web.app import create_app
from tests.contract import CheckedClient
from tests.support.cast import Person
from tests.support.sending import as_read, send_all

PASSWORD, OTHER = "kaki no ha sushi", "correct horse battery staple"


class Bag:
    """A transport that keeps all mails."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self.mails: list[EmailMessage] = []

    def connect(self) -> None:
        """Do nothing: it is always connected."""

    def disconnect(self) -> None:
        """Do nothing."""

    def send(self, message: Message, still: Callable[[], bool]) -> bool:
        """Keep the mail."""
        wanted = still()
        if wanted:
            self.mails.append(as_read(message))
        return wanted

    def fetch(self) -> list[EmailMessage]:
        """Deliver what is due; returns the new mails."""
        before = len(self.mails)
        with self._app.app_context():
            send_all(Sender(self._app.extensions["tegami"], self))
        return self.mails[before:]

    def key(self, purpose: str) -> str:
        """The key in the only mail that has just come."""
        (mail,) = self.fetch()
        return key_in(mail, purpose)


class Counting(PasswordHasher):
    """A fast hasher that counts the hashes it makes."""

    def __init__(self, rounds: int = 1) -> None:
        super().__init__(time_cost=rounds, memory_cost=8, parallelism=1)
        self.hashes = 0

    def hash(self, *args: Any, **more: Any) -> str:
        self.hashes += 1
        return super().hash(*args, **more)

    def verify(self, *args: Any, **more: Any) -> Any:
        self.hashes += 1
        return super().verify(*args, **more)


def app_with_passwords(config: Config, runtime: Runtime, passwords: Passwords) -> Flask:
    """An application that computes passwords with these."""
    app = create_app(config, runtime)
    app.test_client_class = CheckedClient
    app.extensions["tegami"] = replace(app.extensions["tegami"], passwords=passwords)
    return app


def text_of(mail: EmailMessage) -> str:
    """The plain text of a mail."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def key_in(mail: EmailMessage, purpose: str) -> str:
    """The key in a link of a mail."""
    found = re.search(rf"/plain/keys/{purpose}/(\S+)", text_of(mail))
    assert found, text_of(mail)
    return found[1]


def register(
    bag: Bag, person: Person, handle: str, password: str | None = PASSWORD, *, verified: bool = True
) -> str:
    """Register a guest; returns the address, which is verified unless stated otherwise."""
    address = f"{handle}@example.org"
    wish = {"handle": handle, "address": address} | ({"password": password} if password else {})
    person.post("/api/me/registration", wish)
    if verified:
        person.post("/api/verifications", {"key": bag.key("verify")}, 204)
    return address


def sign_in(app: Flask, who: str, password: str = PASSWORD) -> Person:
    """A browser in which somebody has signed in with a password."""
    person = Person(app)
    person.post("/api/sign-ins", {"who": who, "password": password})
    return person
