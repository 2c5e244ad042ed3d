"""Worlds: positions that a seat cannot tell from the present one, as far as the rules allow them."""

from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from rules.kernel.declarations import Viewer
from rules.kernel.information_sets import Unseen
from rules.kernel.mind import Address, Cards, Dealt, Hidden
from rules.kernel.randomness import Random, one_of, shuffled
from rules.kernel.states import Sealed, State, is_open
from rules.kernel.values import frozen


class Worlds:
    """Positions that fit a blind state: `seat` cannot tell them from it, and the rules allow them.

    `known` are the cards whose places the seat remembers, `excluded` are the cards that a place cannot have, and
    `notes` is what the game has learned in addition (`Hidden.learn`).
    """

    def __init__(
        self,
        hidden: Hidden,
        blind: State,
        seat: Viewer,
        known: Dealt | None = None,
        excluded: Mapping[Address, Iterable[str]] | None = None,
        notes: object = None,
    ) -> None:
        self._hidden, self._blind, self._seat = hidden, blind, seat
        self._unseen = Unseen(hidden, blind, seat)
        self._slots = _Slots(self._unseen)
        self._known, self._notes = dict(known or {}), notes
        self._located = Counter(card for lying in self._known.values() for card in lying)
        self._hard = [self._possible(slot) for slot in range(len(self._unseen.cards))]
        self._excluded = {at: frozenset(cards) for at, cards in (excluded or {}).items()}
        self._soft = self._excluding()

    def draw(self, rng: Random) -> State:
        """One of the worlds, at random."""
        cards = self._assigned(rng)
        state = self._blind.change(**self._unseen.dealt(cards)) if cards else self._blind
        state = self._hidden.complete(state, self._seat, rng)
        return _chosen(state, rng)

    def where(self, address: Address, card: str) -> Worlds:
        """The worlds in which this card lies at the address.

        If it cannot lie there, draws ignore all that is remembered.
        """
        found = copy.copy(self)
        found._known = {**self._known, address: (card,)}
        found._located = Counter(each for lying in found._known.values() for each in lying)
        return found

    def _loose(self, cards: Cards) -> Cards:
        """The cards without those whose places are known."""
        known, loose = self._located.copy(), []
        for card in cards:
            if known[card]:
                known[card] -= 1
            else:
                loose.append(card)
        return tuple(loose)

    def _fitting(self, dealt: Dealt) -> Dealt:
        """The places of a deal, with their cards, in which nothing contradicts what the seat remembers."""
        return {
            address: cards
            for address, cards in dealt.items()
            if self._excluded.get(address._replace(position=None), frozenset()).isdisjoint(cards)
        }

    def _possible(self, slot: int) -> frozenset[str]:
        """The cards that can lie in a slot by the rules."""
        unseen = self._unseen
        zone, place = unseen.slots[slot]
        home = unseen.home(slot)
        cards = {card for other, card in enumerate(unseen.cards) if unseen.home(other) == home}
        if zone is None or zone.holds is None:
            return frozenset(cards)
        holds = zone.holds
        return frozenset(card for card in cards if holds(self._blind, place, card))

    def _excluding(self) -> list[frozenset[str]]:
        """The possible cards of each slot, without those that the seat knows its place cannot have."""
        left = list(self._hard)
        for lying in self._unseen.places():
            gone = self._excluded.get(lying.address, frozenset())
            for slot in range(lying.start, lying.start + len(lying.positions)) if gone else ():
                left[slot] -= gone
        return left

    def _assigned(self, rng: Random) -> list[str]:
        """The unseen cards, dealt again: in accordance with everything that the seat remembers or, if that is
        impossible, without regard to it.
        """
        unseen = self._unseen.cards
        mixed = tuple(shuffled(unseen, rng))
        reserved = self._fitting(self._hidden.reserve(self._blind, self._seat, mixed, rng))
        recalled: Dealt = {}
        if self._notes is not None:
            loose = self._loose(mixed)
            dealt = self._hidden.recall(self._notes, self._blind, self._seat, loose, rng)
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
    """The slots in which the unseen cards of a state can lie, computed once for all worlds."""

    def __init__(self, unseen: Unseen) -> None:
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
        """The unseen cards in a random order in which each can lie in its slot; None if there is no such order."""
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
        """The cards whose places are certain, by slot; None if one of them has no possible slot."""
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
    """The cards without those that are gone; gone cards that are not among them are ignored."""
    left = cards.copy()
    for card in gone:
        if card in left:
            left.remove(card)
    return left


def _chosen(state: State, rng: Random) -> State:
    """The state with a random legal choice for each seat whose sealed choice is hidden."""
    if not isinstance(state, Sealed) or not any(choice == {} for choice in state.choices):
        return state
    choices = list(state.choices)
    for other, choice in enumerate(choices):
        if choice == {}:
            sealed = [each for each in state.legal(other) if not is_open(state, each)]
            choices[other] = frozen(one_of(sealed, rng))
    return state.change(choices=tuple(choices))


def matched(possible: list[frozenset[str]], cards: list[str], rng: Random) -> list[str] | None:
    """The cards in an order in which each can lie in its slot; None if there is none.

    Cards stay in their slots where they can; misplaced ones are exchanged.
    """
    cards = list(cards)
    for slot, allowed in enumerate(possible):
        if cards[slot] in allowed:
            continue
        path = _path(possible, cards, slot, rng)
        if path is None:
            return None
        for here, there in itertools.pairwise(path):
            cards[here], cards[there] = cards[there], cards[here]
    return cards


def _path(
    possible: list[frozenset[str]], cards: list[str], start: int, rng: Random
) -> list[int] | None:
    """The shortest chain of exchanges that gives `start` a card that can lie there, and misplaces no card; None if
    there is none.

    Each slot of the chain gets the card of the next one, the last one that of `start`.
    """
    before: dict[int, int | None] = {start: None}
    border = [start]
    while border:
        following: list[int] = []
        for slot in border:
            allowed = possible[slot]
            others = [
                other for other, card in enumerate(cards) if card in allowed and other not in before
            ]
            ends = [
                other
                for other in others
                if cards[start] in possible[other] or cards[other] not in possible[other]
            ]
            if ends:
                return _chain(before, slot, one_of(ends, rng))
            before.update(dict.fromkeys(others, slot))
            following += shuffled(others, rng)
        border = following
    return None


def _chain(before: Mapping[int, int | None], slot: int | None, end: int) -> list[int]:
    """The slots from the beginning of the chain, as `before` links them, through `slot` to `end`."""
    chain = [end]
    while slot is not None:
        chain.append(slot)
        slot = before[slot]
    return chain[::-1]
