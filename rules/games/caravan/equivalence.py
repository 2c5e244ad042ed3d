"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import Card, rank
from rules.games.caravan.phases import Dealing, Opening
from rules.games.caravan.scoring import NUMBERS
from rules.kernel import State


def equivalence_class(then: State, card: Card) -> bool | None:
    """3 Whether the card is a number card, until the rows open, since everybody knows that each hand has three; then
    None.

    Cards with the same result may be exchanged.
    """
    return rank(card) in NUMBERS if isinstance(then, Dealing | Opening) else None
