"""Decisions of finished games as puzzles: for whoever may see the game, as the seat saw them, and never too early."""

from __future__ import annotations

import json

import pytest

from service.operations.worker.analyses import Analyses
from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.clock import DAY, history
from tests.support.daily import House, drawn, played
from tests.support.dump import dump
from tests.support.thinking import in_turn


def path(game_id, number):
    return f"/api/games/{game_id}/puzzles/{number}"


def decisions(person, game_id, seat=None):
    """The numbers of the events in which somebody acted."""
    return [
        each["number"]
        for each in history(person, game_id)
        if each["kind"] == "action" and seat in (None, each["seat"])
    ]


def stored(app):
    """Everything that is stored, but when people were last seen."""
    seen = {"players", "credentials"}
    return {name: rows for name, rows in dump(app).items() if name not in seen}


def finished(cast, **wish):
    game_id = cast.start(BOOMERANG, **wish)
    first = cast.alice.game(game_id)
    cast.play(game_id)
    return game_id, first


@pytest.mark.both_databases
def test_a_decision_is_shown_as_it_was_and_then_what_was_played(app, cast):
    game_id, first = finished(cast)
    number = first["number"] + 1
    before = stored(app)
    shown = cast.mallory.get(path(game_id, number))
    assert (shown["game"], shown["number"], shown["seat"]) == (game_id, number, first["seat"])
    assert shown["view"]["zones"] == first["view"]["zones"]
    assert shown["legal"] == first["legal"]
    event = next(each for each in history(cast.alice, game_id) if each["number"] == number)
    body = {"action": shown["legal"][-1]["action"]}
    told = cast.nobody.post(f"{path(game_id, number)}/answers", body, 200)
    assert told["played"]["action"] == event["action"]
    assert (told["right"], told["cost"], told["solution"]) == (None, None, None)
    assert stored(app) == before


def test_it_does_not_say_what_was_played_before_an_answer(cast):
    """Nothing in it depends on what happened afterwards, or on what others hold."""
    game_id, first = finished(cast)
    number = first["number"] + 1
    shown = cast.mallory.get(path(game_id, number))
    hidden = [zone for zone in shown["view"]["zones"] if zone.get("seat") not in (None, 0)]
    assert all(
        "cards" not in zone or not zone["cards"] for zone in hidden if zone["name"] == "hand"
    )
    told = json.dumps(shown)
    assert "played" not in shown and "solution" not in shown
    assert told == json.dumps(cast.bob.get(path(game_id, number)))


@pytest.mark.parametrize("begun", [False, True])
def test_a_game_that_is_not_over_has_no_puzzles(cast, begun):
    game_id = cast.start(CARAVAN) if begun else cast.open()
    if begun:
        cast.alice.answer(cast.alice.game(game_id))
    for number in (1, 2, 3, 4):
        for person in (cast.alice, cast.bob, cast.mallory, cast.nobody):
            person.refused("GET", path(game_id, number), "not-over")
            body = {"action": {"type": "pass"}}
            person.refused("POST", f"{path(game_id, number)}/answers", "not-over", body)


def test_a_private_game_is_no_puzzle_for_others(cast):
    game_id, first = finished(cast, private=True)
    number = first["number"] + 1
    for person in (cast.mallory, cast.nobody):
        person.refused("GET", path(game_id, number), "not-found")
        body = {"action": None}
        person.refused("POST", f"{path(game_id, number)}/answers", "not-found", body)
    assert cast.bob.get(path(game_id, number))["legal"]


def test_a_daily_deal_is_a_puzzle_when_its_day_is_over(app, cast, clock):
    game = played(House(app), cast.alice, drawn(5))
    number = decisions(cast.alice, game["id"], 0)[0]
    cast.alice.refused("GET", path(game["id"], number), "not-over")
    clock.forward(DAY)
    assert cast.alice.get(path(game["id"], number))["legal"]
    cast.mallory.refused("GET", path(game["id"], number), "not-found")


def test_a_lesson_and_what_is_no_decision_are_none(cast):
    lesson = cast.alice.post(f"/api/rulesets/{BOOMERANG}/lessons", {})
    cast.alice.refused("GET", path(lesson["id"], 3), "not-found")
    game_id, first = finished(cast)
    for number in (0, 1, first["number"], 100_000):
        cast.alice.refused("GET", path(game_id, number), "not-found")


def test_what_was_taken_back_is_none(cast):
    game_id = cast.start(CARAVAN)
    gone = cast.alice.answer(cast.alice.game(game_id))["number"]
    cast.alice.post(f"/api/games/{game_id}/take-back", {"event": gone})
    stays = cast.alice.answer(cast.alice.game(game_id))["number"]
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    cast.alice.refused("GET", path(game_id, gone), "not-found")
    assert cast.alice.get(path(game_id, stays))["legal"]


def test_what_is_not_legal_there_is_no_answer(cast):
    game_id, first = finished(cast)
    address = f"{path(game_id, first['number'] + 1)}/answers"
    cast.bob.refused("POST", address, "invalid-body", {"action": {"type": "fly"}})


def test_ones_own_analysis_says_what_is_best(app, cast):
    game_id, first = finished(cast)
    number = first["number"] + 1
    cast.alice.put(f"/api/games/{game_id}/analysis", None, status=202)
    worker = Analyses(app.extensions["tegami"], in_turn, lambda *_: 6)
    with app.app_context():
        for _ in range(100):
            worker.step()
    found = cast.alice.get(f"/api/games/{game_id}/analysis")["decisions"][0]
    assert found["number"] == number
    best = {"action": found["choices"][0]["action"]}
    told = cast.alice.post(f"{path(game_id, number)}/answers", best, 200)
    assert (told["right"], told["cost"]) == (True, 0)
    assert told["solution"]["choices"][0]["words"] == found["choices"][0]["words"]
    assert cast.bob.post(f"{path(game_id, number)}/answers", best, 200)["right"] is None
