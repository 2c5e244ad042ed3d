"""Failing commits, and what a process shows of a table compared with one that has just begun."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask
from sqlalchemy import Connection, event
from sqlalchemy.exc import DBAPIError, OperationalError

from service.core.database.database import db
from service.core.database.failures import CommitUnknown
from service.web.app import make_services
from tests.support.cast import Person
from tests.support.writers import Around, planted

SHOWN = ("", "/events?limit=200")
"""The paths that are requested of a table, relative to its address."""


FAILURES = (DBAPIError, CommitUnknown)
"""The errors that a use case raises if its commit fails."""


def fail(_connection: Any = None) -> None:
    """Fail like a database without room."""
    raise OperationalError("COMMIT", None, sqlite3.OperationalError("the disk is full"))


class Failing(Around):
    """A writer that writes everything, but commits nothing."""

    def commit(self) -> None:
        """Fail instead of committing."""
        fail()


@contextmanager
def no_commit(app: Flask) -> Iterator[None]:
    """A block in which every commit fails."""
    with app.app_context():
        engine = db.engine
    event.listen(engine, "commit", fail)
    try:
        with planted(app, Failing):
            yield
    finally:
        event.remove(engine, "commit", fail)


class Killed(BaseException):
    """An unexpected end of the request, like SIGKILL: nothing is reported, and nothing is cleaned up."""


@contextmanager
def no_answer_to_commit(
    app: Flask, number: int, *, done: bool, error: BaseException | None = None
) -> Iterator[None]:
    """A block in which the `number`-th commit gets no response, whether or not it took effect.

    `error` is raised, by default that the connection is lost.
    """
    lost = error or OperationalError("COMMIT", None, sqlite3.OperationalError("connection lost"))
    commits = itertools.count(1)

    def lose(connection: Connection) -> None:
        if next(commits) == number:
            if done:
                connection.connection.commit()
            raise lost

    with app.app_context():
        engine = db.engine
    event.listen(engine, "commit", lose)
    try:
        yield
    finally:
        event.remove(engine, "commit", lose)


def shown(app: Flask, people: list[Person], game_id: str) -> dict[str, Any]:
    """The responses to each of these people about a table, by name and path."""
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
    """The response of this application to a person who signed in elsewhere."""
    cookies = person.http._cookies or {}
    headers = dict(person.headers)
    if cookies:
        headers["Cookie"] = "; ".join(f"{each.key}={each.value}" for each in cookies.values())
    return app.test_client(use_cookies=False).get(path, headers=headers)


def begin_anew(app: Flask) -> None:
    """Make an application forget everything, like a process that has just begun."""
    services = app.extensions["tegami"]
    app.extensions["tegami"] = make_services(services.config, services)
