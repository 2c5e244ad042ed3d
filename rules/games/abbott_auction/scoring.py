"""5.1 What the cards of the pile are worth."""

from __future__ import annotations

from rules.common.cards import JOKER, Cards

BONUS = 25
"""What the declarer gains or loses (5.1)."""
POINTS = {"A": 10, "K": 5, "Q": 5, "J": 5, JOKER: 5}
"""What cards in the pile are worth; all others count 1 (5.1)."""


def points(pile: Cards) -> int:
    """5.1 What the pile is worth."""
    return sum(POINTS.get(card if card == JOKER else card[0], 1) for card in pile)
