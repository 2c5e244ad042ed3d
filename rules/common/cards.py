"""Cards: small functions on codes (`"Td"`, `"Jk"`) and tuples of them.

Canonical order: s h d c, then A … K, jokers last.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Iterable
from typing import TypeVar

from rules.kernel import Action

Card = str
Cards = tuple[Card, ...]
T = TypeVar("T")

SUITS = "shdc"
RANKS = "A23456789TJQK"
JOKER = "Jk"

NUMBER = {rank: number for number, rank in enumerate(RANKS, 1)}
"""The number of each rank: A 1, 2 … 9, T 10, J 11, Q 12, K 13."""


def rank(card: Card) -> str:
    """The rank of a card: `"T"` for `"Td"`, `"Jk"` for the joker."""
    return card if card == JOKER else card[0]


def suit(card: Card) -> str | None:
    """The suit of a card: `"d"` for `"Td"`, None for the joker."""
    return None if card == JOKER else card[1]


@functools.cache
def deck(ranks: str = RANKS, suits: str = SUITS, jokers: int = 0) -> Cards:
    """Every card of these ranks and suits in canonical order, then the jokers."""
    return tuple(r + s for s in suits for r in ranks) + (JOKER,) * jokers


def with_card(kind: str) -> dict[Card, Action]:
    """An action of this type for each card, by card.

    They are made once, since lists of legal actions have many of them.
    """
    return {card: Action(type=kind, card=card) for card in deck(jokers=1)}


_ORDER = {card: place for place, card in enumerate((*deck(), JOKER))}


def canonical(cards: Iterable[Card]) -> Cards:
    """`cards` in canonical order."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def added(cards: Cards, card: Card) -> Cards:
    """The cards, which are in canonical order, with `card` added in its place."""
    at = bisect.bisect(cards, _ORDER[card], key=_ORDER.__getitem__)
    return (*cards[:at], card, *cards[at:])


def without(cards: Cards, *gone: Card) -> Cards:
    """`cards` without one copy of each of `gone`, in the same order.

    Raises ValueError if a card of `gone` is not among them.
    """
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)


def replaced(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """`items` with `item` at position `at`."""
    new = list(items)
    new[at] = item
    return tuple(new)
