"""Information sets: all positions that a seat cannot tell from the present one.

`blind` is the canonical representative of the set, the same for each of its members, so anybody who is given it knows
exactly what the seat knows. `Unseen` determines what a seat does not see, for this module and for worlds.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rules.kernel.declarations import Choices, Fact, Inner, Marked, Place, Viewer, Zone, everyone
from rules.kernel.declarations import places as places_of
from rules.kernel.lines import heard
from rules.kernel.mind import Address, Hidden
from rules.kernel.states import State
from rules.kernel.values import CODE, frozen


def blind(hidden: Hidden, state: State, seat: Viewer) -> State:
    """The one state that represents all positions that `seat` cannot tell from `state`.

    Unseen cards lie in canonical order. Others' sealed choices, and everything else that follows from hidden cards, are
    blank. The last event has the lines that the seat was told.
    """
    unseen = Unseen(hidden, state, seat)
    values = unseen.dealt(unseen.in_order(), arranged=False)
    for attr, declaration in state.declared:
        if isinstance(declaration, Fact) and declaration.who is not everyone:
            values[attr] = _without_hidden(declaration, state, seat, getattr(state, attr))
        elif isinstance(declaration, Inner) and declaration.secret:
            values[attr] = state.__dataclass_fields__[attr].default
        elif isinstance(declaration, Choices):
            each = enumerate(getattr(state, attr))
            values[attr] = tuple(
                choice if choice is None or declaration.who(state, seat, Place(by)) else {}
                for by, choice in each
            )
    return state.change(**values, told=frozen(heard(state.told, seat)))


def _without_hidden(declaration: Fact, state: State, seat: Viewer, value: Any) -> Any:
    """The value of a fact, with None or an empty tuple in place of the parts that the seat does not see."""
    if declaration.per is None:
        seen = declaration.who(state, seat, Place())
        return value if seen else () if isinstance(value, tuple) else None
    kept = {
        (of, index)
        for of, index, _ in places_of(declaration.per, value)
        if declaration.who(state, seat, Place(of, index))
    }
    if declaration.per == "seat index":
        return tuple(
            tuple(single if (of, index) in kept else None for index, single in enumerate(row))
            for of, row in enumerate(value)
        )
    by_seat = declaration.per == "seat"
    return tuple(
        single if ((n, None) if by_seat else (None, n)) in kept else None
        for n, single in enumerate(value)
    )


class _Lying:
    """A place with unseen cards; `start` is the index of its first one among all unseen cards of the state."""

    def __init__(
        self, address: Address, value: Any, positions: list[int], start: int, order: Any
    ) -> None:
        self.address, self.positions, self.start = address, positions, start
        self.single = not isinstance(value, tuple) or isinstance(value, Marked)
        self.cards = [value] if self.single else list(value)
        self.whole = len(positions) == len(self.cards) and all(
            isinstance(card, str) for card in self.cards
        )
        self.order = order if self.whole and not self.single else None

    def filled(self, cards: list[str], arranged: bool) -> Any:
        """The contents of the place, with new cards in place of the unseen ones.

        The new cards are those from `start` on in `cards`; if `arranged`, they get the order of the place.
        """
        unseen = cards[self.start : self.start + len(self.positions)]
        if self.order and arranged:
            return self.order(unseen)
        if self.whole:
            return unseen[0] if self.single else tuple(unseen)
        lying = list(self.cards)
        for position, card in zip(self.positions, unseen, strict=True):
            face = lying[position]
            lying[position] = face._replace(card=card) if isinstance(face, Marked) else card
        return lying[0] if self.single else tuple(lying)


class Unseen:
    """The cards of a state that a seat does not see, in the order of their places.

    Each has a slot, its index in them.
    """

    def __init__(self, hidden: Hidden, state: State, seat: Viewer) -> None:
        self.state = state
        self.own_packs = hidden.own_packs
        self.cards: list[str] = []
        self.slots: list[tuple[Zone | None, Place]] = []
        self.fields: dict[str, tuple[str | None, list[_Lying]]] = {}
        for attr, declaration in state.declared:
            if isinstance(declaration, Zone) and declaration.who is not everyone:
                self._add(attr, declaration, seat)
            elif isinstance(declaration, Inner) and attr not in ("told", "players"):
                self._add_named(attr)

    def _add(self, attr: str, zone: Zone, seat: Viewer) -> None:
        found = []
        for of, index, value in places_of(zone.per, getattr(self.state, attr)):
            cards = (
                value if isinstance(value, tuple) and not isinstance(value, Marked) else (value,)
            )
            positions, start = [], len(self.cards)
            for position, face in enumerate(cards):
                card = face.card if isinstance(face, Marked) else face
                place = Place(of, index, position)
                if card is not None and not zone.who(self.state, seat, place):
                    positions.append(position)
                    self.cards.append(card)
                    self.slots.append((zone, place))
            if positions:
                found.append(_Lying(Address(attr, of, index), value, positions, start, zone.order))
        if found:
            self.fields[attr] = (zone.per, found)

    def _add_named(self, attr: str) -> None:
        """Add the cards that a field of bookkeeping names: they lie where nobody sees them."""
        value = getattr(self.state, attr)
        names = value if isinstance(value, tuple) else ()
        if names and all(isinstance(each, str) and CODE.fullmatch(each) for each in names):
            lying = _Lying(Address(attr), value, [*range(len(value))], len(self.cards), None)
            self.fields[attr] = (None, [lying])
            self.cards += value
            self.slots += [(None, Place(position=n)) for n in range(len(value))]

    def places(self) -> Iterator[_Lying]:
        """The places that have unseen cards."""
        for _, found in self.fields.values():
            yield from found

    def home(self, slot: int) -> int | None:
        """The seat whose pack the card in a slot comes from; None unless each seat has a separate pack."""
        return self.slots[slot][1].seat if self.own_packs else None

    def packs(self) -> list[list[int]]:
        """The slots of each pack, as a list for each."""
        slots: dict[int | None, list[int]] = {}
        for slot in range(len(self.cards)):
            slots.setdefault(self.home(slot), []).append(slot)
        return list(slots.values())

    def in_order(self) -> list[str]:
        """The unseen cards, with the cards of each pack in the order of their codes."""
        cards = list(self.cards)
        for slots in self.packs():
            for slot, card in zip(slots, sorted(self.cards[slot] for slot in slots), strict=True):
                cards[slot] = card
        return cards

    def dealt(self, cards: list[str], *, arranged: bool = True) -> dict[str, Any]:
        """The fields of the state that have unseen cards, with `cards` in place of these."""
        values: dict[str, Any] = {}
        for attr, (per, found) in self.fields.items():
            value = getattr(self.state, attr)
            if per is None:
                values[attr] = found[0].filled(cards, arranged)
                continue
            rows = [list(row) for row in value] if per == "seat index" else list(value)
            for lying in found:
                of, index = lying.address.seat, lying.address.index
                if per == "seat index":
                    rows[of or 0][index or 0] = lying.filled(cards, arranged)
                else:
                    rows[(of if per == "seat" else index) or 0] = lying.filled(cards, arranged)
            values[attr] = tuple(map(tuple, rows)) if per == "seat index" else tuple(rows)
        return values


def lying(hidden: Hidden, state: State, seat: Viewer) -> dict[str, Address]:
    """The address of each card that the seat does not see, by card; of equal cards, the first one's."""
    unseen, found = Unseen(hidden, state, seat), dict[str, Address]()
    for place in unseen.places():
        for n, position in enumerate(place.positions):
            found.setdefault(
                unseen.cards[place.start + n], place.address._replace(position=position)
            )
    return found
