"""The likely plays of sensible players: the holder of a share wants its price to rise."""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, SUITS, Cards
from rules.games.market_price.components import COMPANY, Table
from rules.games.market_price.scoring import KING, QUEEN
from rules.kernel import Json

OTHERS = 0.75
"""The average holdings of the others in a company: three shares in all, of four companies."""
KEEN = 0.05
"""How much each point that a play brings at once makes it more likely."""
LATER = 0.25
"""How much each point that a card can bring later makes it less likely now: only the last one on a stack counts."""
MIDDLE = 6
"""Higher cards raise a price."""
NONE = 99
"""The top of an empty stack: more than any card."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """5 Push up the prices of one's own shares and the others down; all cards are played in the end, the best last."""
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
    """5 The numbers on top of the companies' stacks; NONE for an empty one."""
    return [NUMBER[stack[-1][0]] if stack else NONE for stack in stacks]
