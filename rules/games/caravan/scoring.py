"""2 What the cards of a row are worth."""

from __future__ import annotations

from rules.common.cards import NUMBER, Card, Cards, rank

NUMBERS = "A23456789T"


def points(row: Cards) -> int:
    """2 Number cards count their number, a K as much as the nearest number card beneath it."""
    total = beneath = 0
    for card in row:
        if rank(card) in NUMBERS:
            beneath = value(card)
            total += beneath
        elif rank(card) == "K":
            total += beneath
    return total


def numbers(cards: Cards) -> Cards:
    """2 The number cards among `cards`, in their order."""
    return tuple(card for card in cards if rank(card) in NUMBERS)


def value(card: Card) -> int:
    """2 A is 1, T is 10."""
    return NUMBER[rank(card)]
