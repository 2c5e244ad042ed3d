"""Which hidden cards can be exchanged in the proof that nothing leaks, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import Card
from rules.games.market_price.components import CHANCES, Table


def equivalence_class(then: Table, card: Card) -> object:
    """4.3 A seat passes when all its cards are of the watched suit.

    So everybody can tell how many hidden cards are of that suit, for the suit watched before the event and after it.
    """
    if card[0] not in CHANCES[-1][1]:
        return card[0]
    return tuple(card[1] == inspector[1] for inspector in then.watched[-2:])
