"""Games that began before an update: they continue after it in the format of their log, and are verified."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from flask_migrate import downgrade, upgrade
from sqlalchemy import JSON, Boolean, MetaData, inspect

from service.core.database.database import db
from service.log.verification.verify_record import verify
from service.operations.stored_data import migrating
from service.operations.worker import half_new_rows
from service.operations.worker.house_players import HousePlayers
from tests.support.cast import BOOMERANG
from tests.support.dump import execute
from tests.support.receiving import Receiver, made
from tests.support.rounds import alone
from tests.support.thinking import in_turn

pytestmark = [pytest.mark.both_databases, pytest.mark.of_service]

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
    assert_played_in_the_new_format(cast, game_id)


def assert_played_in_the_new_format(cast, game_id):
    """An open table is played at to the end."""
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


@pytest.mark.own_database
@pytest.mark.parametrize("was_open", [False, True])
def test_a_game_that_an_old_process_starts_after_the_update_is_played_on(app, cast, was_open):
    """This holds whether or not its table had been opened by then: the row has the format of the tables, not that of
    its log.
    """
    people = {person.name.lower(): person.id for person in cast.seated}
    with app.app_context():
        insert_stored_game(people)
    execute(
        app, "UPDATE games SET log_format = 3" if was_open else "UPDATE games SET log_format = 2"
    )
    brought = cast.alice.game(GAME)["nonces"]
    assert [each["nonce"] for each in brought] == ["ab" * 8, "ef" * 32]
    for path in (f"/api/games/{GAME}/events", "/api/games", "/api/me/turns", f"/games/{GAME}"):
        assert cast.alice.send("GET", path).status_code == 200, path
    cast.play(GAME, most=2)
    with app.app_context():
        assert half_new_rows.repair() == 1
        assert half_new_rows.repair() == 0
    assert [tuple(row) for row in execute(app, "SELECT log_format FROM games")] == [(2,)]
    assert cast.alice.game(GAME)["nonces"] == brought
    cast.play(GAME)
    record = verify(cast.alice.send("GET", f"/api/games/{GAME}/record").get_data())
    assert (record["format"], record["events"][0]["format"]) == ("tegami-record/1", 2)


def test_a_table_that_an_old_process_opens_after_the_update_begins_in_the_new_format(app, cast):
    games = [cast.open(nonce="ab" * 8), cast.open(nonce="cd" * 8)]
    as_opened = "UPDATE games SET log_format = 2"
    execute(app, as_opened)
    for game_id in games:
        if game_id == games[1]:
            with app.app_context():
                assert half_new_rows.repair() == 1
                assert half_new_rows.repair() == 0
        assert_played_in_the_new_format(cast, game_id)


def test_house_players_whom_an_old_process_seats_play_and_are_named(app, cast):
    shown = alone(cast, BOOMERANG)
    game_id = shown["id"]
    execute(app, "UPDATE tenures SET house_name = NULL, house_level = NULL, house_version = NULL")
    shown = cast.alice.game(game_id)
    assert [each["house"] for each in shown["seats"]].count(True) == 2
    for path in (f"/games/{game_id}", f"/plain/games/{game_id}", "/api/games", "/api/me/turns"):
        assert cast.alice.send("GET", path).status_code == 200, path
    if shown["legal"]:
        cast.alice.answer(shown)
    house = HousePlayers(app.extensions["tegami"], random.Random(5), in_turn())
    with app.app_context():
        assert house.move_all() > 0
        assert half_new_rows.repair() == 2
        assert half_new_rows.repair() == 0
    programs = [each["program"] for each in cast.alice.game(game_id)["seats"] if each["house"]]
    assert [(each["level"], each["version"]) for each in programs] == [("normal", "0")] * 2
    assert len({each["name"] for each in cast.alice.game(game_id)["seats"]}) == 3


def test_a_webhook_that_an_old_process_makes_is_sent_what_is_due(app, cast):
    webhooks = [made(cast.alice), made(cast.bob)]
    execute(app, "UPDATE receivers SET host = NULL")
    execute(app, "UPDATE listeners SET spread = NULL")
    with app.app_context():
        assert half_new_rows.repair() == 2
    execute(app, "UPDATE receivers SET host = NULL")
    receiver = Receiver(app)
    cast.start(BOOMERANG)
    assert {each["data"]["webhook"] for each in receiver.fetch()} == {
        each["id"] for each in webhooks
    }
    with app.app_context():
        assert half_new_rows.repair() == 2
        assert half_new_rows.repair() == 0
    hosts = {tuple(each) for each in execute(app, "SELECT host FROM receivers")}
    assert hosts == {("bot.example:443",)}


def test_a_token_that_an_old_process_makes_can_do_what_it_could_then(app, cast):
    names = [cast.alice.name, cast.bob.name]
    execute(app, "UPDATE credentials SET scopes = NULL")
    cast.bob.refused("GET", "/api/me", "missing-scope")
    with app.app_context():
        assert half_new_rows.repair() == 1
    seen = [person.get("/api/me")["player"]["name"] for person in (cast.alice, cast.bob)]
    assert seen == names, "a cookie needs no scopes"
