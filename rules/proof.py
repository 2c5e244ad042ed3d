"""The proof that nothing leaks: `elsewise` makes another truth that a seat cannot tell from the present one.

Cards that the seat sees neither before nor after the event change names among themselves, everywhere in the state and
in the event; choices of others that stay sealed become other legal ones. Both truths are then played by `act`, and
view, legal actions, who is waiting and lines must be equal. For tests: nothing in play uses it.
(rules/README.md of the specification, Proof.)
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from typing import Any

from rules.declare import Inner, Viewer, Zone
from rules.kernel import Ruleset, Sealed, State
from rules.values import Json, frozen

CODE = re.compile(r"[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+")
"""A card or a domino (rules/README.md of the specification, Notation)."""


def elsewise(
    ruleset: Ruleset, state: State, event: Json, seat: Viewer, rng: Any
) -> tuple[State, Json]:
    """Another (state, event) of the same look for `seat`; `rng` is a `random.Random`."""
    then = ruleset.act(state, event)
    names = _renaming(ruleset, state, event, then, seat, rng)
    return _rechosen(renamed(state, names), renamed(event, names), then, seat, rng)


def renamed(value: Any, names: dict[str, str]) -> Any:
    """`value` with every card renamed, at any depth."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, State):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return value.change(**renamed(fields, names))
    if isinstance(value, dict):
        return {key: renamed(each, names) for key, each in value.items()}
    if isinstance(value, list):
        return [renamed(each, names) for each in value]
    if isinstance(value, tuple):
        each = (renamed(one, names) for one in value)
        return type(value)(*each) if hasattr(value, "_fields") else tuple(each)
    return value


def _renaming(
    ruleset: Ruleset, state: State, event: Json, then: State, seat: Viewer, rng: Any
) -> dict[str, str]:
    told = [line for line in ruleset.lines(then, seat) if line["line"] in ruleset.passing]
    seen = set(_strings([ruleset.view(state, seat), ruleset.view(then, seat), told]))
    cards = {*_cards(ruleset, state), *_cards(ruleset, then), *event.get("outcome", ())}
    groups: dict[Any, list[str]] = {}
    for card in sorted(cards - seen):
        groups.setdefault(ruleset.alike(then, card), []).append(card)
    names: dict[str, str] = {}
    for group in groups.values():
        names.update(zip(group, rng.sample(group, len(group)), strict=True))
    return names


def _rechosen(state: State, event: Json, then: State, seat: Viewer, rng: Any) -> tuple[State, Json]:
    """Choices of others that are sealed after the event too become other legal ones."""
    if not isinstance(state, Sealed) or not isinstance(then, Sealed):
        return state, event
    hidden = [other for other, choice in enumerate(then.choices) if choice and other != seat]
    choices = list(state.choices)
    for other in hidden:
        action = rng.choice([each for each in state.legal(other) if not _is_open(state, each)])
        if state.choice(other) is not None:
            choices[other] = frozen(action)
        elif event.get("seat") == other:
            event = {**event, "action": action}
    return state.change(choices=tuple(choices)), event


def _is_open(state: State, action: Json) -> bool:
    """Whether an action is played at once beside sealed choices: it would show."""
    return hasattr(state, "do_" + action["type"].replace("-", "_"))


def _cards(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Every card of a due chance, in zones, and in bookkeeping, where other words stand too."""
    chance = ruleset.turn(state).chance
    yield from chance.items if chance else ()
    for attr, declaration in state.declared:
        if isinstance(declaration, Zone):
            yield from _strings(getattr(state, attr), marks=False)
        elif isinstance(declaration, Inner) and attr != "told":
            yield from filter(CODE.fullmatch, _strings(getattr(state, attr)))


def _strings(value: Any, *, marks: bool = True) -> Iterator[str]:
    """Every string value in a JSON value or in the cards of a zone (without the marks of marked cards)."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _all(value.values(), marks)
    elif not marks and hasattr(value, "_fields"):
        yield from _strings(value[0], marks=marks)
    elif isinstance(value, list | tuple):
        yield from _all(value, marks)


def _all(values: Iterable[Any], marks: bool) -> Iterator[str]:
    for value in values:
        yield from _strings(value, marks=marks)
