"""What unseen tiles have to be: a seat that is asked can do something."""

from __future__ import annotations

from rules.common.dominoes import Tiles, shows
from rules.games.auction_draw.components import Table
from rules.games.auction_draw.phases import Playing, can_buy
from rules.kernel import Address, Dealt, Hidden, Random, Viewer


def reserve(blind: Table, seat: Viewer, unseen: Tiles, rng: Random) -> Dealt:
    """4.1 A seat that cannot buy and is on turn has a tile that fits, since otherwise it would have passed."""
    if not isinstance(blind, Playing) or blind.terms.free or not blind.line:
        return {}
    if blind.on_turn == seat or blind.bought or can_buy(blind, blind.on_turn):
        return {}
    fitting = [tile for tile in unseen if shows(tile, blind.numbers)]
    return {Address("hands", blind.on_turn): fitting[:1]}


hidden = Hidden(reserve)
