"""The likely bids of sensible players: just enough, and more for cards that bring more."""

from __future__ import annotations

import math

from rules.games.boomerang_auction.components import SEATS, Table
from rules.games.boomerang_auction.phases import Bidding
from rules.games.boomerang_auction.scoring import score, worth
from rules.kernel import Json

KEEN = 0.8
"""How much each point that the card brings makes a bid more likely than passing."""
DEAR = 0.5
"""How much each point of the price makes it less likely."""
NEEDLESS = 0.1
"""The weight of a bid higher than needed, for the last bidder."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4 and 5: the points that the card adds to the score, and the price."""
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
