"""The likely plays of sensible players: the holder of a share wants its price to rise."""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, SUITS, Cards
from rules.games.market_price.components import COMPANY, Table
from rules.games.market_price.scoring import KING, QUEEN
from rules.kernel import Json

OTHERS = 0.75
"""The average weight of the others' shares in a company: there are three shares in all, among four companies."""
KEEN = 0.05
"""The exponent of a play's weight for each point that it brings at once."""
LATER = 0.25
"""The exponent by which each point above MIDDLE lowers the weight of playing a card now: only the last card of a stack
counts.
"""
MIDDLE = 6
"""The number from which on a card raises a price."""
NONE = 99
"""The number for the top of an empty stack, higher than any card's."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """5 The weight of each legal action: it pushes the prices of the seat's own shares up and the others down.

    All cards are played in the end, so the best ones are kept for last.
    """
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
    """5 The numbers of the top cards of the companies' stacks; NONE for an empty stack."""
    return [NUMBER[stack[-1][0]] if stack else NONE for stack in stacks]
