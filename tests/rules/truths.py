"""What is true and what could be: two truths that a viewer must not be able to tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.kernel import Json, Ruleset, State, Viewer
from tests.rules.playouts import Step, viewers


def truths(ruleset: Ruleset, step: Step, viewer: Viewer, rng: Any) -> Iterator[tuple[State, State]]:
    """What is true and what could be: before the event, and after it."""
    before, event = ruleset.elsewise(step.before, step.event, viewer, rng)
    yield step.before, before
    yield step.after, ruleset.act(before, event)


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


def check(ruleset: Ruleset, step: Step, rng: Any) -> None:
    for viewer in viewers(step.before):
        (before, other_before), (after, other_after) = truths(ruleset, step, viewer, rng)
        assert seen(ruleset, before, viewer) == seen(ruleset, other_before, viewer)
        assert seen(ruleset, after, viewer) == seen(ruleset, other_after, viewer)
        assert ruleset.lines(after, viewer) == ruleset.lines(other_after, viewer)
