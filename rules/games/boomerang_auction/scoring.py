"""The values of bids and of bought cards."""

from __future__ import annotations

import functools

from rules.common.cards import NUMBER, Cards, deck, rank

RANKS = "A2345"
VALUE = {card: NUMBER[rank(card)] for card in deck(RANKS)}
"""2 The value of each card: 1 for an A, its number for any other."""
EXTRA = (0, 0, 2, 6, 12)
"""5 The additional points for 0 … 4 cards of the same value."""


@functools.lru_cache(maxsize=1024)
def worth(bid: Cards) -> int:
    """4 The value of a bid: the value of a single card, or one more than that of the card with an A; 0 for no bid."""
    return sum([VALUE[card] for card in bid])


def extra(won: Cards) -> int:
    """5 The additional points for cards of the same value."""
    ranks = [rank(card) for card in won]
    return sum(EXTRA[ranks.count(each)] for each in RANKS)


def score(won: Cards) -> int:
    """5 The score: the values of the bought cards, and the additional points for cards of the same value."""
    return worth(won) + extra(won)
