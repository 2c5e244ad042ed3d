"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import Card, suit
from rules.games.trunk_and_peddler.components import Table


def equivalence_class(then: Table, card: Card) -> bool:
    """4.3 Whether the card is of a suit that was asked for; only cards with the same result may be exchanged.

    With D everybody hears whether the follower has a card of that suit.
    """
    asked = [line["suit"] for line in then.told if line["line"] in {"compelled", "lacking"}]
    return suit(card) in asked
