"""The likely plays, purchases and bids of sensible players: chips are the score, and an empty hand wins the pot."""

from __future__ import annotations

from rules.common.dominoes import pips
from rules.games.auction_draw.components import Table
from rules.kernel import Json

SELDOM = 0.1
"""The weight of buying, relative to a pass: it costs a chip, and one more tile is in the way."""
CHEAPER = 0.6
"""The weight of a bid relative to one that is a chip lower, or of the lowest relative to a pass."""
HEAVY = 0.3
"""How much each pip makes a tile more likely to be played than a blank one."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.1 and 4.3 Heavy tiles first, and few chips for new ones."""
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
