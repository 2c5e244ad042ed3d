"""How likely sensible players are to play a card: who holds a share wants its price to rise."""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, SUITS, Cards
from rules.games.market_price.components import COMPANY, Table
from rules.games.market_price.scoring import KING, QUEEN
from rules.kernel import Json

OTHERS = 0.75
"""What others hold of a company on the average: all shares are three, of four companies."""
KEEN = 0.05
"""How much more likely a play becomes with each point that it brings at once."""
LATER = 0.25
"""How much less likely with each point that the card can bring later: only the last one on a stack counts."""
MIDDLE = 6
"""Higher cards raise a price."""
NONE = 99
"""The top of a stack without cards: more than any card."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """5 Prices of the own shares go up, others go down; every card is played in the end, the best ones last."""
    own = [-OTHERS] * len(SUITS)
    for share, worth in zip(s.shares[seat], (QUEEN, KING), strict=True):
        own[COMPANY[share]] += worth
    lower, upper = tops(s.lower), tops(s.upper)
    weights = []
    for action in legal:
        card, company = action["card"], COMPANY[action["card"]]
        number, low, high = NUMBER[card[0]], lower[company], upper[company]
        facing = low if action["at"] == "upper" else high
        gain = min(number, facing) - min(low, high)
        weights.append(math.exp(own[company] * (KEEN * gain - LATER * (number - MIDDLE))))
    return weights


def tops(stacks: tuple[Cards, ...]) -> list[int]:
    """5 The numbers on top of the stacks of the companies; more than any card where none lies."""
    return [NUMBER[stack[-1][0]] if stack else NONE for stack in stacks]
