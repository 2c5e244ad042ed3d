"""Schemas of actions, and who knows what was done: over random games and stored histories of every ruleset.

Whether somebody may know a parameter is not asked of its declaration: another action that leads to positions which a
viewer cannot tell apart must be told to that viewer in the same words.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from rules.kernel import Json, Ruleset, Sealed, State, Viewer, action_schema, actions, plain, text
from rules.kernel.states import is_open
from tests.rules.playouts import Step, Steps, actors, viewers
from tests.rules.sample_games import Tour
from tests.rules.worlds import seen

SECRET = {
    "2459n": {"draw.keep", "stay.keep", "put-back.keep"},
    "blame-the-magic": {"choose.cards", "return.card"},
    "joretsu": {"keep.card"},
    "oracle-land": {"secret.card"},
    "trunk-and-peddler": {"trunk.card"},
}
"""The parameters that only the acting seat ever knows, by the specifications; everybody knows all others."""


RARE = {("show", None)}
"""A complete collection, shown before the clock runs out: no game that is played by picking reaches this."""


@pytest.fixture(scope="session")
def acted(met: Steps, thorough: bool) -> list[Step]:
    """Steps in which a seat acts; some of every sort come first."""
    found = [step for step in met if step.event["kind"] == "action"]
    return found if thorough else found[:250]


def test_only_what_the_specifications_keep_secret_is_declared_so(ruleset: Ruleset) -> None:
    declared = {
        f"{kind}.{each.name}"
        for kind, parameters in ruleset.actions.items()
        for each in parameters
        if each.secret
    }
    assert declared == SECRET.get(ruleset.slug, set())


def validators(ruleset: Ruleset) -> dict[str, Any]:
    return {
        kind: jsonschema.Draft202012Validator(action_schema(kind, parameters, ruleset.players))
        for kind, parameters in ruleset.actions.items()
    }


def fitting(schemas: dict[str, Any], action: object) -> list[str]:
    return [kind for kind, each in schemas.items() if each.is_valid(action)]


def test_every_legal_action_fits_the_schema_of_its_type_alone(ruleset: Ruleset, met: Steps) -> None:
    schemas = validators(ruleset)
    used = set[tuple[str, str | None]]()
    for step in met:
        for seat in actors(ruleset, step.before):
            legal = ruleset.legal(step.before, seat)
            for action in [*legal[:: 1 + len(legal) // 20], legal[-1]]:
                assert fitting(schemas, action) == [action["type"]], action
                used |= {(action["type"], name) for name in (None, *action) if name != "type"}
    declared = {
        (kind, name)
        for kind, parameters in ruleset.actions.items()
        for name in (None, *(each.name for each in parameters))
    }
    assert used <= declared
    assert declared - used <= RARE, declared - used


def mutated(action: Json, parameters: tuple[Any, ...]) -> Iterator[Json]:
    """Faulty variants of the action: a member too many or too few, a value of another kind, a value out of range."""
    yield {**action, "more": 1}
    yield {name: value for name, value in action.items() if name != "type"}
    for each in parameters:
        if each.name not in action:
            continue
        if not each.optional:
            yield {name: value for name, value in action.items() if name != each.name}
        value = action[each.name]
        for wrong in ({}, 1.5, -1, 100_000, "Zz", "6-66", [value], ["As"] * 99):
            yield {**action, each.name: wrong}
        if isinstance(value, list):
            yield {**action, each.name: value * 2}
            yield {**action, each.name: []}


def test_what_is_nearly_an_action_fits_none(ruleset: Ruleset, acted: list[Step]) -> None:
    schemas = validators(ruleset)
    for step in acted[:60]:
        action = step.event["action"]
        for wrong in mutated(action, ruleset.actions[action["type"]]):
            assert not fitting(schemas, wrong), wrong


def test_a_seat_knows_all_that_it_did_and_others_no_sealed_choice(
    ruleset: Ruleset, acted: list[Step]
) -> None:
    for step in acted:
        seat, action = step.event["seat"], step.event["action"]
        open_at_once = is_open(step.before, action)
        for viewer in viewers(step.before):
            taken = ruleset.taken(step.before, step.event, step.after, viewer)
            if viewer == seat:
                assert taken.action == action
            elif open_at_once:
                assert taken.action is not None
                assert taken.action["type"] == action["type"]
            else:
                assert taken.action is None
            for chosen in taken.opened:
                if viewer == chosen.seat:
                    held = step.before.choice(viewer) if isinstance(step.before, Sealed) else None
                    whole = action if viewer == seat and not open_at_once else held
                    assert chosen.action == plain(whole)


def test_what_is_opened_is_no_longer_sealed(ruleset: Ruleset, acted: list[Step]) -> None:
    opened = 0
    for step in acted:
        taken = ruleset.taken(step.before, step.event, step.after, None)
        opened += len(taken.opened)
        if taken.opened:
            assert not any(getattr(step.after, "choices", ()))
    assert bool(opened) == any(isinstance(step.before, Sealed) for step in acted)


def test_nobody_can_tell_worlds_apart_by_actions(ruleset: Ruleset, acted: list[Step]) -> None:
    """Unseen cards get other names, and sealed choices become other ones."""
    rng = random.Random(2)
    for step in acted:
        for viewer in viewers(step.before):
            before, event = ruleset.indistinguishable(step.before, step.event, viewer, rng)
            after = ruleset.act(before, event)
            here = ruleset.taken(step.before, step.event, step.after, viewer)
            assert here == ruleset.taken(before, event, after, viewer)


def others(ruleset: Ruleset, step: Step, viewer: Viewer, rng: random.Random) -> Iterator[Step]:
    """The same position with other actions of the seat, and other choices of the others."""
    seat = step.event["seat"]
    for action in nearest(ruleset.legal(step.before, seat), step.event["action"], rng):
        before = step.before
        if isinstance(before, Sealed) and any(before.choices):
            before = _chosen_anew(before, (viewer, seat), rng)
        event = {**step.event, "action": action}
        yield Step(before, event, ruleset.act(before, event))


def nearest(legal: list[Json], action: Json, rng: random.Random) -> Iterator[Json]:
    """Other legal actions: for each parameter one that differs only in it, and any other."""
    by_difference: dict[tuple[str, ...], list[Json]] = {}
    for other in legal:
        differs = [name for name in action if other.get(name) != action[name]]
        by_difference.setdefault(tuple(differs), []).append(other)
    for difference, alike in by_difference.items():
        if difference:
            yield rng.choice(alike)


def _chosen_anew(before: Sealed, but: tuple[Viewer, int], rng: random.Random) -> Sealed:
    choices = list(before.choices)
    for other, choice in enumerate(choices):
        if choice is not None and other not in but:
            sealed = [each for each in before.legal(other) if not is_open(before, each)]
            choices[other] = rng.choice(sealed)
    return before.change(choices=tuple(choices))


def same_to(ruleset: Ruleset, viewer: Viewer, here: State, there: State) -> bool:
    return ruleset.lines(here, viewer) == ruleset.lines(there, viewer) and seen(
        ruleset, here, viewer
    ) == seen(ruleset, there, viewer)


def leaks(ruleset: Ruleset, step: Step, viewer: Viewer, rng: random.Random) -> tuple[int, int]:
    """The number of other actions that look the same to a viewer, and how many of them have different words."""
    alike = told_apart = 0
    for other in others(ruleset, step, viewer, rng):
        if other.event == step.event or not same_to(ruleset, viewer, step.after, other.after):
            continue
        alike += 1
        here = ruleset.taken(step.before, step.event, step.after, viewer)
        told_apart += here != ruleset.taken(other.before, other.event, other.after, viewer)
    return alike, told_apart


def test_other_actions_that_look_the_same_are_told_in_the_same_words(
    ruleset: Ruleset, acted: list[Step]
) -> None:
    rng, alike = random.Random(3), 0
    for step in acted:
        for viewer in viewers(step.before):
            if viewer != step.event["seat"]:
                found, told_apart = leaks(ruleset, step, viewer, rng)
                assert not told_apart, (viewer, step.event)
                alike += found
    assert alike or not any(isinstance(step.before, Sealed) for step in acted)


def test_a_secret_that_is_opened_to_all_is_found(
    ruleset: Ruleset, acted: list[Step], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each secret parameter in turn, by one of the two proofs above."""
    for name in {each.split(".")[1] for each in SECRET.get(ruleset.slug, set())}:
        widened = {
            kind: tuple(
                each._replace(secret=each.secret and each.name != name) for each in parameters
            )
            for kind, parameters in ruleset.actions.items()
        }
        for kind, parameters in widened.items():
            monkeypatch.setitem(ruleset.actions, kind, parameters)  # type: ignore[arg-type]  # a dict
        steps = itertools.chain(acted, acted_in_secret(ruleset))
        assert any(is_leak(ruleset, step) for step in steps), name
        monkeypatch.undo()


def acted_in_secret(ruleset: Ruleset) -> Iterator[Step]:
    """Steps of further games in which a seat does something that only it ever knows."""
    secret = SECRET.get(ruleset.slug, set())
    for step in itertools.chain.from_iterable(game.steps for game in Tour(ruleset, 1)):
        action = step.event.get("action", {})
        if any(f"{action['type']}.{name}" in secret for name in action):
            yield step


@pytest.mark.parametrize("leak", ["shown at once", "opened by the first"])
def test_a_sealed_choice_that_is_known_too_early_is_found(
    ruleset: Ruleset, acted: list[Step], monkeypatch: pytest.MonkeyPatch, leak: str
) -> None:
    """This excludes choices of which the others never learn anything: which card is hidden, or taken into the hand."""
    sealing = {type(step.before) for step in acted if tells(ruleset, step)}
    if leak == "shown at once":
        monkeypatch.setattr(actions, "is_open", lambda state, action: True)
    for phase in sealing:
        if leak == "opened by the first":
            monkeypatch.setattr(phase, "opens", lambda self, event, after: _with(self, event))
    for phase in sealing:
        steps = [step for step in acted if type(step.before) is phase]
        assert any(is_leak(ruleset, step) for step in steps), phase


def tells(ruleset: Ruleset, step: Step) -> bool:
    """Whether others will know the choice, and it could have been different."""
    seat, before = step.event["seat"], step.before
    if not isinstance(before, Sealed) or is_open(before, step.event["action"]):
        return False
    secret = SECRET.get(ruleset.slug, set())
    known = {
        text(
            {name: value for name, value in each.items() if f"{each['type']}.{name}" not in secret}
        )
        for each in ruleset.legal(before, seat)
        if not is_open(before, each)
    }
    return len(known) > 1


def _with(before: Sealed, event: Json) -> list[Json | None]:
    choices = list(before.choices or (None,) * before.players)
    choices[event["seat"]] = event["action"]
    return choices


def is_leak(ruleset: Ruleset, step: Step) -> bool:
    rng = random.Random(4)
    for viewer in viewers(step.before):
        if viewer == step.event["seat"]:
            continue
        before, event = ruleset.indistinguishable(step.before, step.event, viewer, rng)
        after = ruleset.act(before, event)
        here = ruleset.taken(step.before, step.event, step.after, viewer)
        if here != ruleset.taken(before, event, after, viewer):
            return True
        if leaks(ruleset, step, viewer, rng)[1]:
            return True
    return False
