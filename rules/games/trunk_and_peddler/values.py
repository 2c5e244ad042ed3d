"""The values of played cards, and the stacking of junk."""

from __future__ import annotations

from collections.abc import Iterable

from rules.common.cards import NUMBER, SUITS, Card, Cards, deck, rank, suit, without
from rules.kernel import Action, Json

ACE = 11
"""2 and 4.2 The value of an ace that counts high, and the capacity of an ace as a trunk."""
USUAL = 7
"""6 The capacity to which the trunk chosen for a seat out of time comes as near as possible."""
THREE = 3
"""The number of junk cards of one suit that form a unit (F, G)."""
PLAYS = {
    card: [
        Action(type="play", card=card, high=high)
        for high in ((False, True) if rank(card) == "A" else (False,))
    ]
    for card in deck()
}
"""4.2 The ways to play each card, by card. They are made once, since lists of legal actions have many of them."""


def value(card: Card, high: bool = False) -> int:
    """4.2 The value of a played card, in which an ace can count `high`."""
    return ACE if high else NUMBER[rank(card)]


def turned_value(card: Card) -> int:
    """4.2 The value of a card turned up from the stock: one less than its number, but 1 for an ace."""
    return max(1, value(card) - 1)


def capacity_number(card: Card) -> int:
    """2 The capacity of a trunk: the number of its card, A = 11."""
    return value(card, rank(card) == "A")


def usual(hand: Cards) -> Card:
    """6 The card that becomes the trunk of a seat out of time: the nearest to 7, then the smaller, then the first."""
    return min(hand, key=lambda card: (abs(capacity_number(card) - USUAL), capacity_number(card)))


def plays(cards: Iterable[Card]) -> list[Action]:
    """4.2 Every way to play one of `cards`; only an ace can count high."""
    return [play for card in cards for play in PLAYS[card]]


def lowest(actions: list[Action]) -> Json:
    """6 The play with the lowest value."""
    return min(actions, key=lambda action: value(action["card"], action["high"]))


def stacked(cards: Cards) -> tuple[Cards, list[Cards]]:
    """4.5, 5 The cards that stay single, and as many threes of one suit as possible (R6)."""
    suits = [tuple(card for card in cards if suit(card) == each) for each in SUITS]
    starts = [(row, at) for row in suits for at in range(0, len(row) - THREE + 1, THREE)]
    threes = [row[at : at + THREE] for row, at in starts]
    return without(cards, *(card for three in threes for card in three)), threes
