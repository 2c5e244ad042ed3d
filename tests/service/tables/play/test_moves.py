"""Moves: one answer to each question, however often it is sent."""

from __future__ import annotations

import pytest

from rules.kernel import text
from service.log.verification.verify_record import verify
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import reasons
from tests.support.dump import dump

PASS = {"type": "pass"}


@pytest.fixture
def game_id(cast):
    return cast.start()


def actions(game_id):
    return f"/api/games/{game_id}/actions"


@pytest.mark.both_databases
def test_a_legal_answer_is_logged(cast, game_id):
    before = cast.alice.game(game_id)
    played = cast.alice.answer(before)
    game = played["game"]
    assert played["number"] == before["number"] + 1 == game["number"]
    assert game["revision"] > before["revision"] and game["head"] != before["head"]
    assert game == cast.alice.game(game_id), "the response is what the seat sees now"
    assert game["asked"] == played["number"], "a seat's own action changes its question"
    assert [wait["seat"] for wait in game["waiting"]] == [1]


@sqlite_only
def test_other_games_of_the_same_people_stay_as_they_are(cast, game_id):
    other = cast.start()
    seen = [person.game(other) for person in cast.seated]
    cast.play(game_id)
    assert cast.alice.game(game_id)["status"] == "over"
    assert [person.game(other) for person in cast.seated] == seen


@pytest.mark.both_databases
def test_a_repeated_answer_is_acknowledged(cast, game_id):
    before = cast.alice.game(game_id)
    first = cast.alice.answer(before)
    again = cast.alice.answer(before, status=200)
    assert again == first
    cast.bob.answer(cast.bob.game(game_id), PASS)
    later = cast.alice.answer(before, status=200)
    assert later["number"] == first["number"]
    assert later["game"]["number"] == first["number"] + 1, "with the view as it is now"


@sqlite_only
def test_a_repeated_answer_may_be_serialised_differently(cast, game_id):
    before = cast.alice.game(game_id)
    first = cast.alice.answer(before, {"type": "bid", "cards": ["As", "3s"]})
    body = (
        f'{{"action": {{"cards": ["As","\\u0033s"], "type": "bid"}}, "asked": {before["asked"]}.0}}'
    )
    headers = {"Content-Type": "application/json"}
    answer = cast.alice.send("POST", actions(game_id), data=body, headers=headers)
    assert (answer.status_code, answer.json["number"]) == (200, first["number"])


@pytest.mark.both_databases
def test_a_different_answer_to_the_same_question_is_refused(app, cast, game_id):
    before = cast.alice.game(game_id)
    first = cast.alice.answer(before)
    stored = dump(app)
    body = {"asked": before["asked"], "action": PASS}
    problem = cast.alice.refused("POST", actions(game_id), "other-answer", body)
    assert problem["number"] == first["number"]
    assert problem["game"] == cast.alice.game(game_id)
    assert dump(app) == stored


@pytest.mark.parametrize("asked", [0, 1, 3, 2**31 - 1])
def test_an_answer_to_any_other_question_is_stale(app, cast, game_id, asked):
    assert cast.alice.game(game_id)["asked"] == 2
    stored = dump(app)
    body = {"asked": asked, "action": PASS}
    problem = cast.alice.refused("POST", actions(game_id), "stale", body)
    assert problem["game"] == cast.alice.game(game_id)
    assert dump(app) == stored


@pytest.mark.both_databases
def test_an_answer_that_comes_too_late_is_stale(cast, game_id):
    """Bob loaded the game before Alice bid; what he may do has changed since."""
    stale = cast.bob.game(game_id)
    cast.alice.answer(cast.alice.game(game_id))
    body = {"asked": stale["asked"], "action": PASS}
    problem = cast.bob.refused("POST", actions(game_id), "stale", body)
    assert problem["game"]["legal"]
    cast.bob.answer(problem["game"])


def test_an_illegal_action_is_refused_with_the_reason_and_the_legal_ones(app, cast, game_id):
    game = cast.alice.game(game_id)
    stored = dump(app)
    for action, wrong, may in (
        ({"type": "fly"}, "type", ["bid", "pass"]),
        ({"type": "bid", "cards": ["Ah"]}, "cards", None),
        ({"type": "pass", "cards": ["As"]}, "cards", []),
    ):
        body = {"asked": game["asked"], "action": action}
        problem = cast.alice.refused("POST", actions(game_id), "illegal-action", body)
        assert problem["why"]["wrong"] == wrong
        assert may is None or problem["why"]["may"] == may
        assert problem["legal"] == game["legal"]
        assert problem["asked"] == game["asked"]
    assert dump(app) == stored


def test_a_seat_that_is_not_waited_for_has_no_legal_action(cast, game_id):
    game = cast.bob.game(game_id)
    assert game["legal"] == [] and game["asked"] == 2
    body = {"asked": game["asked"], "action": PASS}
    problem = cast.bob.refused("POST", actions(game_id), "illegal-action", body)
    assert problem["why"] == {"wrong": "seat", "may": [0]}
    assert problem["legal"] == []


def test_only_people_with_a_seat_can_play(app, cast, game_id):
    mallory, stored = cast.mallory, dump(app)
    body = {"asked": 2, "action": PASS}
    mallory.refused("POST", actions(game_id), "not-seated", body)
    cast.nobody.refused("POST", actions(game_id), "not-signed-in", body)
    assert dump(app) == stored


@sqlite_only
def test_nobody_can_play_before_the_start(cast):
    game_id = cast.open()
    body = {"asked": 0, "action": PASS}
    cast.alice.refused("POST", actions(game_id), "not-running", body)
    cast.mallory.refused("POST", actions(game_id), "not-seated", body)


@pytest.mark.parametrize("slug", [BOOMERANG, CARAVAN])
def test_after_the_end_a_repeated_answer_is_still_acknowledged(app, cast, slug):
    game_id = cast.start(slug)
    person, game, answer, played = cast.play(game_id)
    stored = dump(app)
    over = played["game"]
    assert over["waiting"] == over["legal"] == []
    assert over["result"]["reason"] and over["ended_at"]
    again = person.answer(game, answer, status=200)
    assert again["number"] == played["number"]
    other = {"asked": game["asked"], "action": {"type": "other"}}
    person.refused("POST", actions(game_id), "other-answer", other)
    stale = {"asked": 0, "action": answer}
    person.refused("POST", actions(game_id), "stale", stale)
    present = {"asked": over["asked"], "action": answer}
    person.refused("POST", actions(game_id), "not-running", present)
    assert dump(app) == stored


def test_everybody_sees_the_same_game(cast, game_id):
    cast.play(game_id, most=4)
    games = [person.game(game_id) for person in (*cast.seated, cast.mallory, cast.nobody)]
    for game in games:
        for wait in game["waiting"]:
            del wait["nudge_from"]  # only for those who may nudge
    for member in ("number", "head", "waiting", "revision", "commitment", "nonces", "host"):
        assert len({repr(game[member]) for game in games}) == 1, member
    assert [game["seat"] for game in games] == [0, 1, 2, None, None]


def test_waiting_seats_show_since_when(cast, game_id, clock):
    began = cast.alice.game(game_id)["waiting"]
    since = {"since": "2026-11-21T10:00:00.000Z", "due": None, "nudge_from": None}
    assert began == [{"seat": 0, **since}]
    clock.forward(61_500)
    cast.alice.answer(cast.alice.game(game_id))
    clock.forward(1000)
    assert cast.mallory.game(game_id)["waiting"] == [
        {"seat": 1, **since, "since": "2026-11-21T10:01:01.500Z"}
    ]


@sqlite_only
def test_a_move_leaves_a_reason_for_each_clock_that_it_changes(cast):
    game_id = cast.start(pace="daily")
    cast.alice.answer(cast.alice.game(game_id), PASS)
    assert reasons(cast.carol, game_id) == ["asked", "answered", "asked"]
    assert reasons(cast.carol, game_id, 0) == ["asked", "answered"]
    assert reasons(cast.carol, game_id, 1) == ["asked"]


@sqlite_only
def test_each_shuffle_of_a_game_is_the_one_that_its_record_promises(cast):
    game_id = cast.start(CARAVAN)
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    record = cast.nobody.get(f"/api/games/{game_id}/record")
    assert [event["kind"] for event in record["events"]].count("chance") == 2
    assert verify(text(record).encode())["result"]["reason"] == "resigned"
