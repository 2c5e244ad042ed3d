"""Poker hands without wild cards: the sets of each kind in a hand, and its best five cards.

Two cards of the same rank and suit are never in one set. Jokers rank above aces and only form sets with each other:
single, pair, three, four. A best hand contains no joker. Ranks are numbers: 2 … 10, J 11, Q 12, K 13, A 14, joker 15.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from itertools import chain, combinations, product
from typing import NamedTuple

from rules.common.cards import JOKER, Cards, canonical, deck

RANKS = (*"23456789TJQKA", JOKER)
VALUE = {name: value for value, name in enumerate(RANKS, 2)}
RANK = {value: name for name, value in VALUE.items()}
SUITS = "cdhs"
"""The suits from weak to strong, for games in which suits count."""
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
"""The kinds of sets, from weak to strong, with the number of cards in each."""
STRENGTH = {kind: strength for strength, kind in enumerate(SIZE)}
SAME_RANK = {"single": 1, "pair": 2, "three": 3, "four": 4}
"""The kinds that consist of cards of one rank, each with its number of cards; only these can contain jokers."""
HAND = 5
HIGH_CARD = "high-card"
ACE, JOKERS = VALUE["A"], VALUE[JOKER]
STRAIGHTS = {5: (ACE, 2, 3, 4, 5)} | {
    top: tuple(range(top - 4, top + 1)) for top in range(6, ACE + 1)
}
"""The ranks of a straight, by the rank of its top card; the ace also counts below the 2."""
Groups = dict[int, Cards]


def sets(hand: Cards, kind: str, top: int | None = None) -> tuple[Cards, ...]:
    """Every set of `kind` in `hand`, of rank `top` if that is given.

    Each is in canonical order, and none occurs twice.
    """
    return tuple([found for _, found in _sets(hand, kind, top)])


def tops(hand: Cards, kind: str) -> tuple[int, ...]:
    """The ranks of the sets of `kind` in `hand`, ascending."""
    return kinds(hand)[kind]


@functools.lru_cache(maxsize=4096)
def kinds(hand: Cards) -> dict[str, tuple[int, ...]]:
    """The ranks of the sets in `hand`, ascending, by kind; every kind is a key.

    They are computed without listing the sets, of which a hand can have thousands.
    """
    counts: dict[int, int] = {}
    suited: dict[str, list[int]] = {suit: [] for suit in SUITS}
    for card in set(hand).difference((JOKER,)):
        value = VALUE[card[0]]
        counts[value] = counts.get(value, 0) + 1
        suited[card[1]].append(value)
    jokers, several = hand.count(JOKER), {1: sorted(counts)}
    for size in (2, 3, 4):
        several[size] = [value for value in several[size - 1] if counts[value] >= size]
    found = {
        kind: tuple(several[size] + [JOKERS] * (jokers >= size)) for kind, size in SAME_RANK.items()
    }
    flushes = [sorted(values) for values in suited.values() if len(values) >= SIZE["flush"]]
    found["two-pair"] = tuple(several[2][1:])
    found["full-house"] = tuple(several[3]) if len(several[2]) > 1 else ()
    found["straight"] = _straight_tops(counts)
    found["flush"] = _united([values[SIZE["flush"] - 1 :] for values in flushes])
    found["straight-flush"] = _united([_straight_tops(values) for values in flushes])
    return {kind: found[kind] for kind in SIZE}


def best_kind(hand: Cards) -> str:
    """The strongest kind of set in a hand without jokers; `single` if the hand has no pair.

    It is the strongest kind that has ranks in `kinds`, but no ranks are computed, since a search calls this thousands
    of times a second.
    """
    cards = set(hand)
    ranks, suits = [card[0] for card in cards], [card[1] for card in cards]
    alike = [ranks.count(rank) for rank in set(ranks)]
    most, pairs = max(alike, default=0), len(alike) - alike.count(1)
    long = [suit for suit in SUITS if suits.count(suit) >= SIZE["flush"]]
    if any(_is_straight([card[0] for card in cards if card[1] == suit]) for suit in long):
        return "straight-flush"
    if most == SIZE["four"]:
        return "four"
    if most == SIZE["three"] and pairs > 1:
        return "full-house"
    if long:
        return "flush"
    if len(alike) >= SIZE["straight"] and _is_straight(set(ranks)):
        return "straight"
    if most == SIZE["three"]:
        return "three"
    return ("single", "pair", "two-pair")[min(pairs, 2)]


def _is_straight(ranks: Iterable[str]) -> bool:
    """Whether five of these ranks, each given once, are consecutive."""
    return bool(_straight_tops([VALUE[rank] for rank in ranks]))


def _straight_tops(values: Iterable[int]) -> tuple[int, ...]:
    """The top ranks of all straights that cards of these ranks can make."""
    held = sum([1 << value for value in values])
    held |= held >> ACE << 1 & 2  # an ace is also below the 2
    tops = held & held << 1 & held << 2 & held << 3 & held << 4
    return tuple([top for top in STRAIGHTS if tops >> top & 1]) if tops else ()


def _united(tops: list[Iterable[int]]) -> tuple[int, ...]:
    return tuple(sorted(set(chain.from_iterable(tops)))) if tops else ()


@functools.lru_cache(maxsize=4096)
def _sets(hand: Cards, kind: str, top: int | None) -> tuple[tuple[int, Cards], ...]:
    """The rank and the cards of every set of `kind`, only of rank `top` if that is given."""
    found = _found(hand, by_rank(hand), kind, top)
    return tuple(dict.fromkeys([(value, canonical(cards)) for value, cards in found]))


def _found(hand: Cards, groups: Groups, kind: str, top: int | None) -> Iterator[tuple[int, Cards]]:
    """The rank and the cards of each of these sets.

    Within a rank the best come first, except for flushes of several suits.
    """
    if kind in SAME_RANK:
        found = _same_rank(hand, groups, SAME_RANK[kind])
    elif kind in {"two-pair", "full-house"}:
        found = _pairs_of_groups(groups, kind, top)
    elif kind == "straight":
        found = _straights(groups)
    elif kind == "flush":
        found = _flushes(groups)
    else:
        found = chain.from_iterable(_straights(suited) for suited in by_suit(groups))
    return (each for each in found if top is None or each[0] == top)


def by_rank(hand: Cards) -> Groups:
    """The different cards of each rank, without jokers, the highest rank first."""
    groups: dict[int, Cards] = {}
    for card in sorted(set(hand).difference((JOKER,)), key=_HIGHEST_FIRST.__getitem__):
        value = VALUE[card[0]]
        groups[value] = (*groups.get(value, ()), card)
    return groups


_HIGHEST_FIRST = {card: (-VALUE[card[0]], card) for card in deck()}


def by_suit(groups: Groups) -> list[Groups]:
    """For each suit, its cards by rank."""
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


def _pairs_of_groups(groups: Groups, kind: str, top: int | None) -> Iterator[tuple[int, Cards]]:
    """The ranks and the cards of each pair with a lower pair, or of each three with a pair of another rank."""
    size = 3 if kind == "full-house" else 2
    firsts = [value for value in groups if len(groups[value]) >= size and top in (None, value)]
    seconds = [value for value in groups if len(groups[value]) > 1]
    for value, other in product(firsts, seconds):
        if value > other or (value < other and kind == "full-house"):
            ones, others = combinations(groups[value], size), combinations(groups[other], 2)
            yield from ((value, one + two) for one, two in product(ones, others))


def _straights(groups: Groups) -> Iterator[tuple[int, Cards]]:
    for top, values in STRAIGHTS.items():
        yield from ((top, found) for found in product(*(groups.get(value, ()) for value in values)))


def _flushes(groups: Groups) -> Iterator[tuple[int, Cards]]:
    for suited in by_suit(groups):
        for values in combinations(suited, SIZE["flush"]):
            yield max(values), tuple(suited[value][0] for value in values)


class Best(NamedTuple):
    """A best hand: its key for comparison, its kind (`high-card` if it has no pair), and its cards."""

    strength: tuple[int, ...]
    kind: str
    cards: Cards


def best(hand: Cards) -> Best:
    """The best hand of at most five different cards, without jokers.

    Hands are compared by kind as in `SIZE`, then by rank, larger groups first; straights are compared only by their top
    card. A missing card counts less than a 2; suits never count.
    """
    natural = tuple(card for card in hand if card != JOKER)
    groups = by_rank(natural)
    for kind, ranks in reversed(kinds(natural).items()):
        if ranks:
            found = _found(natural, groups, kind, ranks[-1])
            sets = found if kind == "flush" else [next(found)]
            filled = [_filled(groups, kind, top, canonical(cards)) for top, cards in sets]
            return max(filled, key=lambda each: each.strength)
    return Best((), HIGH_CARD, ())


def _filled(groups: Groups, kind: str, top: int, cards: Cards) -> Best:
    """The best hand made of this set and the highest cards of other ranks."""
    taken = {card[0] for card in cards}
    others = [group[0] for group in groups.values() if group[0][0] not in taken]
    whole = cards + tuple(others[: HAND - len(cards)])
    ranks = [VALUE[card[0]] for card in whole]
    weights = {card: (ranks.count(value), value) for card, value in zip(whole, ranks, strict=True)}
    ordered = tuple(sorted(whole, key=weights.__getitem__, reverse=True))
    values = (top,) if "straight" in kind else tuple(VALUE[card[0]] for card in ordered)
    name = HIGH_CARD if kind == "single" else kind
    return Best((STRENGTH[kind], *values), name, ordered)
