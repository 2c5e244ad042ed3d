"""How likely sensible players are to play, buy and bid: chips are the score, and an empty hand wins the pot."""

from __future__ import annotations

from rules.common.dominoes import pips
from rules.games.auction_draw.components import Table
from rules.kernel import Json

SELDOM = 0.1
"""Buying, beside a pass: it costs a chip, and a tile more is in the way."""
CHEAPER = 0.6
"""How likely a bid is beside one that is a chip lower, or the lowest beside a pass."""
HEAVY = 0.3
"""How much more likely the tile with most pips is to be played, for each pip, than a blank one."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.1 and 4.3 Heavy tiles first, few chips for more of them."""
    weights, bid = [], CHEAPER / 2
    for action in legal:
        if action["type"] == "play":
            weights.append(1 + HEAVY * pips(action["tile"]))
        elif action["type"] == "bid":
            weights.append(bid)
            bid *= CHEAPER
        else:
            weights.append(SELDOM if action["type"] == "buy" else 1.0)
    return weights
