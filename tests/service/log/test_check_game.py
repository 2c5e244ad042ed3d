"""The check of games in the database: every change is found, and nothing in games that are whole."""

from __future__ import annotations

import json
import random

import pytest

import rules
from rules.kernel import text
from service.core.runtime.units import MINUTE
from service.log.verification.check_game import check_game
from tests.support.cast import CARAVAN, sqlite_only
from tests.support.clock import Hours
from tests.support.damaging import KEY, body_of, damage, forge, set_body
from tests.support.dump import execute

pytestmark = pytest.mark.own_database


@pytest.fixture
def check(app):
    """The damage of a game."""

    def look(game_id):
        with app.app_context():
            found = check_game(game_id)
            return found and found.what

    return look


@pytest.mark.parametrize("slug", rules.slugs())
@sqlite_only
def test_nothing_is_wrong_with_a_game_of_any_kind(cast, check, slug):
    assert check(cast.open(slug)) is None
    house = rules.load(slug).players[0] - 1
    wish = {"ruleset": slug, "house": house, "start": "full", "nonce": None}
    assert check(cast.alice.post("/api/games", {**wish, "players": house + 1})["id"]) is None


@sqlite_only
def test_a_game_that_began_before_its_version_had_an_option_has_the_default(app, cast, check):
    game = cast.start("yours-truly-bozu-mekuri", options={"sets": "other-suits"})
    assert cast.alice.game(game)["options"] == {"sets": "other-suits"}
    game = cast.start("yours-truly-bozu-mekuri")
    forge(app, game, 1, {"options": {}})
    damage(app, "UPDATE games SET options = '{}' WHERE id = :game", game=game)
    assert check(game) is None
    assert cast.alice.game(game)["options"] == {"sets": "all"}
    forge(app, game, 1, {"options": {"sets": "none"}})
    assert check(game) is not None


@pytest.mark.both_databases
def test_nothing_is_wrong_with_games_whatever_has_happened_in_them(app, cast, check, clock):
    """Over, resigned, timed out and taken over, paused, given more time."""
    over = cast.start()
    cast.play(over)
    assert check(over) is None
    resigned = cast.start(CARAVAN)
    cast.bob.post(f"/api/games/{resigned}/resignation", status=200)
    assert cast.alice.game(resigned)["status"] == "over" and check(resigned) is None
    left = cast.start()
    cast.carol.post(f"/api/games/{left}/resignation", status=200)
    assert check(left) is None
    late = cast.start(pace={"kind": "decision", "seconds": 60})
    paused = cast.start()
    for person in cast.seated:
        person.send("POST", f"/api/games/{paused}/proposals", json={"kind": "pause", "days": 3})
    hours = Hours(app, clock)
    for _ in range(4):
        hours.later(2 * MINUTE)
    for game_id in (late, paused, left):
        assert check(game_id) is None


@pytest.fixture
def game_id(cast):
    """A game with a few moves."""
    game_id = cast.start(CARAVAN)
    cast.play(game_id, random.Random(3).choice, most=6)
    return game_id


EVENT = f"WHERE game_key = {KEY} AND number"
STATEMENTS = {
    f"DELETE FROM events {EVENT} = 4": "event 4 is missing",
    f"DELETE FROM events {EVENT} >= 6": "event 6 is missing",
    f"UPDATE events SET digest = (SELECT seed FROM games WHERE id = :game) {EVENT} = 4": "event 4 is not the one",
    f"UPDATE events SET at = at - 7200000 {EVENT} = 5": "the time of event 5",
    f"UPDATE events SET seat = NULL {EVENT} = 4": "the seat of event 4",
    "UPDATE games SET head = seed WHERE id = :game": "the head",
    "UPDATE games SET number = number - 1 WHERE id = :game": "is not known to the game",
    "UPDATE games SET logged_at = logged_at + 1 WHERE id = :game": "the time of the last event",
    "UPDATE games SET status = 'over' WHERE id = :game": "whether it is over",
    "UPDATE games SET status = 'open', number = 0, head = NULL WHERE id = :game": "has not begun",
    "UPDATE games SET seed = head WHERE id = :game": "the seed is not the committed one",
    "UPDATE games SET shuffles = shuffles + 1 WHERE id = :game": "the number of shuffles",
    f"UPDATE seats SET waiting = NOT waiting WHERE game_key = {KEY} AND seat = 1": "whether seat 1 is asked",
    f"UPDATE seats SET asked = 900 WHERE game_key = {KEY} AND seat = 1": "what seat 1 is asked",
    f"UPDATE seats SET house = NOT house WHERE game_key = {KEY} AND seat = 0": "who holds seat 0",
}


@pytest.mark.both_databases
def test_each_row_that_was_changed_is_found(app, cast, check, game_id):
    """They are changed one after the other, each restored before the next: the findings name no card."""
    assert check(game_id) is None
    for statement, what in STATEMENTS.items():
        rows = kept(app)
        damage(app, statement, game=game_id)
        assert what in (check(game_id) or "nothing is found"), statement
        put_back(app, rows)
        assert check(game_id) is None, statement


TABLES = {
    "events": ("game_key", "number", "body", "digest", "seat", "asked", "at"),
    "games": ("key", "number", "head", "logged_at", "status", "seed", "shuffles", "result"),
    "seats": ("game_key", "seat", "waiting", "asked", "house"),
}
"""By table, the columns that are restored; the first of them, or the first two for events and seats, are the key."""


def kept(app):
    """The rows of these tables."""
    return {
        table: [row._asdict() for row in execute(app, f"SELECT {', '.join(columns)} FROM {table}")]
        for table, columns in TABLES.items()
    }


def put_back(app, rows):
    """Restore all changed rows."""
    damage(app, "DELETE FROM events")
    for row in rows["events"]:
        names = ", ".join(f":{name}" for name in TABLES["events"])
        damage(app, f"INSERT INTO events ({', '.join(TABLES['events'])}) VALUES ({names})", **row)
    for table, keys in (("games", ("key",)), ("seats", ("game_key", "seat"))):
        for row in rows[table]:
            changed = ", ".join(f"{name} = :{name}" for name in TABLES[table] if name not in keys)
            which = " AND ".join(f"{name} = :{name}" for name in keys)
            damage(app, f"UPDATE {table} SET {changed} WHERE {which}", **row)


@sqlite_only
def test_each_event_that_was_changed_is_found(app, check, game_id):
    for change, what in (
        (lambda body: body[:-9], "event 4 is not the one that was logged"),
        (lambda body: body.replace("salt", "tlas"), "event 4 is not the one that was logged"),
        (lambda body: "[]", "event 4 is not the one that was logged"),
    ):
        before = body_of(app, game_id, 4)
        set_body(app, game_id, 4, change(before))
        assert what in check(game_id)
        set_body(app, game_id, 4, before)
    assert check(game_id) is None


@sqlite_only
def test_an_event_whose_chain_was_made_anew_is_found_by_what_it_leads_to(app, check, game_id):
    """All digests were made to fit again, including the head."""
    shuffle = json.loads(body_of(app, game_id, 2))
    fallen = shuffle["outcome"]
    forge(app, game_id, 2, {"outcome": fallen[::-1]})
    assert check(game_id) == "the shuffle of event 2"
    forge(app, game_id, 2, {"outcome": fallen})
    assert check(game_id) is None
    action = json.loads(body_of(app, game_id, 5))
    assert action["kind"] == "action"
    for changed in (
        {"seat": 1 - action["seat"]},
        {"action": {"type": "sell", "card": "nonsense"}},
        {"by": "house"},
        {"kind": "pause"},
        {"number": 6},
    ):
        forge(app, game_id, 5, changed)
        found = check(game_id)
        assert found, changed
        assert "nonsense" not in found and text(fallen)[1:5] not in found
        forge(app, game_id, 5, {name: action[name] for name in changed})
        assert check(game_id) is None


@sqlite_only
def test_a_result_that_was_changed_is_found(app, cast, check):
    game_id = cast.start()
    cast.play(game_id)
    damage(
        app,
        "UPDATE games SET result = replace(result, 'winners', 'losers') WHERE id = :game",
        game=game_id,
    )
    assert check(game_id) == "the result"


@sqlite_only
def test_a_game_of_a_newer_version_is_left_to_the_release_that_knows_it(app, check, game_id):
    """During an update, one of the servers has the older code. A row that does not fit its log is still damaged."""
    damage(app, "UPDATE games SET version = 99 WHERE id = :game", game=game_id)
    assert check(game_id) == "the version of the rules"
    forge(app, game_id, 1, {"version": 99})
    assert check(game_id) is None


@sqlite_only
def test_a_game_that_is_gone_is_not_damaged(check):
    assert check("g_0000000000000000000000") is None
