"""People who read mail: addresses for the cast, a transport that keeps mails, and the links in them."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from email.message import EmailMessage
from typing import Any

from flask import Flask
from sqlalchemy import insert

from service.core.database.database import db, transaction
from service.core.models.people import Account
from service.notifications.mail_sending.sender import Sender
from service.notifications.mail_sending.transport import StillWanted
from service.notifications.mail_texts.mail_links import FIRST_ORDER
from service.notifications.mail_texts.message import Message
from tests.support.cast import Person
from tests.support.dump import execute
from tests.support.sending import as_read, send_all
from tests.support.servers.server import PATIENCE

OF_MOVE = 3
"""The number of dots in the path of a move; the path of the form has one less."""
MOVE = re.compile(r"http://localhost(/moves/[^\s/]+)(?!\S)")
"""The address of a move, or of the form of all moves."""


class Letters:
    """A transport that collects mails in a list."""

    def __init__(self) -> None:
        self.sent: list[EmailMessage] = []
        self.returns: dict[str, str | None] = {}
        """The return address of the last mail to each address."""

    def connect(self) -> None:
        """Do nothing: it is always connected."""

    def send(self, message: Message, still: StillWanted) -> bool:
        """Keep a mail, if it is still wanted."""
        if still():
            self.sent.append(as_read(message))
            self.returns[message.to] = message.returns_to
            return True
        return False

    def disconnect(self) -> None:
        """Do nothing: there is no connection."""

    def take(self) -> list[EmailMessage]:
        """The mails that have come since the last call."""
        came, self.sent = self.sent, []
        return came


class HeldLetters(Letters):
    """A transport that holds back mails to one domain until it may go on."""

    def __init__(self, domain: str, go: threading.Event) -> None:
        super().__init__()
        self._domain, self._go, self._lock = domain, go, threading.Lock()
        self.waiting = self.most = 0
        """The number of mails waiting there now, and the greatest number so far."""

    def send(self, message: Message, still: StillWanted) -> bool:
        """Hold the mail back if it goes to the domain."""
        if self._domain in message.to:
            with self._lock:
                self.waiting += 1
                self.most = max(self.most, self.waiting)
            assert self._go.wait(PATIENCE)
            with self._lock:
                self.waiting -= 1
        return super().send(message, still)


class Office:
    """The mail of an application: who has an address, and the mails that arrive."""

    def __init__(self, app: Flask) -> None:
        self.app, self.post = app, Letters()
        self._courier = Sender(app.extensions["tegami"], self.post)

    def address(self, *people: Person, language: str = "en", zone: str | None = None) -> None:
        """Give people verified addresses: `alice@example.org`."""
        for person in people:
            name = person.name.lower()
            row = {"player_id": person.id, "handle": name, "registered_at": 0}
            told = {"address": f"{name}@example.org", "folded": f"{name}@example.org"}
            with self.app.app_context(), transaction():
                db.session.execute(insert(Account).values(**row, **told))
            self.change(
                "UPDATE players SET language = :l, time_zone = :z", person, l=language, z=zone
            )

    def change(self, command: str, person: Person, column: str = "id", **values: Any) -> None:
        """Change a row that belongs to a person."""
        execute(self.app, f"{command} WHERE {column} = :of", of=person.id, **values)

    def deliver(self, *, now: bool = True) -> list[EmailMessage]:
        """Send what is due (with `now`, also what is due later); returns the mails that arrived."""
        if now:
            due = "UPDATE outbox SET run_at = :now WHERE done_at IS NULL AND run_at > :now"
            execute(self.app, due, now=self.app.extensions["tegami"].now())
        with self.app.app_context():
            send_all(self._courier)
        return self.post.take()

    def due(self, kind: str = "turn") -> list[Any]:
        """The rows that wait to be sent."""
        query = "SELECT * FROM outbox WHERE done_at IS NULL AND kind = :kind ORDER BY id"
        return list(execute(self.app, query, kind=kind))


def part(message: EmailMessage, kind: str = "plain") -> str:
    """The text or the HTML of a letter."""
    body = message.get_body((kind,))
    assert body is not None
    return str(body.get_content())


def moves(message: EmailMessage) -> list[str]:
    """The paths that play a move, in order; if there are too many, the path of the form for choosing one."""
    found = [path for path in MOVE.findall(part(message)) if not leaves_order(path)]
    return [path for path in found if path.count(".") == OF_MOVE] or found


def leaves_order(path: str) -> bool:
    """Whether a link leaves a standing order instead of playing."""
    place = path.rpartition(".")[2]
    return path.count(".") == OF_MOVE and int(place) >= FIRST_ORDER


def to(person: Person) -> str:
    """The address of somebody of the cast."""
    return f"{person.name.lower()}@example.org"


def addressed(letters: list[EmailMessage]) -> list[str]:
    """The recipients of these letters."""
    return sorted(str(letter["To"]) for letter in letters)


def person_of(people: Iterable[Person], letter: EmailMessage) -> Person:
    """The person among these to whom a letter was sent."""
    return next(person for person in people if to(person) == letter["To"])
