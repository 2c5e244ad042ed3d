"""The pace of a table, its deadlines, and the reasons for them."""

from __future__ import annotations

import pytest

from service.core.database.database import transaction
from service.tables.clocks import seat_clocks
from tests.support.cast import BOOMERANG, CARAVAN, START, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, due, hours, reasons
from tests.support.dump import dump, execute

__all__ = ["hours"]

DECISION = {"kind": "decision", "seconds": 3600}
RESERVE = {"kind": "reserve", "reserve": 36_000, "increment": 3600, "cap": 40_000}


@pytest.mark.parametrize("preset", ["none", "quick", "daily", "steady", "relaxed", "weekly"])
@sqlite_only
def test_a_pace_can_be_chosen_by_name(cast, preset):
    pace = cast.alice.game(cast.open(pace=preset))["pace"]
    named = {each["preset"]: each for each in cast.nobody.get("/api/paces")["paces"]}
    assert pace == named[preset]
    assert pace["words"] and pace["detail"]


@sqlite_only
def test_a_pace_can_be_given_in_seconds(cast):
    pace = cast.alice.game(cast.open(pace=DECISION))["pace"]
    assert pace == {
        "preset": None,
        **DECISION,
        "words": "1 hour for each decision.",
        "detail": "1 hour for each decision.",
    }
    pace = cast.alice.game(cast.open(pace=RESERVE))["pace"]
    assert pace | RESERVE == pace
    low = cast.alice.game(cast.open(pace={**RESERVE, "cap": 1}))["pace"]
    assert low["cap"] == low["reserve"] == 36_000


@sqlite_only
def test_without_a_pace_there_is_no_clock(app, cast, hours):
    game_id = cast.start()
    game = cast.alice.game(game_id)
    assert game["pace"]["preset"] == "none"
    assert game["waiting"][0]["due"] is None
    assert reasons(cast.alice, game_id) == []
    stored = times(app)
    hours.later(400 * DAY)
    assert times(app) == stored


@pytest.mark.parametrize(
    "pace",
    [
        "sometimes",
        7,
        None,
        [],
        {},
        {"kind": "decision"},
        {"kind": "decision", "seconds": 0},
        {"kind": "decision", "seconds": 10**9},
        {"kind": "decision", "seconds": 60, "cap": 60},
        {"kind": "reserve", "reserve": 60},
        {"kind": ["reserve"], "seconds": 60},
    ],
)
@sqlite_only
def test_malformed_paces_are_refused(cast, pace):
    wish = {"ruleset": BOOMERANG, "pace": pace}
    cast.alice.refused("POST", "/api/games", "invalid-body", wish)


def test_each_decision_has_its_own_time(cast, clock):
    game_id = cast.start(pace=DECISION)
    assert due(cast.mallory, game_id) == "2026-11-21T11:00:00.000Z"
    clock.forward(20 * MINUTE)
    cast.alice.answer(cast.alice.game(game_id))
    assert due(cast.mallory, game_id) == "2026-11-21T11:20:00.000Z"
    assert reasons(cast.nobody, game_id) == ["asked", "answered", "asked"]


def test_a_reserve_is_spent_and_refilled(cast, clock):
    game_id = cast.start(pace=RESERVE)
    assert due(cast.alice, game_id) == "2026-11-21T20:00:00.000Z"
    clock.forward(2 * HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    game = cast.bob.game(game_id)
    assert [seat["reserve"] for seat in game["seats"]] == [32_400, 36_000, 36_000]
    assert game["waiting"][0]["due"] == "2026-11-21T22:00:00.000Z"
    entries = cast.bob.get(f"/api/games/{game_id}/clock?seat=0")["entries"]
    assert [(entry["kind"], entry["seconds"]) for entry in entries] == [
        ("answered", 7200),
        ("asked", 36_000),
    ]
    assert entries[0]["words"] == "Alice answered. It took 2 hours."


@pytest.mark.both_databases
def test_time_entries_are_paged(cast):
    game_id = cast.start(pace="daily")
    cast.play(game_id, most=4)
    path = f"/api/games/{game_id}/clock"
    whole = cast.alice.get(path)["entries"]
    assert len(whole) == 9
    found, following = [], ""
    while following is not None:
        part = cast.alice.get(f"{path}?limit=2" + (f"&cursor={following}" if following else ""))
        found += part["entries"]
        following = part["next"]
    assert found == whole


@sqlite_only
def test_time_entries_are_in_the_callers_language(cast):
    game_id = cast.start(pace="daily")
    clock = cast.alice.get(f"/api/games/{game_id}/clock", headers={"Accept-Language": "ja"})
    assert clock["entries"][0]["words"] == "あなたの手番になりました。残り時間は1日です。"
    assert clock["pace"]["words"] == "1日1手"


def test_answers_that_are_not_logged_move_no_deadline(app, cast, clock):
    """Repeated, stale and illegal answers do not, nor does looking."""
    game_id = cast.start(pace=RESERVE)
    game = cast.alice.game(game_id)
    clock.forward(MINUTE)
    cast.alice.answer(game)
    stored = times(app)
    clock.forward(HOUR)
    cast.alice.answer(game, status=200)
    body = {"asked": 1, "action": {"type": "pass"}}
    cast.bob.refused("POST", f"/api/games/{game_id}/actions", "stale", body)
    wrong = {"asked": cast.bob.game(game_id)["asked"], "action": {"type": "fly"}}
    cast.bob.refused("POST", f"/api/games/{game_id}/actions", "illegal-action", wrong)
    assert times(app) == stored


def times(app):
    """Everything in the database about games and their time."""
    found = dump(app)
    return {name: found[name] for name in ("games", "seats", "time_entries", "events")}


def test_seats_that_choose_at_the_same_time_each_have_a_clock(cast, clock):
    game_id = cast.start(CARAVAN, pace=RESERVE)
    assert len(cast.alice.game(game_id)["waiting"]) == 2
    clock.forward(HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    clock.forward(HOUR)
    cast.bob.answer(cast.bob.game(game_id))
    spent = execute(cast.app, "SELECT ms FROM time_entries WHERE kind = 'answered' ORDER BY seat")
    assert [row.ms for row in spent] == [HOUR, 2 * HOUR]


@pytest.mark.both_databases
def test_the_most_urgent_turn_comes_first(cast, clock):
    paces = ["none", "daily", DECISION, "weekly", RESERVE]
    games = []
    for pace in paces:
        games.append(cast.start(pace=pace))
        clock.forward(1000)
    turns = cast.alice.get("/api/me/turns")["turns"]
    assert [turn["game"]["id"] for turn in turns] == [games[n] for n in (2, 4, 1, 3, 0)]
    assert [turn["due"] for turn in turns][-1] is None
    assert turns[0]["due"] == "2026-11-21T11:00:02.000Z"


@pytest.mark.both_databases
def test_an_outage_postpones_every_deadline(cast, clock, hours):
    early, late = cast.start(pace=DECISION), cast.start(pace="daily")
    hours.later(30 * MINUTE)
    tag = cast.alice.send("GET", f"/api/games/{early}").headers["ETag"]
    hours.outage(DAY)
    assert due(cast.alice, early) == "2026-11-22T11:00:00.000Z"
    assert due(cast.alice, late) == "2026-11-23T10:00:00.000Z"
    assert reasons(cast.bob, early) == ["asked", "outage"]
    again = cast.alice.send("GET", f"/api/games/{early}", headers={"If-None-Match": tag})
    assert again.status_code == 200, "a poll shows the change"
    hours.later(31 * MINUTE)
    assert cast.alice.game(early)["waiting"][0]["seat"] == 1, "then time runs out as usual"


def test_a_short_silence_is_not_an_outage(cast, hours):
    game_id = cast.start(pace="daily")
    for _ in range(3):
        hours.outage(5 * MINUTE)
    assert due(cast.alice, game_id) == "2026-11-22T10:00:00.000Z"
    assert reasons(cast.alice, game_id) == ["asked"]


def test_a_seat_asked_during_an_outage_is_credited_only_the_rest_of_it(cast, clock, hours):
    game_id = cast.start(pace=DECISION)
    clock.forward(50 * MINUTE)
    cast.alice.answer(cast.alice.game(game_id))
    hours.outage(10 * MINUTE)
    assert due(cast.alice, game_id) == "2026-11-21T12:00:00.000Z"


def away(app, clock, person, begins, ends):
    with app.app_context(), transaction():
        span = None if begins is None else (START + begins, START + ends)
        seat_clocks.set_vacation(clock(), person.id, span)


def test_a_vacation_only_ever_postpones_deadlines(app, cast, clock):
    game_id = cast.start(pace="daily")
    away(app, clock, cast.alice, 12 * HOUR, 60 * HOUR)
    assert due(cast.bob, game_id) == "2026-11-24T10:00:00.000Z"
    assert reasons(cast.bob, game_id) == ["asked", "vacation"]
    away(app, clock, cast.alice, None, None)
    assert due(cast.bob, game_id) == "2026-11-24T10:00:00.000Z"
    away(app, clock, cast.bob, 2 * HOUR, 10 * HOUR)
    clock.forward(HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    assert due(cast.bob, game_id) == "2026-11-22T19:00:00.000Z", (
        "the vacation was known when the wait began"
    )


@pytest.mark.both_databases
def test_time_is_stored_in_the_commit_of_the_move(app, cast, clock):
    """After each of them, the time of a seat agrees with its entries."""
    game_id = cast.start(CARAVAN, pace=RESERVE)
    for _ in cast.moves(game_id):
        clock.forward(7 * MINUTE)
        seats = execute(app, "SELECT seat, due, reserve, spent FROM seats ORDER BY seat")
        for row in seats:
            mine = "SELECT kind, ms, due, reserve FROM time_entries WHERE seat = :seat ORDER BY key"
            entries = execute(app, mine, seat=row.seat)
            paid = sum(each.ms for each in entries if each.kind in {"answered", "late", "changed"})
            assert row.spent == paid
            last = entries[-1]
            assert (row.due, row.reserve) == (last.due, last.reserve)
