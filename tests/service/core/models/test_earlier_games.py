"""Games that began before an update: played on after it in the format of their log, and verified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask_migrate import downgrade, upgrade
from sqlalchemy import JSON, Boolean, MetaData, inspect

from service.core.database.database import db
from service.log.verification.verify_record import verify
from service.operations.commands import migrating
from tests.support.dump import execute

pytestmark = pytest.mark.both_databases

STORED = json.loads(Path(__file__).with_name("earlier_game.json").read_text(encoding="utf-8"))
"""The rows of a game of Boomerang Auction after its first deal, whose log has format 2."""
GAME = STORED["games"][0]["id"]


def insert_stored_game(people):
    """Store the game as revision 0005 had it, with these players."""
    with db.engine.begin() as connection:
        known = MetaData()
        known.reflect(connection)
        for name in ("games", "tenures", "seats", "events"):
            table = known.tables[name]
            values = [
                {key: _value(value, table.c[key].type, people) for key, value in row.items()}
                for row in STORED[name]
            ]
            connection.execute(table.insert(), values)


def _value(value, kind, people):
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    if isinstance(kind, JSON) and value is not None:
        return json.loads(value)
    if isinstance(kind, Boolean):
        return bool(value)
    return people.get(value, value)


@pytest.mark.own_database
def test_a_running_game_of_format_2_is_played_on_and_verified(app, cast):
    people = {person.name.lower(): person.id for person in cast.seated}
    migrating.set_up(app)
    with app.app_context():
        downgrade(revision="0005")
        insert_stored_game(people)
        upgrade()
    before = cast.alice.game(GAME)
    sat = [tenure["id"] for tenure in STORED["tenures"] if tenure["began"]]
    assert before["nonces"] == [
        {"tenure": sat[0], "nonce": "ab" * 8},
        {"tenure": sat[1], "nonce": "ef" * 32},
    ]
    cast.play(GAME)
    record = cast.alice.send("GET", f"/api/games/{GAME}/record").get_data()
    told = verify(record)
    events = told["events"]
    assert told["format"] == "tegami-record/1" and len(told["times"]) == len(events)
    assert events[0]["format"] == 2 and not any("at" in event for event in events)
    assert sum(event["kind"] == "chance" for event in events) == 2, "one before, one after"
    numbers = execute(app, "SELECT shuffles, log_format FROM games")
    assert [tuple(row) for row in numbers] == [(1, 2)]


@pytest.mark.own_database
def test_an_open_table_begins_in_the_new_format(app, cast):
    game_id = cast.open(nonce="ab" * 8)
    migrating.set_up(app)
    with app.app_context():
        downgrade(revision="0005")
        assert "log_format" not in {
            each["name"] for each in inspect(db.engine).get_columns("games")
        }
        upgrade()
    for person in cast.seated[1:]:
        person.post(f"/api/games/{game_id}/seats", {})
    cast.alice.post(f"/api/games/{game_id}/start", status=200)
    cast.play(game_id)
    record = verify(cast.alice.send("GET", f"/api/games/{game_id}/record").get_data())
    assert (record["format"], record["events"][0]["format"]) == ("tegami-record/2", 3)


@pytest.mark.own_database
def test_house_players_who_sat_down_before_there_were_levels_play_normal(app, cast):
    game_id = cast.start(house=1, level="strong")
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    migrating.set_up(app)
    with app.app_context():
        downgrade(revision="0007")
        upgrade()
    game = cast.bob.game(game_id)
    shown = [each["program"] for each in game["seats"] if each["house"]]
    assert [(each["level"], each["version"]) for each in shown] == [("normal", "0")] * 2
    assert game["level"] == "normal"
    assert len({each["name"] for each in game["seats"]}) == 3
    assert [each["program"] is None for each in game["seats"]] == [False, False, True]
