"""House players choose among the legal actions of their seat, from its view alone."""

from __future__ import annotations

import dataclasses
import itertools
import random
from typing import Any

import pytest

import rules
from rules.kernel import Json, Mind, Result, Ruleset, State, Worlds, shuffled, text
from rules.players.house import choose
from rules.players.levels import LEVELS
from rules.players.search import Effort, rewards, search
from tests.rules.playouts import Step, Steps

LITTLE = Effort(12)
LOOKED_AT, MANY = 8, 25
"""The number of questions of a tour at which a house player is asked: usually, and with --thorough."""


@pytest.fixture(scope="module")
def questions(ruleset: Ruleset, met: Steps, thorough: bool) -> list[tuple[Step, int]]:
    """The steps before which a seat is waited for, and that seat."""
    found = [(step, seat) for step in met for seat in ruleset.turn(step.before).waiting]
    return found[:: 1 + len(found) // (MANY if thorough else LOOKED_AT)]


def worlds(ruleset: Ruleset, state: State, seat: int) -> Worlds:
    """The worlds that the seat has to consider."""
    return Worlds(ruleset.mind.hidden, ruleset.blind(state, seat), seat)


def chosen(ruleset: Ruleset, state: State, seat: int, effort: Effort = LITTLE) -> Json:
    """The choice of a house player whose generator always has the same seed."""
    return choose(ruleset, worlds(ruleset, state, seat), seat, random.Random(3), effort)


def test_a_house_player_chooses_a_legal_action_and_the_same_wherever_its_seat_cannot_tell(
    ruleset: Ruleset, questions: list[tuple[Step, int]]
) -> None:
    rng = random.Random(1)
    for step, seat in questions:
        action = chosen(ruleset, step.before, seat)
        assert text(action) in set(map(text, ruleset.legal(step.before, seat)))
        other, _ = ruleset.indistinguishable(step.before, step.event, seat, rng)
        assert chosen(ruleset, other, seat) == action


@pytest.fixture(scope="module")
def open_question(ruleset: Ruleset, met: Steps) -> tuple[Step, int]:
    """A question with more than one answer."""
    return next(
        (step, seat)
        for step in random.Random(1).sample(met, len(met))
        for seat in ruleset.turn(step.before).waiting
        if len(ruleset.legal(step.before, seat)) > 1
    )


def test_it_tries_every_action_in_turn(ruleset: Ruleset, open_question: tuple[Step, int]) -> None:
    """With one iteration for each action, the generator has no influence."""
    step, seat = open_question
    true = worlds(ruleset, step.before, seat)
    found = {text(choose(ruleset, true, seat, random.Random(n), Effort(1))) for n in range(30)}
    assert len(found) > 1


def test_it_stops_when_it_has_searched_enough(
    ruleset: Ruleset, open_question: tuple[Step, int]
) -> None:
    step, seat = open_question
    blind, asked = ruleset.blind(step.before, seat), itertools.count()
    search(
        ruleset,
        Worlds(ruleset.mind.hidden, blind, seat),
        seat,
        Effort(1000, lambda: next(asked) == 4),
        random.Random(1),
    )
    assert next(asked) == 5


@pytest.mark.parametrize(("unforeseen", "expected"), [(False, {0, 1, 2}), (True, {0})])
def test_what_others_do_may_be_unforeseen(unforeseen: bool, expected: set[int]) -> None:
    """Then only the searching seat is asked for sensible actions."""
    asked = set[int]()

    def policy(_state: State, seat: int, legal: list[Json]) -> list[float]:
        asked.add(seat)
        return [1.0] * len(legal)

    mind = Mind(policy=policy, unforeseen=unforeseen)
    ruleset = dataclasses.replace(rules.load("market-price"), mind=mind)
    state = ruleset.initial(3, {})
    while chance := ruleset.turn(state).chance:
        outcome = [*chance.items]
        state = ruleset.act(state, {"kind": "chance", "name": chance.name, "outcome": outcome})
    assert ruleset.turn(state).waiting == (0,)
    chosen(ruleset, state, 0, Effort(1))
    assert asked == expected


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result((1,), (3, 9), "points"), [0.0, 1.0]),
        (Result((0, 1), (4, 4), "points"), [0.9, 0.9]),
        (Result((1,), (3, 9, 6), "points"), [0.0, 1.0, 0.05]),
        (Result((), (2, 6, 4), "nobody"), [0.0, 0.0, 0.0]),
        (Result((2,), (19, 13, 8), "survivor"), [0.0, 0.0, 0.9]),
        (Result((0,), (None, None), "sold"), [0.9, 0.0]),
    ],
)
def test_the_result_comes_first_then_the_score_where_it_decides(
    result: Result, expected: list[float]
) -> None:
    assert rewards(result) == pytest.approx(expected)


def test_it_stops_when_nothing_can_change_its_mind() -> None:
    """A row of 25 points can be sold, which wins, so it is sold: every other action is tried less and less."""
    ruleset = rules.load("caravan")
    table: Any = ruleset.initial(2, {})
    for _ in range(2):
        items = ruleset.turn(table).chance.items
        table = ruleset.act(table, {"kind": "chance", "name": "", "outcome": items[::-1]})
    for seat in range(2):
        opening = {"kind": "action", "seat": seat, "action": ruleset.legal(table, seat)[0]}
        table = ruleset.act(table, opening)
    won = table.change(rows=(((), ("Th", "5h", "Td"), ()), ((), (), ())), sold=(0, None, None))
    looks = itertools.count()
    effort = Effort(2000, lambda: next(looks) < 0)
    assert choose(ruleset, worlds(ruleset, won, 0), 0, random.Random(1), effort)["type"] == "sell"
    assert next(looks) < 1900


def test_who_is_contented_draws_one_of_those_that_it_tried_often() -> None:
    """The searches are the same; then a card nearly as good is played at times, but never one that was hardly tried."""
    ruleset = rules.load("market-price")
    state = ruleset.initial(3, {})
    while chance := ruleset.turn(state).chance:
        outcome = shuffled(chance.items, random.Random(5))
        state = ruleset.act(state, {"kind": "chance", "name": chance.name, "outcome": outcome})
    true = worlds(ruleset, state, 0)
    best, often, ever = (
        [
            text(choose(ruleset, true, 0, random.Random(seed), Effort(40, contented=contented)))
            for seed in range(8)
        ]
        for contented in (1.0, 0.7, 0.0)
    )
    assert best != often
    same = [sum(a == b for a, b in zip(best, drawn, strict=True)) for drawn in (often, ever)]
    assert same[0] > same[1]


@pytest.mark.parametrize(
    ("done", "spent", "left"), [(50, 0.0, 150), (50, 0.5, 50), (50, 0.1, 150), (50, 1.0, 0)]
)
def test_what_is_left_of_an_effort_follows_from_its_time_too(
    done: int, spent: float, left: float
) -> None:
    assert Effort(200, spent=lambda: spent).left(done) == pytest.approx(left)


def test_a_level_ends_with_its_time() -> None:
    now = itertools.count(0.0, 0.3)
    effort = LEVELS["strong"].effort(lambda: next(now))
    assert [effort.enough() for _ in range(4)] == [False, False, False, True]
    assert effort.spent() > 1


def test_easy_alone_is_contented_with_less() -> None:
    contented = {name: level.effort(lambda: 0.0).contented for name, level in LEVELS.items()}
    assert contented["easy"] < 1
    assert contented["normal"] == contented["strong"] == 1
