"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import Card
from rules.games.market_price.components import CHANCES, Table


def equivalence_class(then: Table, card: Card) -> object:
    """4.3 The class of cards that may be exchanged, by whether they are of the watched suit.

    A seat passes when all its cards are of the watched suit. So everybody can tell how many of these hidden cards are
    of the suit watched before the event, and of the suit watched after it.
    """
    if card[0] not in CHANCES[-1][1]:
        return card[0]
    return tuple(card[1] == inspector[1] for inspector in then.watched[-2:])
