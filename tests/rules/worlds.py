"""Worlds: what happened, and what could have happened as far as a viewer can tell."""

from __future__ import annotations

import difflib
import pprint
from collections import Counter
from typing import Any

from rules.kernel import Json, Ruleset, State, Viewer
from rules.kernel import declarations as declare
from tests.rules.playouts import Step, codes, lying, viewers

Pair = tuple[State, State]
"""The state before an event and the one after it."""
FEW = 3
"""The number of cards hidden from a viewer before and after an event from which there must be another world.

Fewer may all lie in one hand, or in packs that do not mix.
"""


class Difference(AssertionError):
    """Two worlds differ in what a viewer is shown, or can learn.

    How is worked out when somebody reads it: an `assert` of pytest would do so each time a planted leak is found.
    """

    def __init__(self, here: Any, there: Any) -> None:
        super().__init__(here, there)
        self.worlds = here, there

    def __str__(self) -> str:
        here, there = (pprint.pformat(each).splitlines() for each in self.worlds)
        return "\n".join(difflib.unified_diff(here, there, "here", "there", lineterm=""))


def same(here: Any, there: Any) -> None:
    """Raise Difference unless both are equal."""
    if here != there:
        raise Difference(here, there)


def other_world(ruleset: Ruleset, step: Step, viewer: Viewer, rng: Any) -> Pair:
    """Another world that `viewer` must not be able to tell from this one, before the event of a step and after it."""
    before, event = ruleset.indistinguishable(step.before, step.event, viewer, rng)
    return before, ruleset.act(before, event)


def seen(ruleset: Ruleset, state: State, viewer: Viewer) -> Json:
    """Everything that a viewer is shown of a state, apart from lines, or can learn of it.

    The fallback is played before everybody's eyes when a seat runs out of time.
    """
    turn = ruleset.turn(state)
    due = turn.chance and (turn.chance.name, len(turn.chance.items))
    return {
        "view": ruleset.view(state, viewer),
        "legal": ruleset.legal(state, viewer),
        "turn": turn._replace(chance=None),
        "due": due,
        "result": ruleset.result(state),
        "fallback": None if viewer is None else ruleset.fallback(state, viewer),
        "question": None if viewer is None else ruleset.question(state, viewer),
    }


def compare(ruleset: Ruleset, viewer: Viewer, real: Pair, other: Pair) -> None:
    """Raise Difference if `viewer` can tell the two worlds apart."""
    for here, there in zip(real, other, strict=True):
        same(seen(ruleset, here, viewer), seen(ruleset, there, viewer))
        fallbacks_tell_nothing(ruleset, here, there)
    same(ruleset.lines(real[1], viewer), ruleset.lines(other[1], viewer))
    same(ruleset.headings(*real), ruleset.headings(*other))


def fallbacks_tell_nothing(ruleset: Ruleset, here: State, there: State) -> None:
    """A seat that could do the same in both worlds gets the same fallback if it runs out of time.

    So a fallback says no more about a hand than the legal actions do: everybody sees it played.
    """
    for seat in ruleset.turn(here).waiting:
        if ruleset.legal(here, seat) == ruleset.legal(there, seat):
            same(ruleset.fallback(here, seat), ruleset.fallback(there, seat))


def check(ruleset: Ruleset, step: Step, rng: Any) -> None:
    """Raise Difference if anybody can tell what happened from what could have happened."""
    for viewer in viewers(step.before):
        check_viewer(ruleset, step, viewer, rng)


def check_viewer(ruleset: Ruleset, step: Step, viewer: Viewer, rng: Any) -> None:
    """Raise Difference if this viewer can tell what happened from what could have happened."""
    other = other_world(ruleset, step, viewer, rng)
    compare(ruleset, viewer, (step.before, step.after), other)


def hidden(ruleset: Ruleset, states: Pair, viewer: Viewer) -> int:
    """The number of cards that the viewer sees neither before nor after an event, nor in a line that mentions them."""
    before, after = states
    chance = ruleset.turn(before).chance
    there = lying(before) | Counter(chance.items if chance else ())
    told = Counter(
        code
        for line in ruleset.lines(after, viewer)
        for name in ruleset.transient.get(line["line"], ())
        for code in codes(line[name])
    )
    unseen = there - on_view(before, viewer), lying(after) - on_view(after, viewer), there - told
    return sum(min(each[code] for each in unseen) for code in there)


def on_view(state: State, viewer: Viewer) -> Counter[str]:
    """The cards that declared zones and facts show."""
    shown = declare.shown(state.declared, state, viewer)
    zones = [face for entry in shown.zones for face in entry.get("cards", ())]
    faces = [face["card"] if isinstance(face, dict) and "card" in face else face for face in zones]
    facts = [list(entry.values()) for entry in shown.facts]
    return Counter(codes([faces, facts]))
