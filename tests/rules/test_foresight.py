"""The foresight of an action: it comes true, and says no more than the seat knows."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from rules.kernel import Change, Json, Ruleset, State, foresee, text
from tests.rules.playouts import Step, Steps

TRIED = 20
"""The number of steps of each ruleset that are tried."""
Look = Callable[[Ruleset, State, int, Json], Any]


@pytest.fixture(scope="module")
def played(met: Steps) -> list[Step]:
    """Steps that are actions."""
    actions = [step for step in met if step.event["kind"] == "action"]
    return random.Random(1).sample(actions, min(TRIED, len(actions)))


def foreseen(ruleset: Ruleset, state: State, seat: int, action: Json) -> Any:
    return foresee(ruleset, state, seat, action, random.Random)


def all_knowing(ruleset: Ruleset, state: State, seat: int, action: Json) -> Any:
    """A foresight that leaks what the seat will really see."""
    return ruleset.view(
        ruleset.act(state, {"kind": "action", "seat": seat, "action": action}), seat
    )


def telling(ruleset: Ruleset, played: list[Step], look: Look) -> int:
    """The number of times that a foresight tells two positions apart that look the same to the acting seat."""
    found = 0
    for step in played:
        seat, action = step.event["seat"], step.event["action"]
        blind = ruleset.blind(step.before, seat)
        other = ruleset.world(blind, seat, random.Random(1))
        here, there = (look(ruleset, state, seat, action) for state in (step.before, other))
        found += text(here) != text(there)
    return found


def test_it_is_the_same_in_all_positions_that_the_seat_cannot_tell_apart(
    ruleset: Ruleset, played: list[Step]
) -> None:
    assert telling(ruleset, played, foreseen) == 0


def test_a_foresight_that_looks_at_the_truth_is_found(ruleset: Ruleset, played: list[Step]) -> None:
    assert telling(ruleset, played, all_knowing) > 0


def test_what_is_foreseen_comes_true(ruleset: Ruleset, played: list[Step]) -> None:
    said = 0
    for step in played:
        seat, state = step.event["seat"], step.after
        while due := ruleset.turn(state).chance:
            outcome = random.Random(2).sample(due.items, len(due.items))
            state = ruleset.act(state, {"kind": "chance", "name": due.name, "outcome": outcome})
        if any(step.before.opens(step.event, step.after)):
            continue  # what is foreseen is what the seat sees before the choices are opened
        zones, facts = foreseen(ruleset, step.before, seat, step.event["action"])
        view = ruleset.view(state, seat)
        assert all(came_true(change, view["zones"]) for change in zones), (step.event, zones)
        assert all(came_true(change, view["facts"]) for change in facts), (step.event, facts)
        said += bool(zones or facts)
    assert said


def came_true(change: Change, shown: list[Json]) -> bool:
    """Whether a change can be seen; for a zone perhaps only in its number of cards."""
    if change.after is None:
        return change.before not in shown
    return any(
        change.after in (each, {key: it for key, it in each.items() if key != "cards"})
        for each in shown
    )
