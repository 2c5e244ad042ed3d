"""4.2 The bids for a neighbour: the suits of which it will own most and least."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from itertools import combinations

from rules.common.cards import Cards, without
from rules.kernel import Action, Array


@functools.lru_cache(maxsize=256)
def bids_on(cards: Cards, tie: bool) -> list[Action]:
    """4.2 The bids for a seat with these bid cards; with `tie`, the special bids."""
    return [
        Action(type="bid", most=Array(most), least=Array(least))
        for most, least in (special(cards) if tie else single(cards))
    ]


def single(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """4.2 The pairs of one bid card for most and one for least."""
    return (((most,), (least,)) for most in cards for least in without(cards, most))


def special(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """4.2 The pairs of three different bid cards in all, with two of them for least or for most."""
    for most in cards:
        for pair in combinations(without(cards, most), 2):
            yield (most,), pair
    for pair in combinations(cards, 2):
        for least in without(cards, *pair):
            yield pair, (least,)
