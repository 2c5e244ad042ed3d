"""Constraints on unseen cards: a hand that opens has number cards for every lane."""

from __future__ import annotations

from rules.common.cards import Cards, deck
from rules.games.caravan.components import FIRST_HAND, OPENING, SEATS, Table
from rules.games.caravan.phases import Opening
from rules.games.caravan.scoring import numbers
from rules.kernel import Address, Dealt, Hidden, Random, Viewer, shuffled


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """3 First hands that can open, since a deck is shuffled again if its hand cannot."""
    if not isinstance(blind, Opening):
        return {}
    pack = deck(jokers=0 if blind.joker == "none" else 1)
    return {Address("hands", other): opening(pack, rng) for other in range(SEATS) if other != seat}


def opening(pack: Cards, rng: Random) -> Cards:
    """3 A random first hand from a deck that has enough number cards to open."""
    while len(numbers(hand := tuple(shuffled(pack, rng)[:FIRST_HAND]))) < OPENING:
        pass
    return hand


hidden = Hidden(reserve, own_packs=True)
