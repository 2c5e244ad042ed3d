"""The likely bids of sensible players: as low as possible, and higher for cards that bring more."""

from __future__ import annotations

import math

from rules.games.boomerang_auction.components import SEATS, Table
from rules.games.boomerang_auction.phases import Bidding
from rules.games.boomerang_auction.scoring import score, worth
from rules.kernel import Json

KEEN = 0.8
"""The exponent of a bid's weight for each point that the lot brings."""
DEAR = 0.5
"""The exponent by which each point of the price lowers a bid's weight."""
NEEDLESS = 0.1
"""The factor for a bid of the last bidder that is higher than needed."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4 and 5: the weight of each legal action, from the points that the lot adds to the score and from the price."""
    if not isinstance(s, Bidding):
        return [1.0] * len(legal)
    gain = score((*s.won[seat], s.good)) - score(s.won[seat])
    bids = [worth(tuple(action.get("cards", ()))) for action in legal]
    least = min([bid for bid in bids if bid], default=0)
    last = s.acted == SEATS - 1
    return [
        math.exp(KEEN * gain - DEAR * bid) * (NEEDLESS if last and bid > least else 1.0)
        if bid
        else 1.0
        for bid in bids
    ]
