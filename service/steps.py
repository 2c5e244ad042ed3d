"""Step by step to one of many actions: by type, then by its declared parameters, in order, value by value.

Nothing here knows a game or a word. A step parts the actions that are left, so that each of them is reached by one
way alone; where there is nothing to decide there is no step. What has been decided is told by the places of the ways
that were taken, and so holds no card.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, NamedTuple

from rules.kernel import Json, Param, text

FEW = 12
"""Actions that are offered whole, and values of cards that are; more are narrowed."""

Types = Mapping[str, tuple[Param, ...]]
"""The parameters of each type of action, as a ruleset declares them."""


class About(Enum):
    """What a step decides; CARD: the next card of a value of cards, ACTION: all that is left."""

    TYPE = "type"
    VALUE = "value"
    CARD = "card"
    ACTION = "action"


class _Absent:
    """The value of a parameter that an action goes without, and the card after the last one."""


ABSENT = _Absent()


class Way(NamedTuple):
    """A type, a value or a card (None: an action as a whole), and the places of the actions it leads to."""

    value: Any
    left: tuple[int, ...]


class Step(NamedTuple):
    """What is decided next, and about which parameter; `named`: the cards of its value so far."""

    about: About
    ways: tuple[Way, ...]
    parameter: Param | None = None
    named: tuple[str, ...] = ()


class Walk(NamedTuple):
    """The steps that were taken, each with its way, and the one that comes next."""

    path: tuple[int, ...]
    taken: tuple[tuple[Step, Way], ...]
    step: Step


def path_of(written: str | None) -> tuple[int, ...]:
    """The places of the ways in `2.0.14`."""
    return tuple(map(int, written.split("."))) if written else ()


def walk(types: Types, legal: Sequence[Json], path: Sequence[int]) -> Walk:
    """Where a path leads to; one that cannot be walked leads nowhere: it is at the first step."""
    left, taken = tuple(range(len(legal))), []
    for place in path:
        now = step(types, legal, left)
        if now.about is About.ACTION or place >= len(now.ways):
            return Walk((), (), step(types, legal, tuple(range(len(legal)))))
        taken.append((now, now.ways[place]))
        left = now.ways[place].left
    return Walk(tuple(path), tuple(taken), step(types, legal, left))


def step(types: Types, legal: Sequence[Json], left: tuple[int, ...]) -> Step:
    """What there is to decide among the actions that are left."""
    kinds = _parted(left, lambda place: legal[place]["type"])
    if len(left) > FEW and len(kinds) > 1:
        return Step(About.TYPE, kinds)
    parameters = types[legal[left[0]]["type"]] if len(left) > FEW else ()
    steps = (_by_value(legal, left, parameter) for parameter in parameters)
    whole = Step(About.ACTION, tuple(Way(None, (place,)) for place in left))
    return next((each for each in steps if len(each.ways) > 1), whole)


def value_of(action: Json, parameter: Param) -> Any:
    """What an action says of a parameter."""
    return action.get(parameter.name, ABSENT)


def _by_value(legal: Sequence[Json], left: tuple[int, ...], parameter: Param) -> Step:
    """The values of a parameter, or the next card where they are many."""
    ways = _parted(left, lambda place: value_of(legal[place], parameter))
    if len(ways) > FEW and parameter.kind in {"cards", "sequence"}:
        return _by_card(legal, left, parameter)
    return Step(About.VALUE, ways, parameter)


def _by_card(legal: Sequence[Json], left: tuple[int, ...], parameter: Param) -> Step:
    """The cards that come next in some value."""
    spelled = dict(zip(left, _spelled(legal, left, parameter), strict=True))
    named = _agreed(spelled.values())
    at = len(named)

    def after(place: int) -> Any:
        return spelled[place][at] if len(spelled[place]) > at else ABSENT

    return Step(About.CARD, _parted(left, after), parameter, named)


def _spelled(legal: Sequence[Json], left: Iterable[int], parameter: Param) -> list[tuple[str, ...]]:
    """The values card by card: a sequence as it is, cards without an order in that of the whole list."""
    values = [tuple(legal[place].get(parameter.name) or ()) for place in left]
    if parameter.kind == "sequence":
        return values
    listed = (action.get(parameter.name) for action in legal)
    cards = dict.fromkeys(card for value in listed if isinstance(value, list) for card in value)
    order = {card: place for place, card in enumerate(cards)}
    return [tuple(sorted(value, key=order.__getitem__)) for value in values]


def _agreed(values: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The cards with which all of them begin."""
    first, *others = values
    for length in range(len(first), 0, -1):
        if all(each[:length] == first[:length] for each in others):
            return first[:length]
    return ()


def _parted(left: tuple[int, ...], by: Callable[[int], Any]) -> tuple[Way, ...]:
    """The actions that are left, by what `by` says of each, in the order of the list."""
    values: dict[Hashable, Any] = {}
    places: dict[Hashable, list[int]] = {}
    for place in left:
        value = by(place)
        key = value if value is ABSENT else text(value)
        values.setdefault(key, value)
        places.setdefault(key, []).append(place)
    return tuple(Way(value, tuple(places[key])) for key, value in values.items())
