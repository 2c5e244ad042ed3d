"""A database that fails after a commit: 503 would say that nothing was changed, and the result would be lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from service.core.database.database import db
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.dump import execute

pytestmark = sqlite_only
KEY = {"Idempotency-Key": "7f3a9c1e-5b2d-4e86"}
WISH = {"ruleset": CARAVAN, "nonce": None}


@contextmanager
def out_of_reach_after(app: Flask, word: str, of: str = "") -> Iterator[None]:
    """Once a statement with this word is committed, the database is out of reach for statements with the word `of`."""
    seen = {"word": False, "committed": False}

    def run(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if seen["committed"] and of in statement:
            raise OperationalError(statement, None, sqlite3.OperationalError("out of reach"))
        seen["word"] = seen["word"] or word in statement

    def commit(_connection: Any) -> None:
        seen["committed"] = seen["word"]

    with app.app_context():
        engine = db.engine
    event.listen(engine, "before_cursor_execute", run)
    event.listen(engine, "commit", commit)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", run)
        event.remove(engine, "commit", commit)
    assert seen["committed"]


@pytest.fixture
def games(app):
    """The number of tables."""
    return lambda: execute(app, "SELECT count(*) FROM games")[0][0]


def test_what_was_changed_is_not_said_to_be_unchanged(app, cast, games):
    assert cast.alice.get("/api/me")
    with out_of_reach_after(app, "INTO games"):
        cast.alice.refused("POST", "/api/games", "server-error", WISH)
    assert games() == 1


def test_before_the_commit_nothing_was_changed(app, cast, games):
    assert cast.alice.get("/api/me")
    with out_of_reach_after(app, "INTO kept_answers"):
        cast.alice.refused("POST", "/api/games", "unavailable", WISH, headers=KEY)
    assert games() == 0


def test_who_asked_is_told_although_nobody_who_repeats_it_will_be(app, cast):
    """The response is made, and only storing it fails."""
    with out_of_reach_after(app, "INTO players", of="kept_answers"):
        made = cast.nobody.send("POST", "/api/players", json={"name": "Dora"}, headers=KEY)
    assert (made.status_code, made.json["player"]["name"]) == (201, "Dora")
