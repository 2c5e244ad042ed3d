"""5.1 The points of the cards in the pile."""

from __future__ import annotations

from rules.common.cards import JOKER, Cards

BONUS = 25
"""The points that the declarer wins or loses (5.1)."""
POINTS = {"A": 10, "K": 5, "Q": 5, "J": 5, JOKER: 5}
"""5.1 The points of the cards in the pile; cards without an entry count 1."""


def points(pile: Cards) -> int:
    """5.1 The points of all cards in the pile."""
    return sum(POINTS.get(card if card == JOKER else card[0], 1) for card in pile)
