"""The reason why something cannot be chosen: from the rules, in the caller's language, only for the players, at no
cost.
"""

from __future__ import annotations

import pytest

from tests.support.cast import BOOMERANG, CARAVAN
from tests.support.dump import dump


def why_not(person, game, touched, chosen=None, status=200, **more):
    body = {"asked": game["asked"], "touched": touched} | ({"chosen": chosen} if chosen else {})
    return person.post(f"/api/games/{game['id']}/why-not", body, status, **more)


def test_a_dimmed_card_is_explained_by_the_rules(cast):
    """5 is no more than 5; together with another card it would have to be the ace."""
    game_id = cast.start(BOOMERANG)
    alice = cast.alice.game(game_id)
    cast.alice.answer(alice, {"type": "bid", "cards": ["5s"]})
    said = why_not(cast.bob, cast.bob.game(game_id), {"card": "2h"}, {"picked": ["3h"]})
    assert said == {"why": "low", "words": "The bid has to be more than 5."}


def test_what_has_been_chosen_counts_first(cast):
    game = cast.alice.game(cast.start(BOOMERANG))
    said = why_not(cast.alice, game, {"card": "5s"}, {"picked": ["2s"]})
    assert said["why"] == "pair"
    assert why_not(cast.alice, game, {"card": "5s"})["why"] is None, "alone it is a bid"
    ace = why_not(cast.alice, game, {"card": "5s"}, {"type": "bid", "picked": ["As"]})
    assert ace["why"] is None


def test_what_the_rules_do_not_explain_the_list_does(cast):
    game = cast.alice.game(cast.start(BOOMERANG))
    theirs = {"zone": "won", "seat": 1}
    said = why_not(cast.alice, game, theirs)
    assert said["why"] == "theirs"
    assert "Bob" in said["words"]
    gone = why_not(cast.alice, game, {"card": "Kd"})
    assert gone == {
        "why": "types",
        "words": "There is nothing to do with that now. What you can do: Bid and Pass",
    }


def test_it_is_said_in_the_language_of_the_caller(cast):
    game = cast.alice.game(cast.start(BOOMERANG))
    said = why_not(
        cast.alice, game, {"card": "5s"}, {"picked": ["2s"]}, headers={"Accept-Language": "ja"}
    )
    assert said["words"] == "2枚で入札できるのは、片方がAのときだけです。"


def test_whoever_is_not_asked_hears_so(cast):
    game_id = cast.start(BOOMERANG)
    said = why_not(cast.bob, cast.bob.game(game_id), {"card": "Ah"})
    assert said == {"why": "turn", "words": "It is not your turn."}


@pytest.mark.both_databases
def test_explaining_plays_keeps_and_mails_nothing(app, cast):
    game = cast.alice.game(cast.start(CARAVAN))
    stored = dump(app)
    hand = next(
        each for each in game["view"]["zones"] if each["name"] == "hand" and each["seat"] == 0
    )
    for card in hand["cards"]:
        why_not(cast.alice, game, {"card": card})
    assert dump(app) == stored


def test_it_is_refused_to_strangers_and_to_old_questions(cast):
    touch = {"asked": 999, "touched": {"card": "As"}}
    path = f"/api/games/{cast.open(BOOMERANG)}/why-not"
    cast.nobody.refused("POST", path, "not-signed-in", touch)
    cast.mallory.refused("POST", path, "not-seated", touch)
    cast.alice.refused("POST", path, "not-running", touch)
    game_id = cast.start(BOOMERANG)
    path = f"/api/games/{game_id}/why-not"
    cast.alice.refused("POST", path, "stale", touch)
    asked = cast.alice.game(game_id)["asked"]
    for wrong in (
        {"asked": asked},
        {"asked": asked, "touched": {"cards": ["As"]}},
        {"asked": asked, "touched": {"index": -1}},
        {"asked": asked, "touched": {}, "chosen": {"picked": [3]}},
    ):
        cast.alice.refused("POST", path, "invalid-body", wrong)


def test_what_makes_no_sense_is_no_matter_of_the_rules(cast):
    game = cast.alice.game(cast.start(CARAVAN))
    odd = {"type": "open", "values": {"cards": [{"a": [1]}, 2], "lane": {}}, "picked": ["?"]}
    for touched in ({"card": "??"}, {"zone": "row", "seat": 5, "index": 900}, {}):
        assert why_not(cast.alice, game, touched, odd)["why"] == "types"
