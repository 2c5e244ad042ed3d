"""Migrations on both databases, and the triggers that keep the log append-only."""

from __future__ import annotations

import pytest
from flask_migrate import check, downgrade, upgrade
from sqlalchemy import inspect
from sqlalchemy.exc import DBAPIError

from service.core.database.database import db
from service.core.database.tables import Base
from service.operations.stored_data import migrating
from tests.support.cast import postgresql_only, sqlite_only
from tests.support.dump import dump, execute

pytestmark = pytest.mark.both_databases

CHANGES = (
    "UPDATE events SET at = at + 1",
    "UPDATE events SET body = body",
    "UPDATE events SET number = number + 100 WHERE number = 1",
    "DELETE FROM events WHERE number = 3",
    "DELETE FROM events",
    "DELETE FROM games",
)
CHANGED_BODY = "game_key, number, 'x', digest, seat, asked, at"
KEY = "SELECT key FROM games WHERE id = :id"


def test_migrations_produce_the_schema_of_the_models(app):
    migrating.set_up(app)
    with app.app_context():
        check()  # exits if a model has no migration
        assert set(inspect(db.engine).get_table_names()) == {
            *Base.metadata.tables,
            "alembic_version",
        }


@pytest.mark.own_database
def test_migrations_run_down_and_up_again(app):
    migrating.set_up(app)
    with app.app_context():
        downgrade(revision="base")
        assert inspect(db.engine).get_table_names() == ["alembic_version"]
        upgrade()
        check()


def test_the_database_refuses_to_change_the_log(app, cast):
    game_id = cast.start()
    cast.play(game_id, most=2)
    stored = dump(app)
    for statement in CHANGES:
        with pytest.raises(DBAPIError):
            execute(app, statement)
    assert dump(app) == stored


@postgresql_only
def test_postgresql_refuses_to_truncate_the_log(app, cast):
    cast.start()
    stored = dump(app)
    for statement in ("TRUNCATE events", "TRUNCATE games CASCADE"):
        with pytest.raises(DBAPIError, match="append-only"):
            execute(app, statement)
    assert dump(app) == stored


@sqlite_only
def test_sqlite_refuses_to_replace_an_event(app, cast):
    """REPLACE deletes too, and does not always fire the triggers for DELETE."""
    cast.start()
    stored = dump(app)
    for kind in ("INSERT OR REPLACE", "REPLACE"):
        with pytest.raises(DBAPIError, match="append-only"):
            execute(app, f"{kind} INTO events SELECT {CHANGED_BODY} FROM events")
    assert dump(app) == stored


def test_only_the_events_of_a_game_that_is_being_erased_can_be_deleted(app, cast):
    ours, other = cast.start(), cast.start()
    execute(app, "UPDATE games SET erasing = true WHERE id = :id", id=ours)
    execute(app, f"DELETE FROM events WHERE game_key = ({KEY})", id=ours)
    assert execute(app, f"SELECT * FROM events WHERE game_key = ({KEY})", id=ours) == []
    assert execute(app, f"SELECT * FROM events WHERE game_key = ({KEY})", id=other)
    with pytest.raises(DBAPIError, match="append-only"):
        execute(app, f"DELETE FROM events WHERE game_key = ({KEY})", id=other)
    execute(app, "UPDATE games SET erasing = true WHERE id = :id", id=ours)
    with pytest.raises(DBAPIError, match="append-only"):
        execute(app, "UPDATE events SET at = 0 WHERE game_key = 2")


def test_the_database_refuses_a_second_answer_to_a_question(app, cast):
    game_id = cast.start()
    cast.play(game_id, most=1)
    again = "INSERT INTO events SELECT game_key, 99, body, digest, seat, asked, at FROM events"
    with pytest.raises(DBAPIError):
        execute(app, f"{again} WHERE asked IS NOT NULL")
    same_number = again.replace("99", "number")
    with pytest.raises(DBAPIError):
        execute(app, same_number)


def test_the_database_refuses_to_seat_a_player_twice(app, cast):
    cast.open()
    again = (
        "INSERT INTO tenures SELECT 't_other', game_key, player_id, nonce, 9, seat, sat_at, ended_at"
        " FROM tenures"
    )
    with pytest.raises(DBAPIError):
        execute(app, again)
