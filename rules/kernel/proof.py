"""The proof that nothing leaks: `indistinguishable` makes another world that a seat cannot tell from the present one.

Cards that the seat sees neither before nor after the event change names among themselves, everywhere in the state and
in the event; choices of others that stay sealed become other legal ones. Both worlds are then played by `act`, and
view, legal actions, who is waiting and lines must be equal. For tests: nothing in play uses it.
(Specification of the rules, Proof.)
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Hashable, Iterable, Iterator
from typing import Any

from rules.kernel.declarations import Inner, Marked, Viewer, Zone
from rules.kernel.randomness import Random
from rules.kernel.ruleset import Ruleset
from rules.kernel.states import Sealed, State
from rules.kernel.values import Json, frozen

CODE = re.compile(r"[A2-9TJQK][shdc]|Jk|[0-9]+-[0-9]+")
"""A card or a domino (specification of the rules, Notation)."""


def indistinguishable(
    ruleset: Ruleset, state: State, event: Json, seat: Viewer, rng: Random
) -> tuple[State, Json]:
    """Another (state, event) that looks the same to `seat`."""
    then = ruleset.act(state, event)
    names = _renaming(ruleset, state, event, then, seat, rng)
    return _with_other_choices(renamed(state, names), renamed(event, names), then, seat, rng)


# Any, in and out: a value of any type is renamed to one of the same type.
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
    ruleset: Ruleset, state: State, event: Json, then: State, seat: Viewer, rng: Random
) -> dict[str, str]:
    told = [line for line in ruleset.lines(then, seat) if line["line"] in ruleset.transient]
    seen = set(_strings([ruleset.view(state, seat), ruleset.view(then, seat), told]))
    cards = {*_cards(ruleset, state), *_cards(ruleset, then), *event.get("outcome", ())}
    groups: dict[Hashable, list[str]] = {}
    for card in sorted(cards - seen):
        groups.setdefault(ruleset.equivalence_class(then, card), []).append(card)
    names: dict[str, str] = {}
    for group in groups.values():
        names.update(zip(group, rng.sample(group, len(group)), strict=True))
    return names


def _with_other_choices(
    state: State, event: Json, then: State, seat: Viewer, rng: Random
) -> tuple[State, Json]:
    """Other legal choices in place of those that are still hidden from `seat` after the event."""
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
    """Whether an action is played at once beside sealed choices, so that everybody sees it."""
    return hasattr(state, "do_" + action["type"].replace("-", "_"))


def _cards(ruleset: Ruleset, state: State) -> Iterator[str]:
    """Every card of a chance that is due, in zones, and in bookkeeping, which holds other texts too."""
    chance = ruleset.turn(state).chance
    yield from chance.items if chance else ()
    for attr, declaration in state.declared:
        if isinstance(declaration, Zone):
            yield from _strings(getattr(state, attr), marks=False)
        elif isinstance(declaration, Inner) and attr != "told":
            yield from filter(CODE.fullmatch, _strings(getattr(state, attr)))


def _strings(value: object, *, marks: bool = True) -> Iterator[str]:
    """Every string in a JSON value or in the cards of a zone (there without the marks of marked cards)."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _all(value.values(), marks)
    elif not marks and isinstance(value, Marked):
        yield from _strings(value.card)
    elif isinstance(value, list | tuple):
        yield from _all(value, marks)


def _all(values: Iterable[object], marks: bool) -> Iterator[str]:
    for value in values:
        yield from _strings(value, marks=marks)
