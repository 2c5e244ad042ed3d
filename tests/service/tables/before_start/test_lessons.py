"""Lessons over the API: begun, played by their script or otherwise, left, and in nobody's lists."""

from __future__ import annotations

import html
import json
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask_migrate import downgrade, upgrade

import rules
from rules.players.search import Effort
from service.core.runtime.units import DAY
from service.log.table_rows.private_tables import table_key
from service.log.table_rows.table import find
from service.log.verification.check_game import check_game
from service.log.verification.log_checks import all_games
from service.operations.stored_data import migrating
from service.operations.thinking.agents import Agents
from service.operations.worker.daily_purge import purge
from service.operations.worker.house_players import HousePlayers
from service.tables.before_start import lessons
from service.tables.before_start.lessons import AT_ONCE
from tests.support.cast import BOOMERANG, CARAVAN, Person, sqlite_only
from tests.support.dump import dump, execute
from tests.support.form_reader import FormReader
from tests.support.post_office import Office
from tests.support.thinking import Fixed, InTurn, in_turn

Json = dict[str, Any]

LESSONS = f"/api/rulesets/{BOOMERANG}/lessons"
SCRIPT = rules.lesson(BOOMERANG)
assert SCRIPT is not None
STEPS = len(SCRIPT.steps)


@pytest.fixture
def lesson(cast) -> Json:
    """A lesson that alice has just begun."""
    return cast.alice.post(LESSONS, {})


def tried(person: Person, game: Json) -> Json:
    """The game after the learner has tried what the lesson says."""
    return person.answer(game, game["lesson"]["action"])["game"]


def otherwise(game: Json) -> Json:
    """A legal action that the lesson does not say."""
    return next(
        each["action"] for each in game["legal"] if each["action"] != game["lesson"]["action"]
    )


def left(app) -> int:
    """The number of rows of games, tenures, seats and events."""
    tables = ("games", "tenures", "seats", "events", "time_entries", "messages")
    return sum(execute(app, f"SELECT count(*) AS n FROM {each}")[0].n for each in tables)


def test_a_lesson_says_what_to_try(cast, lesson):
    assert lesson["status"] == "running" and lesson["seat"] == 0
    told = lesson["lesson"]
    assert (told["stage"], told["step"], told["steps"]) == ("trying", 1, STEPS)
    assert told["action"] in [each["action"] for each in lesson["legal"]]
    assert told["words"] and told["said"] is None
    after = tried(cast.alice, lesson)
    assert after["lesson"]["step"] == 2 and after["lesson"]["said"]
    assert [each["seat"] for each in after["waiting"]] == [0], "nobody else is waited for"
    assert not after["seats"][0]["nonce_missing"]


@pytest.mark.both_databases
def test_a_lesson_can_be_begun_at_each_step_and_played_to_its_end(app, cast):
    for step in (STEPS + 7, STEPS, 2):
        game = cast.alice.post(LESSONS, {"step": step})
        assert game["lesson"]["step"] == min(step, STEPS)
    while game["lesson"]["stage"] == "trying":
        game = tried(cast.alice, game)
    assert game["lesson"]["stage"] == "finished" and game["lesson"]["action"] is None
    with app.app_context():
        assert check_game(game["id"]) is None


def test_the_deal_is_the_same_each_time(cast, lesson):
    other = cast.bob.post(LESSONS, {})
    assert lesson["commitment"] == other["commitment"]
    for begun, person in ((lesson, cast.alice), (other, cast.bob)):
        game = begun
        for _ in range(STEPS - 1):
            game = tried(person, game)
        assert game["lesson"]["stage"] == "trying"
    tables = [
        person.game(game["id"])["view"]
        for person, game in ((cast.alice, lesson), (cast.bob, other))
    ]
    assert tables[0]["zones"] == tables[1]["zones"]


def test_other_games_have_seeds_of_their_own(app, cast, lesson):
    games = [cast.alice.game(cast.start())["commitment"] for _ in range(2)]
    assert len({*games, lesson["commitment"]}) == 3


def test_whoever_moves_otherwise_plays_on_against_house_players(app, cast, lesson):
    game = cast.alice.answer(lesson, otherwise(lesson))["game"]
    told = game["lesson"]
    assert (told["stage"], told["step"], told["action"]) == ("left", 1, None)
    players = HousePlayers(app.extensions["tegami"], random.Random(3), in_turn())
    with app.app_context():
        while cast.alice.game(lesson["id"])["waiting"][0]["seat"] != 0:
            players.move_all()
    assert cast.alice.game(lesson["id"])["lesson"] == told
    again = cast.alice.post(LESSONS, {"step": told["step"]})
    assert again["lesson"]["stage"] == "trying"


def test_a_lesson_that_ends_while_a_house_player_thinks_is_no_failure(app, cast, lesson):
    """A thought is played in the round after the one in which it was asked for."""
    cast.alice.answer(lesson, otherwise(lesson))

    class Leaving(InTurn):
        def give(self, question):
            super().give(question)
            cast.alice.delete(f"/api/games/{lesson['id']}/lesson")

    thinking = Leaving(Agents(Fixed(Effort(1)), random.Random))
    players = HousePlayers(app.extensions["tegami"], random.Random(3), thinking)
    with app.app_context():
        assert players.move_all() == 0
        assert not players._games.waiting()


def test_another_lesson_of_the_same_ruleset_ends_the_first(app, cast, lesson):
    cast.alice.post(LESSONS, {})
    cast.alice.refused("GET", f"/api/games/{lesson['id']}", "not-found")
    assert execute(app, "SELECT count(*) AS n FROM games")[0].n == 1


@pytest.mark.both_databases
def test_of_lessons_that_begin_at_once_one_is_left(app, cast):
    twins = [Person(app) for _ in range(3)]
    for twin in twins:
        twin.headers = cast.bob.headers
    with ThreadPoolExecutor(len(twins)) as threads:
        begun = [*threads.map(lambda twin: twin.send("POST", LESSONS, json={}), twins)]
    assert {each.status_code for each in begun} == {201}
    assert execute(app, "SELECT count(*) AS n FROM games")[0].n == 1


def test_a_lesson_is_its_learners_alone(app, cast, config, lesson):
    at = f"/api/games/{lesson['id']}"
    cast.alice.refused("GET", f"{at}/invitation.svg", "not-found")
    cast.alice.refused("POST", f"{at}/invitation-key", "not-possible")
    with app.app_context():
        key = table_key(find(lesson["id"]).game, config.secret_key)
    for person in (cast.nobody, cast.mallory):
        person.refused("GET", at, "not-found", headers={"Invitation": key})


@pytest.mark.own_database
@pytest.mark.both_databases
def test_the_release_before_finds_no_lesson(app, cast, lesson):
    """The earlier release would list them."""
    migrating.set_up(app)
    ordinary = cast.start(CARAVAN)
    tried(cast.alice, lesson)
    with app.app_context():
        downgrade(revision="0025")
    assert [row.id for row in execute(app, "SELECT id FROM games")] == [ordinary]
    with app.app_context():
        upgrade()


@pytest.mark.both_databases
def test_a_lesson_that_is_left_is_gone(app, cast):
    before = left(app)
    game = tried(cast.alice, cast.alice.post(LESSONS, {}))
    cast.alice.post(f"/api/games/{game['id']}/messages", {"channel": "seats", "text": "Hm."})
    cast.alice.delete(f"/api/games/{game['id']}/lesson")
    cast.alice.refused("GET", f"/api/games/{game['id']}", "not-found")
    assert left(app) == before


def test_only_ones_own_lesson_can_be_left(app, cast, lesson):
    ordinary = cast.start(CARAVAN)
    before = dump(app)
    cast.alice.refused("DELETE", f"/api/games/{ordinary}/lesson", "not-found")
    cast.mallory.refused("DELETE", f"/api/games/{lesson['id']}/lesson", "not-found")
    cast.mallory.refused("GET", f"/api/games/{lesson['id']}", "not-found")
    after = dump(app)
    assert [after[name] for name in ("games", "events")] == [
        before[name] for name in ("games", "events")
    ]


@pytest.mark.both_databases
def test_lessons_are_deleted_after_three_days(app, cast, clock):
    ordinary = cast.start(CARAVAN)
    game = cast.alice.post(LESSONS, {})
    clock.forward(3 * DAY)
    with app.app_context():
        assert purge(clock())["lessons"] == 0
        clock.forward(1)
        assert purge(clock())["lessons"] == 1
    cast.alice.refused("GET", f"/api/games/{game['id']}", "not-found")
    assert cast.alice.game(ordinary)["status"] == "running"


@sqlite_only
@pytest.mark.own_database
def test_whoever_leaves_the_service_leaves_no_lesson_behind(app, cast, lesson):
    """This holds for any number of them: a player can begin sixty in an hour."""
    (mine,) = execute(app, "SELECT * FROM tenures WHERE player_id = :me", me=cast.alice.id)
    columns = {"games": execute(app, "SELECT * FROM games")[0]._fields, "tenures": mine._fields}
    same = {name: ", ".join({*each} - {"key", "id", "game_key"}) for name, each in columns.items()}
    execute(
        app,
        f"INSERT INTO games (id, {same['games']}) SELECT value, {same['games']}"
        " FROM games, json_each(:ids)",
        ids=json.dumps([f"g_{n}" for n in range(AT_ONCE + 5)]),
    )
    execute(
        app,
        f"INSERT INTO tenures (id, game_key, {same['tenures']})"
        f" SELECT 't_' || key, key, {same['tenures']} FROM tenures,"
        " (SELECT key FROM games) WHERE player_id = :me AND key <> game_key",
        me=cast.alice.id,
    )
    with app.app_context():
        lessons.erase(cast.alice.id)
    assert execute(app, "SELECT id FROM games") == []


def test_a_lesson_is_in_no_list(app, cast, lesson):
    for path in ("/api/games", "/api/games?mine=true", "/api/games?status=running&mine=true"):
        assert cast.alice.get(path)["games"] == []
    assert cast.alice.get("/api/me/turns")["turns"] == []
    over = cast.alice.post(LESSONS, {"step": STEPS})
    over = tried(cast.alice, over)
    assert over["status"] == "over"
    for path in ("/api/games?status=over", "/api/games?status=over&mine=true"):
        assert cast.alice.get(path)["games"] == []
    assert not cast.alice.send("GET", "/api/records?mine=true").get_data()
    with app.app_context():
        assert not list(all_games())  # those that are checked at night


def test_a_lesson_is_said_and_gone_on_with_without_scripts(cast, lesson):
    """Only the player who has begun it can do so; once it is left, nobody finds it any more."""
    told, where = lesson["lesson"], f"/plain/games/{lesson['id']}"
    page = cast.alice.send("GET", where).get_data(as_text=True)
    assert html.escape(told["words"], quote=False).replace("'", "&#39;") in page
    assert f"Step 1 of {STEPS}" in page and "Leave the lesson" in page and "Resign" not in page
    assert f'href="{where}"' in cast.alice.send("GET", "/plain").get_data(as_text=True)
    assert f'href="{where}"' not in cast.bob.send("GET", "/plain").get_data(as_text=True)
    reader = FormReader(cast.alice.http.application)
    reader.http = cast.alice.http
    reader.open(where)
    reader.send("Leave the lesson")
    assert f'href="{where}"' not in cast.alice.send("GET", "/plain").get_data(as_text=True)


def test_nobody_is_told_of_a_lesson(app, cast):
    office = Office(app)
    office.address(cast.alice)
    cast.alice.get("/api/me/changes")
    game = cast.alice.post(LESSONS, {"step": STEPS - 1})
    for _ in range(2):
        game = tried(cast.alice, game)
    assert game["status"] == "over"
    cast.alice.send("PATCH", "/api/me", json={"name": "Alicia"})
    assert office.deliver() == []
    assert execute(app, "SELECT count(*) AS n FROM changes")[0].n == 0


def test_a_lesson_has_no_record(cast):
    over = tried(cast.alice, cast.alice.post(LESSONS, {"step": STEPS}))
    cast.alice.refused("GET", f"/api/games/{over['id']}/record", "not-found")
    assert cast.alice.get(f"/api/games/{over['id']}/deals")


def test_at_a_lesson_there_is_nobody_to_agree_with(app, cast, lesson):
    before = dump(app)
    at = f"/api/games/{lesson['id']}"
    over = {"kind": "close", "outcome": "draw"}
    cast.alice.refused("POST", f"{at}/proposals", "not-possible", over)
    cast.alice.refused("POST", f"{at}/resignation", "not-possible", {})
    assert dump(app) == before
    assert lesson["invitation"] is None


def test_a_lesson_is_ones_own_to_export_and_erase(app, cast, lesson):
    games = cast.alice.get("/api/me/export")["games"]
    assert [each["id"] for each in games] == [lesson["id"]]
    cast.alice.post("/api/me/erasure", {}, 204)
    assert execute(app, "SELECT count(*) AS n FROM games")[0].n == 0


def test_a_visitor_becomes_a_guest_first(cast):
    cast.nobody.refused("POST", LESSONS, "not-signed-in", {})
    cast.alice.refused("POST", LESSONS, "invalid-body", {"step": 0})
