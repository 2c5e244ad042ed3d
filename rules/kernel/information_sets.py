"""Information sets: everything that a seat cannot tell from the present position.

`blind` is the canonical representative of the set, the same for each of its members, so that whoever is given it knows
what the seat knows and no more. `Worlds` draws members at random: positions that the rules allow, as far as
`holds` and `order` of the zones and the game's own `Hidden` say.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rules.kernel.declarations import Choices, Fact, Inner, Marked, Place, Viewer, Zone, everyone
from rules.kernel.declarations import places as places_of
from rules.kernel.matching import matched
from rules.kernel.randomness import Random, one_of, shuffled
from rules.kernel.states import Sealed, State
from rules.kernel.values import CODE, Json, frozen

if TYPE_CHECKING:
    from rules.kernel.ruleset import Ruleset

Cards = tuple[str, ...]


class Address(NamedTuple):
    """Where unseen cards lie: a field, its seat and index; a position only if it is known too."""

    field: str
    seat: int | None = None
    index: int | None = None  # type: ignore[assignment]  # hides a method of tuples
    position: int | None = None


Dealt = Mapping[Address, Sequence[str]]
"""Cards, and where they lie."""


class Hidden(NamedTuple):
    """What a game says about cards that a seat does not see, beyond where each can lie.

    `reserve(blind, seat, unseen, rng)` deals the places that have to hold certain cards together, from `unseen`, which
    is in random order; `complete(state, seat, rng)` sets what follows from hidden cards. `lacking(before, after, line)`
    says which cards a place cannot have because of what was told: positions and line as the seat sees them.
    `learn(notes, before, after, line)` is what the game notes besides, None at first; `recall(notes, blind, seat,
    unseen, rng)` deals cards that have to be somewhere because of that, from those that are not known to lie elsewhere.
    """

    reserve: Callable[[Any, Viewer, Cards, Random], Dealt] = lambda blind, seat, unseen, rng: {}
    complete: Callable[[Any, Viewer, Random], Any] = lambda state, seat, rng: state
    lacking: Callable[[Any, Any, Json], Iterable[tuple[Address, Iterable[str]]]] = (
        lambda before, after, line: ()
    )
    learn: Callable[[Any, Any, Any, Json], Any] = lambda notes, before, after, line: notes
    recall: Callable[[Any, Any, Viewer, Cards, Random], Dealt] = (
        lambda notes, blind, seat, unseen, rng: {}
    )


NOTHING = Hidden()
"""Nothing more than what the zones say."""


def blind(ruleset: Ruleset, state: State, seat: Viewer) -> State:
    """The one representative of all positions that `seat` cannot tell from `state`.

    Unseen cards lie in canonical order, sealed choices of others and whatever else follows from hidden cards are
    blank, and the last event is told as the seat was told it.
    """
    unseen = _Unseen(ruleset, state, seat)
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
    return state.change(**values, told=frozen(ruleset.lines(state, seat)))


def _without_hidden(declaration: Fact, state: State, seat: Viewer, value: Any) -> Any:
    """A fact without what the seat does not see of it."""
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
    """A place, and which of its cards a seat does not see: the `start`-th unseen card of the state and those after."""

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
        """What lies there with other cards in place of the unseen ones; `arranged`: in the order of the place."""
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


class _Unseen:
    """The cards of a state that a seat does not see, in the order of the places where they lie."""

    def __init__(self, ruleset: Ruleset, state: State, seat: Viewer) -> None:
        self.state = state
        self.own_packs = ruleset.own_packs
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
        """Cards that bookkeeping names lie where nobody sees them."""
        value = getattr(self.state, attr)
        if isinstance(value, tuple) and value and all(_is_card(each) for each in value):
            lying = _Lying(Address(attr), value, [*range(len(value))], len(self.cards), None)
            self.fields[attr] = (None, [lying])
            self.cards += value
            self.slots += [(None, Place(position=n)) for n in range(len(value))]

    def places(self) -> Iterator[_Lying]:
        """The places with unseen cards."""
        for _, found in self.fields.values():
            yield from found

    def home(self, slot: int) -> int | None:
        """Whose pack a card comes from, if each seat has its own."""
        return self.slots[slot][1].seat if self.own_packs else None

    def packs(self) -> list[list[int]]:
        """The slots of each pack."""
        slots: dict[int | None, list[int]] = {}
        for slot in range(len(self.cards)):
            slots.setdefault(self.home(slot), []).append(slot)
        return list(slots.values())

    def in_order(self) -> list[str]:
        """The cards of each pack in the order of their codes."""
        cards = list(self.cards)
        for slots in self.packs():
            for slot, card in zip(slots, sorted(self.cards[slot] for slot in slots), strict=True):
                cards[slot] = card
        return cards

    def dealt(self, cards: list[str], *, arranged: bool = True) -> dict[str, Any]:
        """The fields with these cards in place of the unseen ones."""
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


def lying(ruleset: Ruleset, state: State, seat: Viewer) -> dict[str, Address]:
    """Where each card lies that the seat does not see; of equal cards the first."""
    unseen, found = _Unseen(ruleset, state, seat), dict[str, Address]()
    for place in unseen.places():
        for n, position in enumerate(place.positions):
            found.setdefault(
                unseen.cards[place.start + n], place.address._replace(position=position)
            )
    return found


def _is_card(value: object) -> bool:
    return isinstance(value, str) and bool(CODE.fullmatch(value))


class Worlds:
    """Truths that fit a blind state: positions that `seat` cannot tell from it, as the rules allow them.

    `known` are cards of which the seat remembers where they went, `excluded` those that a place cannot have, `notes`
    what the game has learned besides (`Hidden.learn`).
    """

    def __init__(
        self,
        ruleset: Ruleset,
        blind: State,
        seat: Viewer,
        known: Dealt | None = None,
        excluded: Mapping[Address, Iterable[str]] | None = None,
        notes: object = None,
    ) -> None:
        self._ruleset, self._blind, self._seat = ruleset, blind, seat
        self._unseen = _Unseen(ruleset, blind, seat)
        self._slots = _Slots(self._unseen)
        self._known, self._notes = dict(known or {}), notes
        self._located = Counter(card for lying in self._known.values() for card in lying)
        self._hard = [self._possible(slot) for slot in range(len(self._unseen.cards))]
        self._excluded = {at: frozenset(cards) for at, cards in (excluded or {}).items()}
        self._soft = self._excluding()

    def draw(self, rng: Random) -> State:
        """One of them."""
        cards = self._assigned(rng)
        state = self._blind.change(**self._unseen.dealt(cards)) if cards else self._blind
        state = self._ruleset.hidden.complete(state, self._seat, rng)
        return _chosen(self._ruleset, state, self._seat, rng)

    def where(self, address: Address, card: str) -> Worlds:
        """Those in which this card lies there, if there are any."""
        found = copy.copy(self)
        found._known = {**self._known, address: (card,)}
        found._located = Counter(each for lying in found._known.values() for each in lying)
        return found

    def _loose(self, cards: Cards) -> Cards:
        """The cards of which it is not known where they lie."""
        known, loose = self._located.copy(), []
        for card in cards:
            if known[card]:
                known[card] -= 1
            else:
                loose.append(card)
        return tuple(loose)

    def _fitting(self, dealt: Dealt) -> Dealt:
        """What of it is allowed by what is remembered."""
        return {address: cards for address, cards in dealt.items() if self._fits(address, cards)}

    def _fits(self, address: Address, cards: Sequence[str]) -> bool:
        gone = self._excluded.get(address._replace(position=None), ())
        return not any(card in gone for card in cards)

    def _possible(self, slot: int) -> frozenset[str]:
        """The cards that can lie in a slot."""
        unseen = self._unseen
        zone, place = unseen.slots[slot]
        home = unseen.home(slot)
        cards = {card for other, card in enumerate(unseen.cards) if unseen.home(other) == home}
        if zone is None or zone.holds is None:
            return frozenset(cards)
        holds = zone.holds
        return frozenset(card for card in cards if holds(self._blind, place, card))

    def _excluding(self) -> list[frozenset[str]]:
        """What is left of the possible cards without those that a place cannot have."""
        left = list(self._hard)
        for lying in self._unseen.places():
            gone = self._excluded.get(lying.address, frozenset())
            for slot in range(lying.start, lying.start + len(lying.positions)) if gone else ():
                left[slot] -= gone
        return left

    def _assigned(self, rng: Random) -> list[str]:
        """The unseen cards, dealt anew: with all that is remembered or, if that cannot be, without."""
        unseen = self._unseen.cards
        mixed = tuple(shuffled(unseen, rng))
        hidden = self._ruleset.hidden
        reserved = self._fitting(hidden.reserve(self._blind, self._seat, mixed, rng))
        recalled: Dealt = {}
        if self._notes is not None:
            loose = self._loose(mixed)
            dealt = hidden.recall(self._notes, self._blind, self._seat, loose, rng)
            recalled = self._fitting(dealt)
        for possible, certain in (
            (self._soft, [reserved, self._known, recalled]),
            (self._soft, [reserved, self._known]),
            (self._hard, [reserved]),
            (self._hard, []),
        ):
            cards = self._slots.fitted(possible, certain, rng)
            if cards is not None:
                return cards
        return unseen


class _Slots:
    """Where the unseen cards of a state can come to lie: worked out once, however many worlds are drawn."""

    def __init__(self, unseen: _Unseen) -> None:
        self.cards = unseen.cards
        self._packs = [(slots, [unseen.cards[slot] for slot in slots]) for slots in unseen.packs()]
        self._of: dict[Address, range] = {}
        self._at: dict[Address, int] = {}
        for lying in unseen.places():
            slots = range(lying.start, lying.start + len(lying.positions))
            self._of[lying.address] = slots
            for position, slot in zip(lying.positions, slots, strict=True):
                self._at[lying.address._replace(position=position)] = slot

    def fitted(
        self, possible: list[frozenset[str]], dealt: Sequence[Dealt], rng: Random
    ) -> list[str] | None:
        """The unseen cards in an order in which each can lie where it comes to lie; None if there is none."""
        fixed = self._placed(possible, dealt)
        if fixed is None:
            return None
        found = list(self.cards)
        for slots, cards in self._packs:
            free, left = slots, cards
            if fixed:
                free = [slot for slot in slots if slot not in fixed]
                left = _rest(cards, [fixed[slot] for slot in slots if slot in fixed])
            if len(left) != len(free):
                return None
            mixed = matched([possible[slot] for slot in free], shuffled(left, rng), rng)
            if mixed is None:
                return None
            for slot, card in zip(free, mixed, strict=True):
                found[slot] = card
        for slot, card in fixed.items():
            found[slot] = card
        return found

    def _placed(
        self, possible: list[frozenset[str]], dealt: Sequence[Dealt]
    ) -> dict[int, str] | None:
        """Slots for cards of which it is certain in which place they lie; None if there are none."""
        fixed: dict[int, str] = {}
        wanted: dict[Address, Counter[str]] = {}
        for each in dealt:
            for address, cards in each.items():
                if (at := self._at.get(address)) is not None:
                    fixed.update((at, card) for card in cards)
                elif address in self._of:
                    wanted[address] = wanted.get(address, Counter()) | Counter(cards)
        for address, counted in wanted.items():
            free = [slot for slot in self._of[address] if slot not in fixed]
            for card in counted.elements():
                slot = next((slot for slot in free if card in possible[slot]), None)
                if slot is None:
                    return None
                free.remove(slot)
                fixed[slot] = card
        return fixed


def _rest(cards: list[str], gone: list[str]) -> list[str]:
    """The cards without those that are gone, as far as they are among them."""
    left = cards.copy()
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def _chosen(ruleset: Ruleset, state: State, seat: Viewer, rng: Random) -> State:
    """The state with a legal choice for each seat whose choice is sealed."""
    if not isinstance(state, Sealed) or not any(choice == {} for choice in state.choices):
        return state
    choices = list(state.choices)
    for other, choice in enumerate(choices):
        if choice == {}:
            sealed = [each for each in state.legal(other) if not is_open(state, each)]
            choices[other] = frozen(one_of(sealed, rng))
    return state.change(choices=tuple(choices))


def is_open(state: State, action: Mapping[str, Any]) -> bool:
    """Whether an action is played at once beside sealed choices, so that everybody sees it."""
    return hasattr(state, "do_" + action["type"].replace("-", "_"))
