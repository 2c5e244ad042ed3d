"""The hidden tiles that the proof of secrecy may exchange, although seats reveal something about them."""

from __future__ import annotations

from rules.common.dominoes import Tile, shows
from rules.games.auction_draw.components import Table
from rules.games.auction_draw.phases import Bidding


def equivalence_class(then: Table, tile: Tile) -> object:
    """4.1 The class of tiles that may be exchanged: tiles that fit the line, or tiles that do not.

    A seat that passes automatically, or has to play, reveals whether it has a tile that fits. With `free` no seat
    reveals that, nor does any seat while the last tiles are auctioned.
    """
    silent = then.terms.free or isinstance(then, Bidding)
    return not silent and shows(tile, then.numbers)
