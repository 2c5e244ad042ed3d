"""The values of bids and of bought cards."""

from __future__ import annotations

import functools

from rules.common.cards import NUMBER, Cards, deck, rank

RANKS = "A2345"
VALUE = {card: NUMBER[rank(card)] for card in deck(RANKS)}
"""2 An A is worth 1, other cards their number."""
EXTRA = (0, 0, 2, 6, 12)
"""The points on top of the values for 0 … 4 cards of the same value (5)."""


@functools.lru_cache(maxsize=1024)
def worth(bid: Cards) -> int:
    """4 The value of a bid: a pair is worth one more than its other card; no bid is worth 0."""
    return sum([VALUE[card] for card in bid])


def extra(won: Cards) -> int:
    """5 The points for several cards of the same value."""
    ranks = [rank(card) for card in won]
    return sum(EXTRA[ranks.count(each)] for each in RANKS)


def score(won: Cards) -> int:
    """5 The values of the bought cards, and the points for several of the same value."""
    return worth(won) + extra(won)
