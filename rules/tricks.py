"""Tricks: small functions on cards and suits; the suit led or trump is None where there is none."""

from __future__ import annotations

from rules.cards import Cards, suit


def of_suit(cards: Cards, asked: str | None) -> Cards:
    """The cards of that suit."""
    return tuple(card for card in cards if suit(card) == asked)


def following(hand: Cards, led: str | None) -> Cards:
    """What may be played by a seat that must follow suit but need not trump."""
    return of_suit(hand, led) or hand


def suit_class(own: str | None, led: str | None, trump: str | None) -> int:
    """What a suit is worth in a trick: 2 trump, 1 the suit led, 0 any other."""
    if own == trump is not None:
        return 2
    return 1 if own == led is not None else 0
