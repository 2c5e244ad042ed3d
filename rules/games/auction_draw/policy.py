"""The likely plays, purchases and bids of sensible players: chips are the score, and an empty hand wins the pot."""

from __future__ import annotations

from rules.common.dominoes import pips
from rules.games.auction_draw.components import Table
from rules.kernel import Json

SELDOM = 0.1
"""The weight of buying, relative to a pass: a tile costs a chip, and has to be played later."""
CHEAPER = 0.6
"""The weight of a bid relative to one that is a chip lower, or of the lowest bid relative to a pass."""
HEAVY = 0.3
"""The addition to the weight of playing a tile for each of its pips, relative to a blank tile."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.1 and 4.3 The weight of each legal action: heavy tiles are played first, and few chips are paid for new
    ones.
    """
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
