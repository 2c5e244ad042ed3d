"""Many legal actions narrowed down step by step: by type, then by the declared parameters, in order, value by value.

Nothing here knows a game or its words. Each step divides the remaining actions, so that each of them can be reached in
exactly one way; where there is nothing to decide, there is no step. A path is the list of the positions of the chosen
options, so it contains no card.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple

from rules.kernel import Json, Param, text
from rules.kernel.actions import Types

MOST_LISTED = 12
"""The most actions, or values of cards, that are listed in full; longer lists are narrowed down."""


class Decision(Enum):
    """What a step decides.

    CARD: the next card of a value that consists of cards; ACTION: one of the remaining actions.
    """

    TYPE = "type"
    VALUE = "value"
    CARD = "card"
    ACTION = "action"


class Choice(NamedTuple):
    """A type, value or card to choose, and the positions of the actions to which it leads.

    The value is None for a whole action, for an action without the parameter, and if no card follows.
    """

    value: object
    places: tuple[int, ...]


class NarrowingStep(NamedTuple):
    """The next decision, with its parameter if it has one; `prefix` has the cards of the value that are already
    chosen.
    """

    decision: Decision
    options: tuple[Choice, ...]
    parameter: Param | None = None
    prefix: tuple[str, ...] = ()


class Narrowing(NamedTuple):
    """The steps taken along a path, each with the chosen option, and the next step."""

    path: tuple[int, ...]
    taken: tuple[tuple[NarrowingStep, Choice], ...]
    step: NarrowingStep


def parse_path(written: str | None) -> tuple[int, ...]:
    """The positions in a path like `2.0.14`."""
    return tuple(map(int, written.split("."))) if written else ()


def narrow(types: Types, legal: Sequence[Json], path: Sequence[int]) -> Narrowing:
    """The steps along a path that narrows down `legal`; a path that does not exist is treated as empty."""
    remaining, taken = tuple(range(len(legal))), []
    for place in path:
        step = next_step(types, legal, remaining)
        if step.decision is Decision.ACTION or place >= len(step.options):
            return narrow(types, legal, ())
        taken.append((step, step.options[place]))
        remaining = step.options[place].places
    return Narrowing(tuple(path), tuple(taken), next_step(types, legal, remaining))


def next_step(types: Types, legal: Sequence[Json], remaining: tuple[int, ...]) -> NarrowingStep:
    """The next decision among the remaining actions."""
    by_type = _divided(remaining, lambda place: legal[place]["type"])
    if len(remaining) > MOST_LISTED and len(by_type) > 1:
        return NarrowingStep(Decision.TYPE, by_type)
    parameters = types[legal[remaining[0]]["type"]] if len(remaining) > MOST_LISTED else ()
    steps = (_step_by_value(legal, remaining, parameter) for parameter in parameters)
    whole = NarrowingStep(Decision.ACTION, tuple(Choice(None, (place,)) for place in remaining))
    return next((step for step in steps if len(step.options) > 1), whole)


def _step_by_value(
    legal: Sequence[Json], remaining: tuple[int, ...], parameter: Param
) -> NarrowingStep:
    """A step that chooses a value of a parameter; if there are many values of cards, only their next card."""
    options = _divided(remaining, lambda place: legal[place].get(parameter.name))
    if len(options) > MOST_LISTED and parameter.kind in {"cards", "sequence"}:
        return _step_by_card(legal, remaining, parameter)
    return NarrowingStep(Decision.VALUE, options, parameter)


def _step_by_card(
    legal: Sequence[Json], remaining: tuple[int, ...], parameter: Param
) -> NarrowingStep:
    """A step that chooses the next card in the value of a parameter."""
    spelled = {place: legal[place].get(parameter.name) or () for place in remaining}
    if parameter.kind == "cards":  # the next cards, in the order in which `legal` first names them
        listed = (action.get(parameter.name) for action in legal)
        order = list(dict.fromkeys(itertools.chain(*(v for v in listed if isinstance(v, list)))))
        spelled = {place: sorted(cards, key=order.index) for place, cards in spelled.items()}
    columns = zip(*spelled.values(), strict=False)
    shared = itertools.takewhile(lambda cards: len(set(cards)) == 1, columns)
    prefix = tuple(cards[0] for cards in shared)
    following = {place: [*cards, None][len(prefix)] for place, cards in spelled.items()}
    options = _divided(remaining, following.__getitem__)
    return NarrowingStep(Decision.CARD, options, parameter, prefix)


def _divided(remaining: tuple[int, ...], key: Callable[[int], object]) -> tuple[Choice, ...]:
    """The remaining actions grouped by `key`, in the order of the list."""
    groups: dict[str, list[int]] = {}
    for place in remaining:
        groups.setdefault(text(key(place)), []).append(place)
    return tuple(Choice(key(places[0]), tuple(places)) for places in groups.values())
