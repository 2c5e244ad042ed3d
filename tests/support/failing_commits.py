"""Commits that fail, and what a process shows of a table beside one that has just begun."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError, OperationalError

from service.core.database.database import db
from service.core.database.failures import CommitUnknown
from service.web.app import make_services
from tests.support.cast import Person
from tests.support.writers import Around, planted

SHOWN = ("", "/events?limit=200")
"""What is asked of a table, below its address."""


FAILURES = (DBAPIError, CommitUnknown)
"""What a use case raises whose commit fails."""


def fail(_connection: Any = None) -> None:
    """As a database does that has no room left."""
    raise OperationalError("COMMIT", None, sqlite3.OperationalError("the disk is full"))


class Failing(Around):
    """Writes everything, and commits nothing."""

    def commit(self) -> None:
        """Not."""
        fail()


@contextmanager
def no_commit(app: Flask) -> Iterator[None]:
    """Whatever is written in this block fails at its commit."""
    with app.app_context():
        engine = db.engine
    event.listen(engine, "commit", fail)
    try:
        with planted(app, Failing):
            yield
    finally:
        event.remove(engine, "commit", fail)


def shown(app: Flask, people: list[Person], game_id: str) -> dict[str, Any]:
    """What each of these people is answered about a table, by name and path."""
    paths = [f"/api/games/{game_id}{more}" for more in SHOWN]
    answers = {
        f"{person.name or 'nobody'} {path}": asked(app, person, path)
        for person in people
        for path in paths
    }
    return {
        key: (each.status_code, each.headers.get("ETag"), each.json)
        for key, each in answers.items()
    }


def asked(app: Flask, person: Person, path: str) -> Any:
    """The answer of this application to a person who signed in elsewhere."""
    cookies = person.http._cookies or {}
    headers = dict(person.headers)
    if cookies:
        headers["Cookie"] = "; ".join(f"{each.key}={each.value}" for each in cookies.values())
    return app.test_client(use_cookies=False).get(path, headers=headers)


def begin_anew(app: Flask) -> None:
    """Let an application remember nothing, as a process that has just begun."""
    services = app.extensions["tegami"]
    app.extensions["tegami"] = make_services(services.config, services)
