"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import NUMBER, Card, rank
from rules.kernel import State


def equivalence_class(then: State, card: Card) -> Card | None:
    """4.4 The card itself if it may not be exchanged, and otherwise None.

    Everybody hears who has the number in question, so cards of that number stay where they are.
    """
    for line in then.told:
        if line["line"] in ("laid", "has", "has-none"):
            number = line.get("number") or NUMBER[rank(line["card"])]
            return card if NUMBER[rank(card)] == number else None
    return None
