"""Readers of their own name are addressed; others, spectators and later holders of the seat read the name."""

from __future__ import annotations

import pytest

from service.core.words.words import phrases
from tests.support.clock import HOUR, history, hours
from tests.support.proposing import DRAW, propose, registered, vote

__all__ = ["hours"]
PACE = {"kind": "decision", "seconds": HOUR // 1000}


@pytest.fixture
def game_id(cast):
    return cast.start(pace=PACE)


def told(person, game_id):
    return [line["words"] for event in history(person, game_id) for line in event["lines"]]


@pytest.mark.parametrize(
    ("card", "high", "said"), [("7s", False, "Play 7♠"), ("As", True, "Play A♠ as 11")]
)
def test_an_action_says_only_what_is_not_usual(card, high, said):
    action = {"type": "play", "card": card, "high": high}
    words = phrases("en", "trunk-and-peddler")
    assert words.say_most_specific("action.play", action) == said


def test_lines_speak_to_their_reader(cast, game_id):
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    assert told(cast.alice, game_id)[-1] == "You pass."
    for other in (cast.bob, cast.mallory, cast.nobody):
        assert told(other, game_id)[-1] == "Alice passes."


def test_facts_and_time_speak_to_their_reader(cast, game_id):
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    path = f"/api/games/{game_id}"
    for person, passed, took in (
        (cast.alice, "You have passed.", "You answered."),
        (cast.bob, "Alice has passed.", "Alice answered."),
        (cast.nobody, "Alice has passed.", "Alice answered."),
    ):
        facts = person.game(game_id)["view"]["facts"]
        past = person.get(f"{path}/views/{person.game(game_id)['number']}")["view"]["facts"]
        for each in (facts, past):
            assert passed in [fact["words"] for fact in each]
        entries = person.get(f"{path}/clock?seat=0")["entries"]
        assert entries[0]["words"].startswith(took)


def test_the_question_is_for_those_who_are_asked_and_others_read_who_is_waited_for(cast):
    game_id = cast.start("joretsu")
    path = f"/api/games/{game_id}"

    def prompt(person):
        game = person.game(game_id)
        past = person.get(f"{path}/views/{game['number']}")["view"]
        assert past["prompt_words"] == game["view"]["prompt_words"]
        return past["prompt_words"]

    question = prompt(cast.bob)
    assert question.startswith("Comparison 1: play a card.")
    assert prompt(cast.nobody) == "Waiting for Alice, Bob and Carol."
    cast.alice.answer(cast.alice.game(game_id))
    assert prompt(cast.bob) == prompt(cast.carol) == question
    for person in (cast.alice, cast.nobody):
        assert prompt(person) == "Waiting for Bob and Carol."
    japanese = {"Accept-Language": "ja"}
    said = cast.alice.game(game_id, headers=japanese)["view"]["prompt_words"]
    assert said == "Bobさん、Carolさんを待っています。"


def test_a_question_that_names_who_is_asked_is_for_everybody(cast):
    """The named person is addressed."""
    game_id = cast.start("yours-truly-bozu-mekuri")
    said = [
        person.game(game_id)["view"]["prompt_words"]
        for person in (cast.alice, cast.bob, cast.nobody)
    ]
    assert said[1] == said[2] == f"Alice: {said[0][0].lower()}{said[0][1:]}"


def test_japanese_drops_the_pronoun(cast, game_id):
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    path, japanese = f"/api/games/{game_id}/events", {"Accept-Language": "ja"}
    said = [
        person.get(path, headers=japanese)["events"][-1]["lines"][-1]["words"]
        for person in (cast.alice, cast.bob)
    ]
    assert said == ["パスしました。", "Aliceさんはパスしました。"]


def test_the_two_never_share_a_tag(cast, game_id):
    tags = [
        person.send("GET", f"/api/games/{game_id}").headers["ETag"]
        for person in (cast.alice, cast.bob, cast.nobody)
    ]
    assert len(set(tags)) == 3


def test_a_proposal_and_a_result_speak_to_their_reader(cast, game_id):
    made = propose(cast.alice, game_id, DRAW)
    assert made["words"] == "You have offered a draw."
    assert cast.bob.game(game_id)["proposals"][0]["words"] == "Alice offers a draw."
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    assert cast.bob.game(game_id)["result"]["words"].endswith("Nobody won.")


def test_winners_are_told_so(cast):
    game_id = cast.start()
    cast.play(game_id)
    winners = cast.nobody.game(game_id)["result"]["winners"]
    for seat, person in enumerate(cast.seated):
        words = person.game(game_id)["result"]["words"]
        assert ("you won" in words.lower()) == (seat in winners)


def test_whoever_resigned_is_told_so(cast):
    game_id = cast.start("caravan")
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    for person, said in (
        (cast.alice, "You have resigned. Bob won."),
        (cast.bob, "Alice has resigned. You won."),
        (cast.nobody, "Alice has resigned. Bob won."),
    ):
        assert person.game(game_id)["result"]["words"] == said
    japanese = {"Accept-Language": "ja"}
    assert cast.alice.game(game_id, headers=japanese)["result"]["words"].startswith(
        "投了しました。"
    )


def test_what_a_former_holder_did_is_not_said_of_the_present_one(cast, game_id, hours):
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    registered(cast.mallory)
    propose(cast.mallory, game_id, {"kind": "substitute", "seat": 0})
    for person in (cast.bob, cast.carol):
        vote(person, game_id)
    assert cast.mallory.game(game_id)["seat"] == 0
    assert "Alice passes." in told(cast.mallory, game_id)
    assert told(cast.mallory, game_id)[-1] == "You take over the seat from here."
    assert "You pass." in told(cast.alice, game_id)
    assert any(line.startswith("You have resigned.") for line in told(cast.alice, game_id))
    assert told(cast.alice, game_id)[-1] == "Mallory takes over the seat from here."
