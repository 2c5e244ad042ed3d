"""Orders that wait for answers of others: a short tree of moves, of which nothing is hidden."""

from __future__ import annotations

import pytest

import rules
from service.log.table_rows.table import find
from service.tables.play.orders import answers_of_others
from tests.service.tables.play.orders.test_orders import acted, leave, path, to_bob
from tests.service.tables.play.orders.test_unseen_orders import everything
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import HOUR, MINUTE, hours

__all__ = ["hours"]

PASS = {"type": "pass"}
PACE = {"kind": "decision", "seconds": 86400}
CAROL = 2


def bid(number, suit="h"):
    return {"type": "bid", "cards": [f"{number}{suit}"]}


def if_carol(**answer):
    return [{"answer": answer, "of": CAROL}]


def until_bob_is_asked(cast, game_id, carol):
    """Let Bob bid, Carol answer like this, and the others bid until Bob is asked again."""
    cast.bob.answer(cast.bob.game(game_id), bid(3))
    cast.carol.answer(cast.carol.game(game_id), carol)
    while cast.carol.game(game_id)["waiting"][0]["seat"] != 1:
        person, shown = cast.asked(game_id)
        bids = [each["action"] for each in shown["legal"] if each["action"]["type"] == "bid"]
        person.answer(shown, bids[0] if bids else PASS)


@pytest.mark.both_databases
@pytest.mark.parametrize(("carol", "line"), [(PASS, "bid"), (bid(4, "d"), "passed")])
def test_of_two_orders_the_one_is_played_that_fits_the_answer(cast, hours, carol, line):
    """If Carol passes, Bob bids; if she bids, he passes."""
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    first = leave(cast.bob, game_id, name="least", when=if_carol(type="pass"))
    leave(cast.bob, game_id, name="pass", when=if_carol(type="bid"))
    assert first["words"].endswith("1 time at most, if Carol answers “Pass”")
    assert "since" not in first["order"]
    hours.later(HOUR)
    assert len(acted(cast.carol, game_id)) == 1, "Carol has not answered yet"
    until_bob_is_asked(cast, game_id, carol)
    before = len(acted(cast.carol, game_id))
    hours.later(20 * MINUTE)
    assert acted(cast.carol, game_id)[before][::2] == (1, line)
    shown = cast.bob.get(path(game_id))
    assert shown["orders"] == []
    assert sorted(each["why"] for each in shown["ended"]) == ["other-answer", "times"]


@sqlite_only
def test_the_cards_of_an_answer_can_be_asked_for_and_all_that_is_given_has_to_fit(cast, hours):
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    leave(cast.bob, game_id, name="pass", when=if_carol(type="bid", cards=["5d"]))
    until_bob_is_asked(cast, game_id, bid(4, "d"))
    hours.later(20 * MINUTE)
    assert [each["why"] for each in cast.bob.get(path(game_id))["ended"]] == ["other-answer"]


@sqlite_only
def test_an_answer_that_was_taken_back_does_not_count(app, cast, hours):
    game_id = cast.start(CARAVAN, pace=PACE)
    number = cast.alice.answer(cast.alice.game(game_id))["number"]
    cast.alice.post(f"/api/games/{game_id}/take-back", {"event": number})
    with app.app_context():
        states = app.extensions["tegami"].states
        assert answers_of_others.since(states, find(game_id).game, 1) == {}


@sqlite_only
def test_a_sealed_choice_counts_once_it_is_opened(app, cast):
    game_id = cast.start(CARAVAN)
    states = app.extensions["tegami"].states
    chosen = cast.alice.game(game_id)["legal"][0]["action"]
    cast.alice.answer(cast.alice.game(game_id), chosen)
    with app.app_context():
        assert answers_of_others.since(states, find(game_id).game, 1) == {}
    cast.bob.answer(cast.bob.game(game_id))
    with app.app_context():
        assert answers_of_others.since(states, find(game_id).game, 1)[0] == [chosen]


@sqlite_only
def test_what_cannot_be_asked_for_is_refused(cast):
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    asked = cast.bob.game(game_id)["asked"]
    for condition in (
        {"answer": PASS, "of": 1},
        {"answer": PASS, "of": 3},
        {"answer": {"type": "nonsense"}, "of": 2},
        {"answer": {"type": "pass", "cards": []}, "of": 2},
    ):
        body = {"asked": asked, "order": {"name": "pass", "when": [condition]}}
        problem = cast.bob.refused("POST", path(game_id), "not-possible", body)
        assert problem["why"] == "no-such-order"
    for condition in (
        {"answer": PASS},
        {"answer": {}, "of": 2},
        {"answer": PASS, "of": 2, "least": 1},
        {"answer": PASS, "of": 2, "nth": 5},
        {"prompt": "high", "least": 1, "nth": 1},
    ):
        body = {"asked": asked, "order": {"name": "pass", "when": [condition]}}
        cast.bob.refused("POST", path(game_id), "invalid-body", body)
    many = [{"answer": PASS, "of": 2}] * 5
    body = {"asked": asked, "order": {"name": "pass", "when": many}}
    cast.bob.refused("POST", path(game_id), "invalid-body", body)


def value_of(parameter):
    """A value that a parameter can have."""
    usual = {"tile": "1-2", "suit": "s", "rank": "A", "flag": True, "card": "As"}
    usual |= dict.fromkeys(("cards", "sequence"), "As")
    value = next(iter(parameter.values), usual.get(parameter.kind, 1))
    return [value] * max(1, parameter.size[0]) if parameter.size else value


def test_nothing_that_the_rules_keep_secret_of_an_action_can_be_asked_for():
    """This holds for every game: otherwise players would learn secrets from whether the order is played."""
    found = 0
    for slug in rules.slugs():
        ruleset = rules.load(slug)
        for kind, parameters in ruleset.actions.items():
            for each in parameters:
                condition = {"of": 1, "answer": {"type": kind, each.name: value_of(each)}}
                possible = answers_of_others.can_be_asked(ruleset, 2, 0, condition)
                assert possible is not each.secret
                found += each.secret
    assert found


@pytest.mark.parametrize("nth", [1, 2])
def test_the_answers_of_a_seat_are_counted(nth):
    answers = {2: [PASS, bid(4)]}
    condition = {"answer": PASS, "of": 2, "nth": nth}
    assert answers_of_others.are_given([condition], answers) is (nth == 1)
    assert answers_of_others.are_given([{**condition, "nth": 3}], answers) is None
    assert answers_of_others.are_given([{**condition, "of": 0}], answers) is None
    assert answers_of_others.are_given([], answers) is True


@sqlite_only
def test_nobody_else_sees_such_an_order(cast, hours):
    game_id = cast.start(BOOMERANG, pace=PACE)
    to_bob(cast, game_id)
    others = [each for each in (*cast.everybody, cast.nobody) if each is not cast.bob]
    before = [everything(each, game_id) for each in others]
    leave(cast.bob, game_id, name="least", when=if_carol(type="pass"))
    hours.look()
    assert [everything(each, game_id) for each in others] == before
