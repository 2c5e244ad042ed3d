"""What unseen cards have to be: with D, a follower that is asked to add a card can."""

from __future__ import annotations

from rules.common.cards import Cards, suit
from rules.games.trunk_and_peddler.components import SMALL, Table
from rules.games.trunk_and_peddler.phases import Second
from rules.kernel import Address, Dealt, Hidden, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """4.3 A follower that has to add a card and cannot passes automatically."""
    if not isinstance(blind, Second) or not blind.compelled or blind.on_turn == seat:
        return {}
    played = suit(blind.played[blind.on_turn][0])
    fitting = [card for card in unseen if card in SMALL and suit(card) == played]
    return {Address("hands", blind.on_turn): fitting[:1]}


hidden = Hidden(reserve)
