"""The hidden cards that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.cards import JOKER, Card
from rules.games.n2459.components import SLOT, SLOTS, Table
from rules.games.n2459.phases import Collecting, Over
from rules.games.n2459.scoring import held


def equivalence_class(then: Table, card: Card) -> object:
    """4 The class of cards that may be exchanged, since everybody learns which cards are kept and which collections
    complete.

    Cards are in one class if they are for the same slot (and of the same suit, if a collection could be complete), or
    if they are loose.
    """
    slot = SLOT.get(card)
    if isinstance(then, Collecting) and is_loose(then, card):
        return "loose"
    if slot is None:
        return card == JOKER
    if isinstance(then, Over):
        return card
    full = any(len(cards) == len(SLOTS) for cards in then.collections)
    return slot, full and card[1]


def is_loose(then: Collecting, card: Card) -> bool:
    """2 Whether everybody takes the card for one that may be a blank.

    In rounds (4A), a blank that is put back face down looks like a card waiting in a drawing hand.
    """
    full = any(len(cards) == len(SLOTS) for cards in then.collections)
    if full or then.joker_out or card == JOKER or card not in then.positions:
        return False
    if then.positions.index(card) in then.returned:
        return False
    drew = {seat: reach[0] for seat, reach in enumerate(then.reached) if reach and reach[1]}
    back = [seat for seat, at in drew.items() if then.positions[at] is not None]
    return card not in SLOT or all(held(then.collections[seat], card) for seat in back)
