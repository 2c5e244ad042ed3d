"""A release only adds to the tables what the previous one can do without: both run side by side for a while."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from service.core.database.database import db
from service.core.database.schema import OURS
from service.core.database.tables import Base
from service.core.models import LEFT_OVER
from tests.release_tables import released
from tests.support.cast import postgresql_only
from tests.support.narrowed_tables import narrowed

pytestmark = pytest.mark.both_databases

ANYWHERE = {
    "ALTER TABLE players DROP COLUMN quiet": ["players.quiet is gone"],
    "ALTER TABLE players RENAME COLUMN quiet TO quiet_hours": ["players.quiet is gone"],
    "DROP TABLE kept_answers": ["kept_answers is gone"],
    "CREATE UNIQUE INDEX names ON players (name)": ["players has to be unique by name"],
    "CREATE TABLE stars (player_id varchar(26) REFERENCES players (id))": [
        "stars keeps players from being deleted"
    ],
}
ON_POSTGRESQL = {
    "ALTER TABLE players ALTER quiet SET NOT NULL": ["players.quiet has to have a value"],
    "ALTER TABLE players ALTER quiet TYPE varchar(5)": [
        "players.quiet was VARCHAR(11) and is VARCHAR(5)"
    ],
    "ALTER TABLE games ALTER started_at TYPE integer": [
        "games.started_at was BIGINT and is INTEGER"
    ],
    "ALTER TABLE games ADD colour integer NOT NULL": ["games.colour is new and needs a value"],
    "ALTER TABLE games ALTER log_format DROP DEFAULT": ["games.log_format has no default any more"],
    "ALTER TABLE games ADD CHECK (players > 1)": ["games has a condition: players > 1"],
    "ALTER TABLE games ADD FOREIGN KEY (rematch_of) REFERENCES games (key)": [
        "games.rematch_of has to refer to games"
    ],
}
HARMLESS = (
    "ALTER TABLE players ADD COLUMN colour varchar(9)",
    "ALTER TABLE players ADD COLUMN colour integer NOT NULL DEFAULT 0",
    "CREATE TABLE stars (player_id varchar(26) REFERENCES players (id) ON DELETE CASCADE)",
    "CREATE INDEX names ON players (name)",
)


def found_after(app, statement=None):
    """What the previous release misses after a statement, which is not committed."""
    with app.app_context(), db.engine.connect() as connection:
        if statement:
            connection.execute(text(statement))
        return narrowed(connection, released()["tables"])


def test_the_migrations_since_the_last_release_only_add(app):
    assert released()["migration"] in OURS.known
    assert found_after(app) == []


@pytest.mark.parametrize("statement", ANYWHERE)
def test_what_the_last_release_misses_is_found(app, statement):
    assert found_after(app, statement) == ANYWHERE[statement]


@postgresql_only
@pytest.mark.parametrize("statement", ON_POSTGRESQL)
def test_what_the_last_release_can_no_longer_write_is_found(app, statement):
    assert found_after(app, statement) == ON_POSTGRESQL[statement]


@postgresql_only
@pytest.mark.parametrize("statement", HARMLESS)
def test_what_is_added_does_no_harm(app, statement):
    assert found_after(app, statement) == []


def test_what_is_left_over_is_in_no_model():
    used = {*Base.metadata.tables}
    for name, table in Base.metadata.tables.items():
        used |= {f"{name}.{column.name}" for column in table.columns}
    assert not LEFT_OVER & used
