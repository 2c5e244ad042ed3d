"""A database that is busy, out of reach, or lost in the middle of a commit."""

from __future__ import annotations

import sqlite3
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from service.core.database.database import db
from tests.support.cast import sqlite_only
from tests.support.clock import MINUTE
from tests.support.dump import dump
from tests.support.servers.databases import disconnect
from tests.support.watching import listening
from tests.support.writers import Around, planted

pytestmark = [pytest.mark.own_database, pytest.mark.both_databases]


SOON = 5.0
"""Seconds: fewer than anybody waits for SQLite's lock."""


def path_of(app):
    """The file of an SQLite database."""
    return Path(make_url(app.config["SQLALCHEMY_DATABASE_URI"]).database)


def cut_off(app):
    """Remove the database."""
    url = app.config["SQLALCHEMY_DATABASE_URI"]
    if not url.startswith("sqlite"):
        name = make_url(url).database
        server = url.replace(f"/{name}", "/postgres").replace("+psycopg", "")
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        return
    path_of(app).unlink()
    path_of(app).mkdir()
    disconnect(app)


def test_without_a_database_everything_is_unavailable(app, cast):
    game_id = cast.start()
    game = cast.alice.game(game_id)
    tag = cast.alice.send("GET", f"/api/games/{game_id}").headers["ETag"]
    cut_off(app)
    asked = {"asked": game["asked"], "action": game["legal"][0]["action"]}
    for method, path, body in (
        ("GET", f"/api/games/{game_id}", None),
        ("GET", "/api/games", None),
        ("GET", "/api/me", None),
        ("POST", f"/api/games/{game_id}/actions", asked),
        ("POST", "/api/players", {"name": "Dora"}),
    ):
        cast.alice.refused(method, path, "unavailable", body)
    cast.nobody.refused("GET", "/readyz", "not-ready")
    cast.nobody.get("/healthz")
    for person in (cast.alice, cast.nobody):
        poll = person.send("GET", f"/api/games/{game_id}", headers={"If-None-Match": tag})
        assert poll.status_code == 503
        assert int(poll.headers["Retry-After"]) >= 1
    assert cast.alice.get("/api/rulesets")["rulesets"], "what needs no database is still there"


@contextmanager
def impatient(app):
    """Connections that do not wait for a lock of SQLite."""

    def connect(connection, _record):
        connection.execute("PRAGMA busy_timeout = 0")

    with app.app_context():
        engine = db.engine
    with listening(engine, connect=connect):
        yield


@pytest.mark.of_service
@sqlite_only
def test_reading_goes_on_while_another_process_holds_the_write_lock(app, cast, clock):
    game_id = cast.start()
    game, stored = cast.alice.game(game_id), dump(app)
    with impatient(app):
        other = sqlite3.connect(path_of(app), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        body = {"asked": game["asked"], "action": game["legal"][0]["action"]}
        cast.alice.refused("POST", f"/api/games/{game_id}/actions", "unavailable", body)
        assert cast.alice.game(game_id) == game
        begun = time.monotonic()
        clock.forward(2 * MINUTE)  # so that it is noted that they were here, if there is time
        for person in cast.seated:
            assert person.get("/api/me")["player"]
        for _ in range(3):
            cast.alice.refused("POST", f"/api/games/{game_id}/actions", "unavailable", body)
        assert time.monotonic() - begun < SOON, "who comes later is told at once"
        other.execute("ROLLBACK")
        other.close()
        assert dump(app) == stored
        game = cast.alice.game(game_id)
        assert cast.alice.answer(game)["number"] == game["number"] + 1


@pytest.mark.parametrize("committed", [True, False])
def test_an_unknown_commit_is_not_reported_as_unchanged(app, cast, committed):
    """503 would mean that nothing was changed. The client can repeat the action safely either way."""
    game_id = cast.start()
    game = cast.alice.game(game_id)

    class Losing(Around):
        def commit(self):
            if committed:
                super().commit()
            with app.app_context():
                raise db.engine.dialect.loaded_dbapi.OperationalError("the connection was lost")

    body = {"asked": game["asked"], "action": game["legal"][0]["action"]}
    with planted(app, Losing):
        cast.alice.refused("POST", f"/api/games/{game_id}/actions", "server-error", body)
    again = cast.alice.answer(game, status=200 if committed else 201)
    assert again["number"] == game["number"] + 1
    assert cast.bob.game(game_id)["number"] == game["number"] + 1
