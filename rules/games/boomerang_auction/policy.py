"""How likely sensible players are to bid: as little as is enough, and more for what brings more."""

from __future__ import annotations

import math

from rules.games.boomerang_auction.components import SEATS, Table
from rules.games.boomerang_auction.phases import Bidding
from rules.games.boomerang_auction.scoring import score, worth
from rules.kernel import Json

KEEN = 0.8
"""How much more likely a bid is with each point that the good brings, beside passing."""
DEAR = 0.5
"""How much less likely with each point that is paid."""
NEEDLESS = 0.1
"""More than is enough, of who bids last."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4 and 5: what the good adds to the score, and what is paid for it."""
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
