"""What unseen cards have to be: at first every hand has three low, two middle and three high cards."""

from __future__ import annotations

from rules.common.cards import Cards, rank
from rules.games.joretsu.components import PILES, Table
from rules.games.joretsu.phases import Bidding
from rules.kernel import Address, Dealt, Hidden, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Cards, rng: Random) -> Dealt:
    """3 Until the first comparison the hands are as they were dealt."""
    if not isinstance(blind, Bidding) or blind.round > 1:
        return {}
    dealt: dict[Address, Cards] = {
        Address("hands", other): () for other in range(blind.players) if other != seat
    }
    for _, ranks, each in PILES:
        cards = [card for card in unseen if rank(card) in ranks]
        for n, address in enumerate(dealt):
            dealt[address] += tuple(cards[n * each : (n + 1) * each])
    return dealt


hidden = Hidden(reserve)
