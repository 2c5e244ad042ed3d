"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import JOKER, Card
from rules.kernel import State


def equivalence_class(then: State, card: Card) -> bool:
    """4.2 Whether the card may only be exchanged with the other jokers: a joker, where jokers are bid or laid.

    A bid of jokers names the cards themselves.
    """
    named = any(line.get("rank") == "joker" or line.get("card") == JOKER for line in then.told)
    return named and card == JOKER
