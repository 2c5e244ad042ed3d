"""2 The points of the cards in a row."""

from __future__ import annotations

import functools

from rules.common.cards import NUMBER, Cards, deck, rank

NUMBERS = "A23456789T"
VALUE = {card: NUMBER[rank(card)] for card in deck(NUMBERS)}
"""2 The points of each number card: 1 for an A, 10 for a T."""


@functools.lru_cache(maxsize=4096)
def points(row: Cards) -> int:
    """2 The points of a row: a number card counts its number, a K as much as the nearest number card beneath it."""
    total = beneath = 0
    for card in row:
        if card in VALUE:
            beneath = VALUE[card]
            total += beneath
        elif rank(card) == "K":
            total += beneath
    return total


def numbers(cards: Cards) -> Cards:
    """2 The number cards among `cards`, in their order."""
    return tuple([card for card in cards if card in VALUE])
