"""What is true and what could be: two truths that a viewer must not be able to tell apart."""

from __future__ import annotations

from typing import Any

from rules.kernel import Json, Ruleset, State, Viewer
from tests.rules.playouts import Step, viewers

Pair = tuple[State, State]
"""Before an event and after it."""


def truth(ruleset: Ruleset, step: Step, viewer: Viewer, rng: Any) -> Pair:
    """What could be before the event of a step, and after it."""
    before, event = ruleset.elsewise(step.before, step.event, viewer, rng)
    return before, ruleset.act(before, event)


def seen(ruleset: Ruleset, state: State, viewer: Viewer) -> Json:
    """All that a viewer is shown of a state, besides lines."""
    turn = ruleset.turn(state)
    due = turn.chance and (turn.chance.name, len(turn.chance.items))
    return {
        "view": ruleset.view(state, viewer),
        "legal": ruleset.legal(state, viewer),
        "turn": turn._replace(chance=None),
        "due": due,
        "result": ruleset.result(state),
    }


def compare(ruleset: Ruleset, viewer: Viewer, real: Pair, other: Pair) -> None:
    """Raise AssertionError if `viewer` can tell one from the other."""
    for state, could in zip(real, other, strict=True):
        assert seen(ruleset, state, viewer) == seen(ruleset, could, viewer)
    assert ruleset.lines(real[1], viewer) == ruleset.lines(other[1], viewer)


def check(ruleset: Ruleset, step: Step, rng: Any) -> None:
    """Raise AssertionError if anybody can tell what happened from what could have."""
    for viewer in viewers(step.before):
        other = truth(ruleset, step, viewer, rng)
        compare(ruleset, viewer, (step.before, step.after), other)
