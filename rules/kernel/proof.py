"""The proof that nothing leaks: `indistinguishable` makes another world that a seat cannot tell from the present one.

Cards that the seat sees neither before nor after the event exchange their names, everywhere in the state and in the
event; hidden results of shuffles are reordered; others' choices that stay sealed become other legal ones. Both worlds
are then played by `act`, and views, legal actions, waiting seats and lines must be equal. What a seat *sees* is what
the declared zones and facts show it; what `prompt`, `facts` and `lines` show is what has to be proven. Only tests use
this module, and nothing in play does. (Specification of the rules, Proof.)
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, NamedTuple

from rules.kernel import declarations
from rules.kernel.declarations import Marked, Viewer, Zone
from rules.kernel.lines import heard
from rules.kernel.randomness import Random
from rules.kernel.states import Sealed, State, is_open
from rules.kernel.values import CODE, Json, frozen


class Proven(NamedTuple):
    """The parts of a ruleset that the proof needs (ruleset.py explains them)."""

    act: Callable[[State, Json], State]
    transient: Mapping[str, tuple[str, ...]]
    equivalence_class: Callable[[State, str], Hashable]
    own_packs: bool


class Copy(str):
    """The code of a card with a tag that follows it wherever it moves; it equals the plain code."""

    tag: int


Names = dict[int, str]
"""The new names of cards, by tag."""
_TAGS = itertools.count()
"""The counter of tags. No tag is used twice, since a game's caches may still hold cards of an earlier world."""


def indistinguishable(
    proven: Proven, state: State, event: Json, seat: Viewer, rng: Random
) -> tuple[State, Json]:
    """Another state and event that look the same to `seat`."""
    proven.act(state, event)  # so that the game's caches hold the result with untagged cards
    cards = Cards()
    state = cards.tagged(state)
    event = cards.tagged_in(state, event)
    then = proven.act(state, event)
    names = _renaming(proven, cards, (state, then), seat, rng)
    if event["kind"] == "chance":
        event = _shuffled(proven, cards, event, then, seat, rng)
    return _with_other_choices(renamed(state, names), renamed(event, names), then, seat, rng)


class Cards:
    """The cards of a state and of an event, each with its own tag."""

    def __init__(self) -> None:
        self.copies: dict[str, list[Copy]] = {}
        self.tags = set[int]()
        self.ambiguous = set[str]()
        """The codes of several cards, one of which is named without telling which."""
        self.coming = set[int]()
        """The tags of cards that a chance brings to the table; `_shuffled` mixes them."""

    def tagged(self, state: State) -> State:
        """The state with a tag on every card: first where cards lie, then where they are named."""
        fields: dict[str, object] = {}
        for attr, declaration in state.declared:
            if isinstance(declaration, Zone):
                fields[attr] = _each(getattr(state, attr), self._new)
        for attr, _ in state.declared:
            if attr not in fields and attr not in ("told", "choices"):
                fields[attr] = _each(getattr(state, attr), self._named)
        if isinstance(state, Sealed):
            state = state.change(**fields)
            choices = enumerate(state.choices)
            fields["choices"] = tuple(
                choice and self._of(state, by, choice) for by, choice in choices
            )
        return state.change(**fields)

    def tagged_in(self, state: State, event: Json) -> Json:
        """The event with tags: an action gets the tags of its seat's cards, a chance the tags of the shuffled cards."""
        if event["kind"] == "action":
            return {**event, "action": self._of(state, event["seat"], event["action"])}
        if event["kind"] != "chance":
            return event
        lying = {code: list(copies) for code, copies in self.copies.items()}
        here = {code for code in lying if event["outcome"].count(code) == len(lying[code])}
        outcome = list[Copy]()
        for code in event["outcome"]:
            if code in here:
                outcome.append(lying[code].pop())
            else:
                outcome.append(self._new(code))
                self.coming.add(outcome[-1].tag)
        return {**event, "outcome": outcome}

    def _new(self, code: str) -> Copy:
        copy = Copy(code)
        copy.tag = next(_TAGS)
        self.tags.add(copy.tag)
        self.copies.setdefault(code, []).append(copy)
        return copy

    def _named(self, word: str) -> str:
        if not CODE.fullmatch(word):
            return word
        known = self.copies.get(word, [])
        if len(known) > 1:
            self.ambiguous.add(word)
            return word
        return known[0] if known else self._new(word)

    def _of(self, state: State, seat: int, action: Json) -> Json:
        """An action with tags on the cards that it names and its seat has."""
        own: dict[str, Copy] = {card: card for card in _copies(list(_lying(state, seat)))}
        return {
            key: _each(value, lambda word: own.get(word) or self._named(word))
            for key, value in action.items()
        }


# Any in and out, since a value of any type is changed to one of the same type.
def _each(value: Any, change: Callable[[str], str]) -> Any:
    """`value` with `change` applied to every string inside it, at any depth."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each(one, change) for key, one in value.items()}
    if isinstance(value, Marked):
        return value._replace(card=None if value.card is None else change(value.card))
    if isinstance(value, list):
        return [_each(one, change) for one in value]
    if isinstance(value, tuple):
        each = (_each(one, change) for one in value)
        return type(value)(*each) if hasattr(value, "_fields") else tuple(each)
    return value


def renamed(value: Any, names: Names) -> Any:
    """`value` with its cards renamed, at any depth."""
    if isinstance(value, State):
        fields = {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}
        return value.change(**renamed(fields, names))
    return _each(
        value, lambda word: names.get(word.tag, str(word)) if isinstance(word, Copy) else word
    )


def _renaming(
    proven: Proven, cards: Cards, states: tuple[State, State], seat: Viewer, rng: Random
) -> Names:
    """New names for the cards that the seat sees neither before nor after the event."""
    then = states[1]
    seen = _Seen(
        cards, [*_seen(states[0], seat), *_seen(then, seat), *_passing(proven, then, seat)]
    )
    home = _homes(states) if proven.own_packs else {}
    groups: dict[Hashable, list[Copy]] = {}
    for code in sorted(cards.copies):
        for card in cards.copies[code]:
            if card not in seen and card.tag not in cards.coming:
                alike = proven.equivalence_class(then, card)
                groups.setdefault((home.get(card.tag), alike), []).append(card)
    names: Names = {}
    for group in groups.values():
        names.update((card.tag, str(other)) for card, other in _passed_on(group, rng))
    return names


def _shuffled(
    proven: Proven, cards: Cards, event: Json, then: State, seat: Viewer, rng: Random
) -> Json:
    """The event of a chance in which the cards that the seat does not see afterwards have another order, whether or not
    it saw them before.
    """
    seen = _Seen(cards, [*_seen(then, seat), *_passing(proven, then, seat)])
    groups: dict[Hashable, list[Copy]] = {}
    for card in event["outcome"]:
        if card not in seen:
            groups.setdefault(proven.equivalence_class(then, card), []).append(card)
    others = {
        card.tag: other for group in groups.values() for card, other in _passed_on(group, rng)
    }
    return {**event, "outcome": [others.get(card.tag, card) for card in event["outcome"]]}


def _passed_on(group: list[Copy], rng: Random) -> Iterator[tuple[Copy, Copy]]:
    """Pairs of a card and the card whose name it gets, so that each card of the group gets another one's name."""
    mixed = rng.sample(group, len(group))
    return zip(mixed, [*mixed[1:], *mixed[:1]], strict=True)


class _Seen:
    """The cards that somebody sees. Where a shown card has no known tag, every card with its code counts as seen."""

    def __init__(self, cards: Cards, shown: list[str]) -> None:
        self._tags, self._codes = set[int](), set(cards.ambiguous)
        for word in shown:
            if isinstance(word, Copy) and word.tag in cards.tags:
                self._tags.add(word.tag)
            else:
                self._codes.add(str(word))

    def __contains__(self, card: Copy) -> bool:
        return card.tag in self._tags or card in self._codes


def _homes(states: tuple[State, State]) -> dict[int, int]:
    """The seat at whose places each card lies, by the card's tag."""
    return {
        card.tag: seat
        for state in states
        for seat in range(state.players)
        for card in _copies(list(_lying(state, seat)))
    }


def _lying(state: State, seat: int) -> Iterator[object]:
    """The contents of each zone of a seat."""
    for attr, declaration in state.declared:
        if isinstance(declaration, Zone) and declaration.per in ("seat", "seat index"):
            places = getattr(state, attr)
            yield places[seat] if seat < len(places) else ()


def _copies(value: object) -> list[Copy]:
    """Every tagged card in a value of a state."""
    found = list[Copy]()

    def keep(word: str) -> str:
        if isinstance(word, Copy):
            found.append(word)
        return word

    _each(value, keep)
    return found


def _seen(state: State, seat: Viewer) -> Iterator[str]:
    """The strings in the declared zones and facts that `seat` is shown, among them the cards that it sees."""
    out = declarations.shown(state.declared, state, seat)
    yield from _strings([*out.zones, *out.facts])


def _passing(proven: Proven, then: State, seat: Viewer) -> Iterator[str]:
    """The strings in transient parameters of the lines that `seat` is told."""
    for line in heard(then.told, seat):
        yield from _strings([line[name] for name in proven.transient.get(line["line"], ())])


def _with_other_choices(
    state: State, event: Json, then: State, seat: Viewer, rng: Random
) -> tuple[State, Json]:
    """The state and the event with other legal choices in place of those that stay hidden from `seat` after the
    event.
    """
    if not isinstance(state, Sealed) or not isinstance(then, Sealed):
        return state, event
    hidden = [other for other, choice in enumerate(then.choices) if choice and other != seat]
    choices = list(state.choices)
    for other in hidden:
        action = rng.choice([each for each in state.legal(other) if not is_open(state, each)])
        if state.choice(other) is not None:
            choices[other] = frozen(action)
        elif event.get("seat") == other:
            event = {**event, "action": action}
    return state.change(choices=tuple(choices)), event


def _strings(value: object) -> Iterator[str]:
    """Every string in a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
