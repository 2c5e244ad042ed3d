"""Tricks: small functions on cards and suits. The suit led, or the trump suit, is None if there is none."""

from __future__ import annotations

from rules.common.cards import Cards, suit


def of_suit(cards: Cards, asked: str | None) -> Cards:
    """The cards whose suit is `asked`."""
    return tuple([card for card in cards if suit(card) == asked])


def following(hand: Cards, led: str | None) -> Cards:
    """The cards that a seat may play if it has to follow suit but does not have to trump."""
    return of_suit(hand, led) or hand


def suit_class(own: str | None, led: str | None, trump: str | None) -> int:
    """The rank of a suit in a trick: 2 for trumps, 1 for the suit led, 0 for any other."""
    if own == trump is not None:
        return 2
    return 1 if own == led is not None else 0
