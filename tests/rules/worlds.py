"""Worlds: what happened, and what could have happened as far as a viewer can tell."""

from __future__ import annotations

from typing import Any

from rules.kernel import Json, Ruleset, State, Viewer
from tests.rules.playouts import Step, viewers

Pair = tuple[State, State]
"""Before an event and after it."""


def other_world(ruleset: Ruleset, step: Step, viewer: Viewer, rng: Any) -> Pair:
    """Another world that `viewer` must not be able to tell from this one, before the event of a step and after it."""
    before, event = ruleset.indistinguishable(step.before, step.event, viewer, rng)
    return before, ruleset.act(before, event)


def seen(ruleset: Ruleset, state: State, viewer: Viewer) -> Json:
    """Everything that a viewer is shown of a state, apart from lines."""
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
    """Raise AssertionError if `viewer` can tell the two worlds apart."""
    for here, there in zip(real, other, strict=True):
        assert seen(ruleset, here, viewer) == seen(ruleset, there, viewer)
    assert ruleset.lines(real[1], viewer) == ruleset.lines(other[1], viewer)


def check(ruleset: Ruleset, step: Step, rng: Any) -> None:
    """Raise AssertionError if anybody can tell what happened from what could have happened."""
    for viewer in viewers(step.before):
        other = other_world(ruleset, step, viewer, rng)
        compare(ruleset, viewer, (step.before, step.after), other)
