"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import Card, rank
from rules.games.caravan.phases import Dealing, Opening
from rules.games.caravan.scoring import NUMBERS
from rules.kernel import State


def equivalence_class(then: State, card: Card) -> bool | None:
    """3 Until the rows are opened, everybody knows that each hand holds three number cards."""
    return rank(card) in NUMBERS if isinstance(then, Dealing | Opening) else None
