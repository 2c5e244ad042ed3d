"""House players choose among the legal actions of their seat, from what it sees and nothing else."""

from __future__ import annotations

import itertools
import random

import pytest

from rules.kernel import Json, Result, Ruleset, State, Worlds, text
from rules.players.house import choose
from rules.players.search import Effort, rewards, search
from tests.rules.playouts import Step, Steps

LITTLE = Effort(12)
LOOKED_AT = 25
"""At how many questions of a tour a house player is asked."""


def questions(ruleset: Ruleset, met: Steps) -> list[tuple[Step, int]]:
    """Steps before which a seat is waited for, and that seat."""
    found = [(step, seat) for step in met for seat in ruleset.turn(step.before).waiting]
    return found[:: 1 + len(found) // LOOKED_AT]


def chosen(ruleset: Ruleset, state: State, seat: int, effort: Effort = LITTLE) -> Json:
    """By a house player whose generator has always the same seed."""
    return choose(ruleset, ruleset.blind(state, seat), seat, random.Random(3), effort)


def test_a_house_player_chooses_one_of_the_legal_actions(met: Steps, ruleset: Ruleset) -> None:
    for step, seat in questions(ruleset, met):
        legal = ruleset.legal(step.before, seat)
        assert text(chosen(ruleset, step.before, seat)) in set(map(text, legal))


def test_it_chooses_the_same_in_all_positions_that_its_seat_cannot_tell_apart(
    met: Steps, ruleset: Ruleset
) -> None:
    rng = random.Random(1)
    for step, seat in questions(ruleset, met):
        other, _ = ruleset.indistinguishable(step.before, step.event, seat, rng)
        assert chosen(ruleset, other, seat) == chosen(ruleset, step.before, seat)


def test_it_tries_every_action_in_turn(ruleset: Ruleset, met: Steps) -> None:
    """With one iteration each, whatever the generator says comes out."""
    step, seat = next(
        each for each in questions(ruleset, met) if len(ruleset.legal(each[0].before, each[1])) > 1
    )
    blind = ruleset.blind(step.before, seat)
    found = {text(choose(ruleset, blind, seat, random.Random(n), Effort(1))) for n in range(30)}
    assert len(found) > 1


def test_it_stops_when_it_has_searched_enough(ruleset: Ruleset, met: Steps) -> None:
    step, seat = questions(ruleset, met)[0]
    blind, asked = ruleset.blind(step.before, seat), itertools.count()
    search(
        ruleset,
        Worlds(ruleset, blind, seat),
        seat,
        Effort(1000, lambda: next(asked) == 4),
        random.Random(1),
    )
    assert next(asked) == 5


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result((1,), (3, 9), "points"), [0.0, 1.0]),
        (Result((0, 1), (4, 4), "points"), [0.9, 0.9]),
        (Result((), (2, 6, 4), "nobody"), [0.0, 0.1, 0.05]),
        (Result((0,), (None, None), "sold"), [0.9, 0.0]),
    ],
)
def test_the_result_comes_first_and_the_score_second(result: Result, expected: list[float]) -> None:
    assert rewards(result) == pytest.approx(expected)


@pytest.mark.parametrize(("decisions", "iterations"), [(0, 60), (1, 60), (3, 20), (100, 4)])
def test_many_decisions_share_an_effort(decisions: int, iterations: int) -> None:
    assert Effort(60).shared(decisions).iterations == iterations
