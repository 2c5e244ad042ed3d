"""Declarations: every field of a state declares who may see it, and views follow from that.

A field is a `zone` (cards or tiles), a `fact` (anything else that people are shown) or `inner` bookkeeping that nobody
is shown. Making a class raises TypeError if it has a field without a declaration. *Who* is `everyone`, `owner`, `size`,
`sealed`, or a function of (state, viewer, place) that is asked for each card. (Specification of the rules, View.)

The type `Any` stands for states, since each ruleset has its own, and for the values of fields, since only the
declaration tells how their tuples nest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from rules.kernel.values import Json, JsonValue, plain

Viewer = int | None
"""A seat; None for a spectator."""


class Place(NamedTuple):
    """The place of a card: seat and index of its zone (None if the zone has none), and its position there."""

    seat: int | None = None
    index: int | None = None  # type: ignore[assignment]  # mypy: this hides a method of tuples
    position: int | None = None


Who = Callable[[Any, Viewer, Place], bool]


class Marked(NamedTuple):
    """A card with marks that everybody sees, for example `Marked("Kd", ("turned",))`."""

    card: str | None
    marks: tuple[str, ...]


def everyone(state: Any, viewer: Viewer, place: Place) -> bool:
    """Visible to everybody: seats and spectators alike."""
    return True


def owner(state: Any, viewer: Viewer, place: Place) -> bool:
    """Visible to the seat to which the place belongs; others see the number of cards."""
    return viewer is not None and viewer == place.seat


def owner_until_over(state: Any, viewer: Viewer, place: Place) -> bool:
    """Visible to the seat to which the place belongs and, when the game is over, to everybody."""
    return state.phase == "over" or owner(state, viewer, place)


def size(state: Any, viewer: Viewer, place: Place) -> bool:
    """Visible to nobody; everybody sees the number of cards."""
    return False


def sealed(state: Any, viewer: Viewer, place: Place) -> bool:
    """Visible to the seat that chose; others see whether it has chosen."""
    return viewer is not None and viewer == place.seat


PASSED = "passed"
"""The name of facts about who has passed. A question does not change if only such facts change."""

_COUNTED = (owner, size)
"""The declarations whose hidden zones are shown as a number, not as a row of backs."""


class Shown:
    """The part of a state that a viewer has been shown so far."""

    def __init__(self, state: Any, viewer: Viewer) -> None:
        self.state, self.viewer = state, viewer
        self.committed: list[int] = []
        self.zones: list[Json] = []
        self.facts: list[Json] = []


Holds = Callable[[Any, Place, str], bool]
"""A function (state, place, card) that tells whether the rules let a card lie in a place."""
Order = Callable[[Any], tuple[Any, ...]]
"""A function of a state that gives the order of the cards that came to a place one by one."""


class Zone(NamedTuple):
    """The declaration of a zone: cards in one or several places.

    `per` says how the tuples nest (None, "seat", "index", "seat index").
    """

    name: str
    who: Who
    kind: str
    per: str | None
    holds: Holds | None = None
    order: Order | None = None

    def show(self, out: Shown, value: Any, who: Who) -> None:
        for seat, index, lying in places(self.per, value):
            cards = _row(lying)
            entry: Json = {"name": self.name}
            if seat is not None:
                entry["seat"] = seat
            if index is not None:
                entry["index"] = index
            entry["kind"] = self.kind
            entry["count"] = len(cards) - cards.count(None)
            if who is everyone:
                entry["cards"] = [_face(card) for card in cards]
            elif who not in _COUNTED:
                entry["cards"] = _faces(out, who, seat, index, cards)
            elif who(out.state, out.viewer, Place(seat)):
                entry["cards"] = [_face(card) for card in cards]
            out.zones.append(entry)


class Fact(NamedTuple):
    """The declaration of a fact, a value other than cards.

    `key` is its name in the view; `per` says how the tuples nest, as for zones.
    """

    name: str
    who: Who
    key: str
    per: str | None

    def show(self, out: Shown, value: Any, who: Who) -> None:
        for seat, index, single in places(self.per, value):
            if single is not None and who(out.state, out.viewer, Place(seat, index)):
                of = {"of": seat, "index": index}
                where = {name: place for name, place in of.items() if place is not None}
                out.facts.append({"name": self.name, **where, self.key: plain(single)})


class Choices(NamedTuple):
    """The declaration of a phase's sealed choices, by seat.

    Everybody sees who has chosen; only the viewers that `who` names see the choice.
    """

    name: str
    who: Who

    def show(self, out: Shown, value: Any, who: Who) -> None:
        for seat, choice in enumerate(value):
            if choice is not None:
                out.committed.append(seat)
                if who(out.state, out.viewer, Place(seat)):
                    parameters = {key: plain(v) for key, v in choice.items() if key != "type"}
                    out.facts.append({"name": choice["type"], "of": seat, **parameters})


class Inner(NamedTuple):
    """The declaration of bookkeeping that is shown to nobody.

    Only the test of the proof, which widens declarations, shows it as a fact.
    """

    name: str
    who: Who = size
    secret: bool = False

    def show(self, out: Shown, value: Any, who: Who) -> None:
        if who is everyone:
            out.facts.append({"name": self.name, "value": plain(value)})


Declaration = Zone | Fact | Choices | Inner


# These return Any, as `dataclasses.field` does: a field has the type that it is annotated with.


def zone(
    who: Who,
    kind: str = "row",
    *,
    per: str | None = None,
    name: str | None = None,
    holds: Holds | None = None,
    order: Order | None = None,
    default: Any = dataclasses.MISSING,
) -> Any:
    """The declaration of a field of cards, as the default of a dataclass field.

    Its kind is hand, pile, row, trick, line, ladder or grid; `owner` implies `per="seat"`. A seat's assumptions about
    unseen cards come from two functions: `holds` tells which cards can lie in a place (without it, any card can), and
    `order` sorts them if the order in which they lie reveals nothing about how they came there.
    """
    if who is sealed:
        return _field(lambda attr: Choices(name or attr, who), default)
    nesting = per or ("seat" if who is owner else None)
    return _field(lambda attr: Zone(name or attr, who, kind, nesting, holds, order), default)


def fact(
    who: Who,
    key: str = "value",
    *,
    per: str | None = None,
    name: str | None = None,
    default: Any = dataclasses.MISSING,
) -> Any:
    """The declaration of a field that people are shown and that is not a card; the view leaves it out while it is
    None.
    """
    return _field(lambda attr: Fact(name or attr, who, key, per), default)


def inner(*, secret: bool = False, default: Any = dataclasses.MISSING) -> Any:
    """The declaration of bookkeeping that nobody is shown; `secret` if it depends on something that not everybody
    sees.
    """
    return _field(lambda attr: Inner(attr, secret=secret), default)


def declarations(cls: type) -> tuple[tuple[str, Declaration], ...]:
    """The name and the declaration of every field, beginning with the table's fields.

    Raises TypeError if a field has no declaration.
    """
    found = []
    for entry in dataclasses.fields(cls):
        if "declare" not in entry.metadata:
            raise TypeError(f"{cls.__name__}.{entry.name} does not declare who sees it")
        found.append((entry.name, entry.metadata["declare"](entry.name)))
    return tuple(found)


def shown(
    declared: tuple[tuple[str, Declaration], ...],
    state: Any,
    viewer: Viewer,
    widened: Mapping[str, Who] | None = None,
) -> Shown:
    """The part of `state` that the declarations alone show `viewer`.

    `widened` replaces declarations, by the names of their fields.
    """
    out = Shown(state, viewer)
    for attr, declaration in declared:
        who = declaration.who if widened is None else widened.get(attr, declaration.who)
        declaration.show(out, getattr(state, attr), who)
    return out


def opened(declared: tuple[tuple[str, Declaration], ...]) -> dict[str, Who]:
    """Declarations that show every card, fact and choice to everybody, but no bookkeeping; by the names of fields."""
    return {attr: everyone for attr, each in declared if not isinstance(each, Inner)}


class Derived(NamedTuple):
    """The prompt and the facts that follow from several fields of a state; they are the same for everybody."""

    prompt: Json
    facts: list[Json]


def derived(state: Any) -> Derived:
    """The prompt and the facts that the methods of a state return."""
    return Derived(plain(state.prompt()), [plain(each) for each in state.facts()])


def view(
    declared: tuple[tuple[str, Declaration], ...],
    state: Any,
    viewer: Viewer,
    widened: Mapping[str, Who] | None = None,
    *,
    follows: Derived | None = None,
) -> Json:
    """The part of `state` that `viewer` may see: the declared fields, and the facts that follow from them.

    `widened` replaces declarations, by the names of their fields. `follows` are the derived facts of the state, if they
    are known already.
    """
    out = shown(declared, state, viewer, widened)
    follows = follows or derived(state)
    return {
        "phase": state.phase,
        "prompt": follows.prompt,
        "committed": out.committed,
        "zones": out.zones,
        "facts": out.facts + follows.facts,
    }


def same_shown(before: Any, after: Any, viewer: Viewer, but: str) -> bool:
    """Whether declarations show `viewer` the same in two states of a phase, apart from the facts named `but`.

    It does not matter who has committed. An unchanged field is skipped if its visibility depends on nothing else.
    """
    old, new = before.__dict__, after.__dict__
    for attr, declaration in before.declared:
        if isinstance(declaration, Inner) and declaration.who is size:
            continue  # shown to nobody
        if declaration.who in _FIXED and (old[attr] is new[attr] or old[attr] == new[attr]):
            continue
        first, second = Shown(before, viewer), Shown(after, viewer)
        declaration.show(first, old[attr], declaration.who)
        declaration.show(second, new[attr], declaration.who)
        if first.zones != second.zones or others(first.facts, but) != others(second.facts, but):
            return False
    return True


def changed_zones(state: Any, other: Any, viewer: Viewer) -> list[Json]:
    """The zones of `state` as `viewer` sees them, without the zones that are certainly the same in the `other`
    state.
    """
    out, there = Shown(state, viewer), dict(other.declared)
    for attr, declaration in state.declared:
        if isinstance(declaration, Zone):
            value, who = state.__dict__[attr], declaration.who
            same = attr in there and there[attr].who is who and other.__dict__[attr] is value
            if not same or who not in _FIXED:
                declaration.show(out, value, who)
    return out.zones


def others(facts: list[Json], but: str) -> list[Json]:
    """The facts that are not named `but`."""
    return [fact for fact in facts if fact["name"] != but]


_FIXED = frozenset({everyone, owner, size, sealed})
"""The declarations of *who* that depend only on the viewer and the place."""


def _field(declare: Callable[[str], Declaration], default: Any) -> Any:
    return dataclasses.field(default=default, metadata={"declare": declare})


def places(per: str | None, value: Any) -> Iterator[tuple[int | None, int | None, Any]]:
    """The contents of each place of a field, as (seat, index, contents); seat or index are None where the place has
    none.
    """
    if per is None:
        yield None, None, value
    elif per == "seat index":
        for seat, row in enumerate(value):
            for index, single in enumerate(row):
                yield seat, index, single
    else:
        for number, single in enumerate(value):
            yield (number, None, single) if per == "seat" else (None, number, single)


def _row(cards: Any) -> tuple[Any, ...]:
    """The cards of a zone as a tuple; the zone may also hold a single card, or None."""
    if isinstance(cards, str | Marked):
        return (cards,)
    return cards if cards is not None else ()


def _faces(
    out: Shown, who: Who, seat: int | None, index: int | None, cards: tuple[Any, ...]
) -> list[JsonValue]:
    return [
        _face(card, seen=card is None or who(out.state, out.viewer, Place(seat, index, position)))
        for position, card in enumerate(cards)
    ]


def _face(card: str | Marked | None, *, seen: bool = True) -> JsonValue:
    if card is None:
        return {"is": ["vacant"]}
    if not isinstance(card, Marked):
        return card if seen else None
    face: Json = {"card": card.card} if seen and card.card is not None else {}
    return {**face, "is": list(card.marks)}
