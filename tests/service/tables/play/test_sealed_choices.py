"""Sealed choices, as in Caravan's opening: both seats choose at the same time, independently of each other."""

from __future__ import annotations

import pytest

from tests.support.cast import CARAVAN


@pytest.fixture
def game_id(cast):
    return cast.start(CARAVAN)


def committed(game):
    return game["view"]["committed"]


@pytest.mark.both_databases
def test_both_seats_are_asked_at_the_same_time(cast, game_id):
    alice, bob = cast.alice.game(game_id), cast.bob.game(game_id)
    assert [wait["seat"] for wait in alice["waiting"]] == [0, 1]
    assert alice["legal"] and bob["legal"]
    assert alice["number"] == 3


def test_a_choice_does_not_change_the_other_seats_question(cast, clock, game_id):
    clock.forward(5000)
    alice, bob = cast.alice.game(game_id), cast.bob.game(game_id)
    played = cast.alice.answer(alice)
    assert played["game"] == cast.alice.game(game_id)
    later = cast.bob.game(game_id)
    assert committed(later) == committed(played["game"]) == [0]
    assert later["revision"] > bob["revision"]
    for member in ("asked", "legal"):
        assert later[member] == bob[member]
    assert later["waiting"] == bob["waiting"][1:], "and has waited since the same moment"
    both = cast.bob.answer(bob)
    assert both["game"]["view"]["phase"] == "trading"
    assert both["number"] == played["number"] + 1


def test_a_committed_seat_is_no_longer_asked_but_may_repeat_its_answer(cast, game_id):
    alice = cast.alice.game(game_id)
    first = cast.alice.answer(alice)
    assert first["game"]["legal"] == []
    assert cast.alice.answer(alice, status=200) == first
    other = {"asked": alice["asked"], "action": alice["legal"][1]["action"]}
    path = f"/api/games/{game_id}/actions"
    cast.alice.refused("POST", path, "other-answer", other)
    again = {"asked": first["game"]["asked"], "action": alice["legal"][0]["action"]}
    cast.alice.refused("POST", path, "illegal-action", again)


def test_a_choice_is_shown_only_to_its_seat_until_both_have_chosen(cast, game_id):
    alice, bob = cast.alice.game(game_id), cast.bob.game(game_id)
    chosen = alice["legal"][0]["action"]["cards"]
    cast.alice.answer(alice)
    for person in (cast.bob, cast.mallory, cast.nobody):
        game = person.game(game_id)
        assert not [fact for fact in game["view"]["facts"] if "cards" in fact]
        (event,) = person.get(f"/api/games/{game_id}/events?after=3")["events"]
        assert (event["seat"], event["by"]) == (0, "seat")
        assert (event["action"], event["opened"]) == (None, [])
        assert "cards" not in str(event["lines"])
    assert str(chosen[0]) in str(cast.alice.game(game_id)["view"])
    cast.bob.answer(bob)
    for person in (*cast.seated, cast.mallory, cast.nobody):
        rows = [
            zone["cards"]
            for zone in person.game(game_id)["view"]["zones"]
            if zone["name"] == "row" and zone["seat"] == 0
        ]
        assert rows == [[card] for card in chosen]
