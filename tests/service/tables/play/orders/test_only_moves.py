"""Only moves are played for players who want that, where everybody sees that there is no other, after a drawn wait."""

from __future__ import annotations

import pytest

from service.log.verification.verify_record import verify
from service.tables.clocks import own_answers
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.clock import HOUR, MINUTE, SECOND, history, hours

__all__ = ["hours"]

SIX = {"type": "bid", "cards": ["As", "5s"]}
"""A bid higher than anybody else can make."""
PASS = {"type": "pass"}
PACE = {"kind": "decision", "seconds": 86400}


def want(person, game_id=None, wanted=True):
    if game_id is None:
        return person.send("PATCH", "/api/me/settings", json={"only_move": wanted}).json["settings"]
    answer = person.send("PATCH", f"/api/games/{game_id}/orders", json={"only_move": wanted})
    assert answer.status_code == 200, answer.json
    return {name: answer.json[name] for name in ("only_move", "plays_only_move")}


def actions(person, game_id):
    return [each["seat"] for each in history(person, game_id) if each["kind"] == "action"]


@pytest.mark.both_databases
def test_an_only_move_is_played_after_a_while_as_its_players_own(cast, hours):
    want(cast.bob)
    game_id = cast.start(pace=PACE)
    cast.alice.answer(cast.alice.game(game_id), SIX)
    hours.later(2 * MINUTE - SECOND)
    assert actions(cast.carol, game_id) == [0]
    hours.later(18 * MINUTE + SECOND)
    last = history(cast.carol, game_id)[-1]
    assert (last["seat"], last["by"], last["lines"][0]["line"]) == (1, "seat", "passed")
    assert cast.carol.game(game_id)["waiting"][0]["seat"] == 2, "Carol has not asked for it"
    hours.later(HOUR)
    assert actions(cast.carol, game_id) == [0, 1]


def test_whoever_has_a_choice_that_others_cannot_rule_out_is_asked(cast, hours):
    """Bob has no A and no 5 left in hand; nobody else sees his hand."""
    want(cast.bob)
    game_id = cast.start(pace=PACE)
    cast.alice.answer(cast.alice.game(game_id), {"type": "bid", "cards": ["5s"]})
    hours.later(HOUR)
    assert actions(cast.carol, game_id) == [0]


def test_a_table_can_differ_from_what_holds_everywhere(cast, hours):
    game_id = cast.start(pace=PACE)
    assert want(cast.bob, game_id) == {"only_move": True, "plays_only_move": True}
    cast.alice.answer(cast.alice.game(game_id), SIX)
    hours.later(20 * MINUTE)
    assert actions(cast.carol, game_id) == [0, 1]
    want(cast.carol)
    want(cast.carol, game_id, wanted=False)
    hours.later(HOUR)
    assert actions(cast.carol, game_id) == [0, 1]
    assert want(cast.carol, game_id, wanted=None) == {"only_move": None, "plays_only_move": True}
    hours.later(MINUTE)
    assert actions(cast.carol, game_id) == [0, 1], "the wait begins when it was asked for"
    hours.later(20 * MINUTE)
    assert actions(cast.carol, game_id)[:3] == [0, 1, 2]


@sqlite_only
def test_it_can_be_asked_for_while_the_question_stands_and_withdrawn_before_it_is_played(
    cast, hours
):
    game_id = cast.start(pace=PACE)
    cast.alice.answer(cast.alice.game(game_id), SIX)
    hours.later(HOUR)
    want(cast.bob)
    hours.look()
    want(cast.bob, wanted=False)
    hours.later(HOUR)
    assert actions(cast.carol, game_id) == [0]
    body = {"asked": cast.bob.game(game_id)["asked"], "action": PASS}
    cast.bob.post(f"/api/games/{game_id}/actions", body)


@sqlite_only
def test_nothing_of_it_changes_what_others_are_shown(cast, hours):
    game_id = cast.start(pace=PACE)
    cast.alice.answer(cast.alice.game(game_id), SIX)
    path = f"/api/games/{game_id}"
    hours.look()
    before = [each.send("GET", path).headers["ETag"] for each in cast.seated]
    want(cast.bob)
    want(cast.bob, game_id)
    hours.look()
    assert [each.send("GET", path).headers["ETag"] for each in cast.seated] == before
    for stranger in (cast.mallory, cast.nobody):
        assert stranger.send("GET", f"{path}/orders").status_code in {401, 403}


@sqlite_only
def test_what_was_missed_while_no_worker_was_there_waits_anew(cast, hours):
    want(cast.bob)
    game_id = cast.start(pace=PACE)
    cast.alice.answer(cast.alice.game(game_id), SIX)
    hours.look()
    hours.outage(4 * HOUR)
    assert actions(cast.carol, game_id) == [0], "all that were missed would come at once"
    hours.later(2 * MINUTE - SECOND)
    assert actions(cast.carol, game_id) == [0]
    hours.later(19 * MINUTE)
    assert actions(cast.carol, game_id) == [0, 1]


@sqlite_only
def test_it_is_played_before_the_time_is_over_however_short_that_is(cast, hours):
    want(cast.bob)
    game_id = cast.start(pace={"kind": "decision", "seconds": 60})
    cast.alice.answer(cast.alice.game(game_id), SIX)
    hours.look()
    for _ in range(58):
        hours.later(SECOND)
    acted = [(e["seat"], e["by"]) for e in history(cast.carol, game_id) if e["kind"] == "action"]
    assert acted == [(0, "seat"), (1, "seat")]


@sqlite_only
def test_the_record_says_nothing_of_it(app, cast, hours):
    want(cast.bob)
    game_id = cast.start(pace=PACE)
    for _ in range(40):
        game = cast.alice.game(game_id)
        if not game["waiting"]:
            break
        hours.later(20 * MINUTE)
        seat = cast.alice.game(game_id)["waiting"]
        if seat:
            person, shown = cast.asked(game_id)
            person.answer(shown)
    record = cast.alice.send("GET", f"/api/games/{game_id}/record")
    assert record.status_code == 200
    verify(record.get_data())
    assert "only_move" not in record.get_data(as_text=True)


SECRET = b"k" * 32


def test_the_wait_is_drawn_anew_for_each_question_between_two_and_twenty_minutes():
    waits = [own_answers.wait(SECRET, f"g_{n % 40}", n % 3, n, None) for n in range(4000)]
    assert 2 * MINUTE <= min(waits) < 2.1 * MINUTE
    assert 19.9 * MINUTE < max(waits) <= 20 * MINUTE
    assert abs(sum(waits) / len(waits) - 11 * MINUTE) < 0.3 * MINUTE
    assert len(set(waits)) > 3900
    assert own_answers.wait(SECRET, "g_1", 0, 7, None) != own_answers.wait(b"x", "g_1", 0, 7, None)


def test_with_little_time_left_the_wait_is_as_much_shorter():
    for left in (SECOND, MINUTE, 10 * MINUTE, HOUR):
        waits = [own_answers.wait(SECRET, "g_1", 0, n, left) for n in range(500)]
        assert max(waits) < left
        assert min(waits) >= min(left * 0.09, 2 * MINUTE)


def test_it_can_be_asked_for_nowhere_but_at_a_seat_that_one_holds(cast):
    game_id = cast.start(BOOMERANG)
    cast.mallory.refused("PATCH", f"/api/games/{game_id}/orders", "not-seated", {"only_move": True})
    cast.bob.refused("PATCH", f"/api/games/{game_id}/orders", "invalid-body", {"only_move": 1})
    cast.bob.refused("PATCH", f"/api/games/{game_id}/orders", "invalid-body", {})
