"""4.2 The bids for a neighbour: which suits it will own most and least of."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rules.common.cards import Cards, without


def single(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """4.2 One bid card for most, another for least."""
    return (((most,), (least,)) for most in cards for least in without(cards, most))


def special(cards: Cards) -> Iterator[tuple[Cards, Cards]]:
    """4.2 Three different bid cards: two for least, or two for most."""
    for most in cards:
        for pair in combinations(without(cards, most), 2):
            yield (most,), pair
    for pair in combinations(cards, 2):
        for least in without(cards, *pair):
            yield pair, (least,)
