"""Poker hands without wild cards: the sets of each kind in a hand, and its best five cards.

Two cards of the same rank and suit are never in one set. Jokers rank above aces and form sets of their own: single,
pair, three, four; a best hand has none. Ranks are values: 2 … 10, J 11, Q 12, K 13, A 14, joker 15.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, combinations, product
from typing import NamedTuple

from rules.common.cards import JOKER, Card, Cards, canonical

RANKS = (*"23456789TJQKA", JOKER)
VALUE = {name: value for value, name in enumerate(RANKS, 2)}
RANK = {value: name for name, value in VALUE.items()}
SUITS = "cdhs"
"""From weak to strong, where suits count at all."""
SIZE = {
    "single": 1,
    "pair": 2,
    "two-pair": 4,
    "three": 3,
    "straight": 5,
    "flush": 5,
    "full-house": 5,
    "four": 4,
    "straight-flush": 5,
}
"""The kinds of sets, from weak to strong, and how many cards each has."""
SAME_RANK = {"single": 1, "pair": 2, "three": 3, "four": 4}
"""The kinds that consist of cards of one rank, and how many; jokers only belong to these."""
HAND = 5
HIGH_CARD = "high-card"
ACE, JOKERS = VALUE["A"], VALUE[JOKER]
STRAIGHTS = {5: (ACE, 2, 3, 4, 5)} | {
    top: tuple(range(top - 4, top + 1)) for top in range(6, ACE + 1)
}
"""The ranks of a straight by its top card: the ace also counts below the 2."""
Groups = dict[int, Cards]


def sets(hand: Cards, kind: str, top: int | None = None) -> tuple[Cards, ...]:
    """Every set of `kind` in `hand`, only those of rank `top` if it is given; each in canonical order, none twice."""
    every = _sets(hand, kind)
    return tuple(found for value, found in every if top in (None, value))


def tops(hand: Cards, kind: str) -> tuple[int, ...]:
    """The ranks of the sets of `kind` in `hand`, ascending."""
    return kinds(hand)[kind]


@functools.lru_cache(maxsize=4096)
def kinds(hand: Cards) -> Mapping[str, tuple[int, ...]]:
    """The ranks of the sets of every kind in `hand`, ascending; counted, since a hand can have thousands of sets."""
    counts = Counter(VALUE[card[0]] for card in set(hand) if card != JOKER)
    jokers = hand.count(JOKER)
    several = {size: sorted(v for v, n in counts.items() if n >= size) for size in range(1, 5)}
    found = {
        kind: tuple(several[size] + [JOKERS] * (jokers >= size)) for kind, size in SAME_RANK.items()
    }
    found["two-pair"] = tuple(several[2][1:])
    found["full-house"] = tuple(several[3]) if len(several[2]) > 1 else ()
    suited = [[VALUE[card[0]] for card in set(hand) if card[1] == suit] for suit in SUITS]
    found["straight"] = _straight_tops(counts)
    found["flush"] = _united(tuple(sorted(values)[SIZE["flush"] - 1 :]) for values in suited)
    found["straight-flush"] = _united(_straight_tops(values) for values in suited)
    return {kind: found[kind] for kind in SIZE}


def _straight_tops(values: Collection[int]) -> tuple[int, ...]:
    """The top cards of the straights that cards of these ranks make."""
    if len(values) < SIZE["straight"]:
        return ()
    return tuple([top for top, run in STRAIGHTS.items() if all(map(values.__contains__, run))])


def _united(tops: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sorted(set(chain.from_iterable(tops))))


@functools.lru_cache(maxsize=4096)
def _sets(hand: Cards, kind: str) -> tuple[tuple[int, Cards], ...]:
    """Rank and cards of every set."""
    groups = by_rank(hand)
    if kind in SAME_RANK:
        found = _same_rank(hand, groups, SAME_RANK[kind])
    elif kind in {"two-pair", "full-house"}:
        found = _pairs_of_groups(groups, kind)
    elif kind == "straight":
        found = _straights(groups)
    elif kind == "flush":
        found = _flushes(groups)
    else:
        found = chain.from_iterable(_straights(suited) for suited in by_suit(groups))
    return tuple(dict.fromkeys((value, canonical(cards)) for value, cards in found))


def by_rank(hand: Cards) -> Groups:
    """The different cards of each rank, without jokers, the highest rank first."""
    groups: dict[int, list[Card]] = {}
    for card in sorted(set(hand) - {JOKER}, key=lambda card: (-VALUE[card[0]], card)):
        groups.setdefault(VALUE[card[0]], []).append(card)
    return {value: tuple(cards) for value, cards in groups.items()}


def by_suit(groups: Groups) -> list[Groups]:
    """The cards of each suit, by rank."""
    suits = {card[1] for cards in groups.values() for card in cards}
    return [
        {
            value: (RANK[value] + suit,)
            for value, cards in groups.items()
            if RANK[value] + suit in cards
        }
        for suit in sorted(suits)
    ]


def _same_rank(hand: Cards, groups: Groups, count: int) -> Iterator[tuple[int, Cards]]:
    for value, cards in groups.items():
        yield from ((value, found) for found in combinations(cards, count))
    if hand.count(JOKER) >= count:
        yield JOKERS, (JOKER,) * count


def _pairs_of_groups(groups: Groups, kind: str) -> Iterator[tuple[int, Cards]]:
    """A pair and a lower pair, or a three and a pair of any other rank."""
    first, second = (3, 2) if kind == "full-house" else (2, 2)
    for value, other in product(groups, groups):
        if value > other or (value < other and kind == "full-house"):
            ones, others = combinations(groups[value], first), combinations(groups[other], second)
            yield from ((value, one + two) for one, two in product(ones, others))


def _straights(groups: Groups) -> Iterator[tuple[int, Cards]]:
    for top, values in STRAIGHTS.items():
        yield from ((top, found) for found in product(*(groups.get(value, ()) for value in values)))


def _flushes(groups: Groups) -> Iterator[tuple[int, Cards]]:
    for suited in by_suit(groups):
        for values in combinations(suited, SIZE["flush"]):
            yield max(values), tuple(suited[value][0] for value in values)


class Best(NamedTuple):
    """The best hand: what it is compared by, its kind (`high-card` for less than a pair), and its cards."""

    strength: tuple[int, ...]
    kind: str
    cards: Cards


def best(hand: Cards) -> Best:
    """The best hand of at most five different cards, without jokers.

    Hands are compared by kind as in `SIZE`, then by rank, larger groups first, straights by the top card alone. A
    missing card is lower than a 2; suits never count.
    """
    natural = tuple(card for card in hand if card != JOKER)
    for kind in reversed(SIZE):
        if not tops(natural, kind):
            continue
        found = [_filled(natural, kind, top, cards) for top, cards in _sets(natural, kind)]
        return max(found, key=lambda each: each.strength)
    return Best((), HIGH_CARD, ())


def _filled(natural: Cards, kind: str, top: int, cards: Cards) -> Best:
    """The set, filled up with the highest cards of other ranks."""
    taken = {card[0] for card in cards}
    others = [group[0] for group in by_rank(natural).values() if group[0][0] not in taken]
    whole = cards + tuple(others[: HAND - len(cards)])
    counts = Counter(VALUE[card[0]] for card in whole)
    weights = {card: (counts[VALUE[card[0]]], VALUE[card[0]]) for card in whole}
    ordered = tuple(sorted(whole, key=weights.__getitem__, reverse=True))
    values = (top,) if "straight" in kind else tuple(VALUE[card[0]] for card in ordered)
    name = HIGH_CARD if kind == "single" else kind
    return Best((list(SIZE).index(kind), *values), name, ordered)
