"""How likely sensible players are to play a card: who holds a share wants its price to rise."""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, SUITS
from rules.games.market_price.components import COMPANY, Table, price
from rules.games.market_price.scoring import KING, QUEEN
from rules.kernel import Json

OTHERS = 0.75
"""What others hold of a company on the average: all shares are three, of four companies."""
KEEN = 0.25
"""How much more likely a play becomes with each point that it brings."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """5 Prices of the own shares go up, others go down."""
    own = [-OTHERS] * len(SUITS)
    for share, worth in zip(s.shares[seat], (QUEEN, KING), strict=True):
        own[COMPANY[share]] += worth
    before = [price(s, suit) for suit in SUITS]
    weights = []
    for action in legal:
        company = COMPANY[action["card"]]
        facing = (s.lower if action["at"] == "upper" else s.upper)[company]
        number = NUMBER[action["card"][0]]
        after = min(number, NUMBER[facing[-1][0]]) if facing else number
        weights.append(math.exp(KEEN * own[company] * (after - before[company])))
    return weights
