"""A table's pace, until when there is time, and why."""

from __future__ import annotations

import pytest

from service import waits
from service.database import transaction
from tests.service.cast import BOOMERANG, CARAVAN, START, sqlite_only
from tests.service.dump import dump, execute
from tests.service.hours import DAY, HOUR, MINUTE, due, hours, reasons

__all__ = ["hours"]

DECISION = {"kind": "decision", "seconds": 3600}
RESERVE = {"kind": "reserve", "reserve": 36_000, "increment": 3600, "cap": 40_000}


@pytest.mark.parametrize("preset", ["none", "quick", "daily", "steady", "relaxed", "weekly"])
@sqlite_only
def test_a_pace_is_chosen_by_name(cast, preset):
    pace = cast.alice.game(cast.open(pace=preset))["pace"]
    named = {each["preset"]: each for each in cast.nobody.get("/api/paces")["paces"]}
    assert pace == named[preset]
    assert pace["words"] and pace["detail"]


@sqlite_only
def test_a_pace_is_chosen_in_seconds(cast):
    told = cast.alice.game(cast.open(pace=DECISION))["pace"]
    assert told == {
        "preset": None,
        **DECISION,
        "words": "1 hour for each decision.",
        "detail": "1 hour for each decision.",
    }
    told = cast.alice.game(cast.open(pace=RESERVE))["pace"]
    assert told | RESERVE == told
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
def test_what_is_no_pace_is_refused(cast, pace):
    wish = {"ruleset": BOOMERANG, "pace": pace}
    cast.alice.refused("POST", "/api/games", "invalid-body", wish)


def test_each_decision_has_its_time(cast, clock):
    game_id = cast.start(pace=DECISION)
    assert due(cast.mallory, game_id) == "2026-11-21T11:00:00.000Z"
    clock.forward(20 * MINUTE)
    cast.alice.answer(cast.alice.game(game_id))
    assert due(cast.mallory, game_id) == "2026-11-21T11:20:00.000Z"
    assert reasons(cast.nobody, game_id) == ["asked", "answered", "asked"]


def test_a_store_pays_and_grows(cast, clock):
    game_id = cast.start(pace=RESERVE)
    assert due(cast.alice, game_id) == "2026-11-21T20:00:00.000Z"
    clock.forward(2 * HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    game = cast.bob.game(game_id)
    assert [seat["reserve"] for seat in game["seats"]] == [32_400, 36_000, 36_000]
    assert game["waiting"][0]["due"] == "2026-11-21T22:00:00.000Z"
    told = cast.bob.get(f"/api/games/{game_id}/clock?seat=0")["entries"]
    assert [(entry["kind"], entry["seconds"]) for entry in told] == [
        ("answered", 7200),
        ("asked", 36_000),
    ]
    assert told[0]["words"] == "Alice answered. It took 2 hours."


def test_the_reasons_are_told_in_pages(cast):
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
def test_the_reasons_speak_the_callers_language(cast):
    game_id = cast.start(pace="daily")
    told = cast.alice.get(f"/api/games/{game_id}/clock", headers={"Accept-Language": "ja"})
    assert told["entries"][0]["words"] == "Aliceさんの番になりました。残り時間は1日です。"
    assert told["pace"]["words"] == "1日1手"


def test_nothing_moves_a_due_time_but_what_may(app, cast, clock):
    """Not the same answer again, not a stale or a wrong one, not looking."""
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
    """All that the database has of games and their time."""
    found = dump(app)
    return {name: found[name] for name in ("games", "seats", "time_entries", "events")}


def test_seats_that_choose_at_once_have_a_clock_each(cast, clock):
    game_id = cast.start(CARAVAN, pace=RESERVE)
    assert len(cast.alice.game(game_id)["waiting"]) == 2
    clock.forward(HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    clock.forward(HOUR)
    cast.bob.answer(cast.bob.game(game_id))
    spent = execute(cast.app, "SELECT ms FROM time_entries WHERE kind = 'answered' ORDER BY seat")
    assert [row.ms for row in spent] == [HOUR, 2 * HOUR]


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


def test_an_outage_moves_every_due_time_back(cast, clock, hours):
    early, late = cast.start(pace=DECISION), cast.start(pace="daily")
    hours.later(30 * MINUTE)
    looked = cast.alice.send("GET", f"/api/games/{early}").headers["ETag"]
    hours.outage(DAY)
    assert due(cast.alice, early) == "2026-11-22T11:00:00.000Z"
    assert due(cast.alice, late) == "2026-11-23T10:00:00.000Z"
    assert reasons(cast.bob, early) == ["asked", "outage"]
    again = cast.alice.send("GET", f"/api/games/{early}", headers={"If-None-Match": looked})
    assert again.status_code == 200, "who polls is told"
    hours.later(31 * MINUTE)
    assert cast.alice.game(early)["waiting"][0]["seat"] == 1, "then time runs out as ever"


def test_a_short_silence_is_no_outage(cast, hours):
    game_id = cast.start(pace="daily")
    for _ in range(3):
        hours.outage(5 * MINUTE)
    assert due(cast.alice, game_id) == "2026-11-22T10:00:00.000Z"
    assert reasons(cast.alice, game_id) == ["asked"]


def test_who_was_asked_during_an_outage_gains_no_more_than_the_rest_of_it(cast, clock, hours):
    game_id = cast.start(pace=DECISION)
    clock.forward(50 * MINUTE)
    cast.alice.answer(cast.alice.game(game_id))
    hours.outage(10 * MINUTE)
    assert due(cast.alice, game_id) == "2026-11-21T12:00:00.000Z"


def away(app, clock, person, begins, ends):
    with app.app_context(), transaction():
        span = None if begins is None else (START + begins, START + ends)
        waits.go_away(clock(), person.id, span)


def test_a_vacation_moves_due_times_back_and_none_forward(app, cast, clock):
    game_id = cast.start(pace="daily")
    away(app, clock, cast.alice, 12 * HOUR, 60 * HOUR)
    assert due(cast.bob, game_id) == "2026-11-24T10:00:00.000Z"
    assert reasons(cast.bob, game_id) == ["asked", "vacation"]
    away(app, clock, cast.alice, None, None)
    assert due(cast.bob, game_id) == "2026-11-24T10:00:00.000Z"
    away(app, clock, cast.bob, 2 * HOUR, 10 * HOUR)
    clock.forward(HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    assert due(cast.bob, game_id) == "2026-11-22T19:00:00.000Z", "known when the wait began"


def test_time_is_kept_in_the_commit_of_its_cause(app, cast, clock):
    """Whatever the seats have comes from their entries."""
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
