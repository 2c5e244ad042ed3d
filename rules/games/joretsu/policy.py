"""The likely plays, keeps and rankings of sensible players: in the end, two cards of good suits win."""

from __future__ import annotations

import math

from rules.common.cards import Cards
from rules.games.joretsu.components import PLACES, Table
from rules.games.joretsu.phases import Bidding, Deciding, Showdown
from rules.games.joretsu.scoring import STEP, number, score
from rules.kernel import Json

KEEN = 0.5
"""The exponent of an action's weight for each point that it brings."""
SPENDING = 0.12
"""The exponent by which each point of a card's expected worth lowers the weight of playing it early."""
LOWEST = 2.0
"""The factor for a card that may make its seat draw or raise a suit."""

FAVOUR = {1: -1.0, 2: 0.3, 3: 1.0}
"""The value to a suit of the place that a round awards: third, second, first."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.1 to 4.3 The weight of each legal action, from the worth of the cards left for the showdown."""
    hand = s.hands[seat]
    if isinstance(s, Showdown):
        scores = [score(tuple(action["cards"]), s.ladder) for action in legal]
        return [math.exp(KEEN * (each - max(scores))) for each in scores]
    if isinstance(s, Bidding):
        least = min(map(number, hand))
        return [
            math.exp(-SPENDING * hoped(s, action["card"]))
            * (LOWEST if number(action["card"]) == least else 1.0)
            for action in legal
        ]
    if isinstance(s, Deciding):
        suits = strengths(hand)
        return [decided(s, action, suits) for action in legal]
    return [1.0] * len(legal)


def strengths(hand: Cards) -> dict[str, int]:
    """The number of the best card of each suit in a hand, by suit."""
    best: dict[str, int] = {}
    for card in hand:
        best[card[1]] = max(number(card), best.get(card[1], 0))
    return best


def hoped(s: Table, card: str) -> float:
    """5 The expected worth of a card at the end; a suit without a place may get one of the remaining ones."""
    ace = "A" + card[1]
    if ace in s.ladder:
        return number(card) - STEP * s.ladder.index(ace)
    left = [place for place in range(PLACES) if s.ladder[place] is None]
    return number(card) - STEP * sum(left) / len(left)


def decided(s: Deciding, action: Json, suits: dict[str, int]) -> float:
    """4.2 The weight of a decision: the most valuable card is kept, and suits are ranked by their strength in the
    hand.
    """
    kind = action["type"]
    if kind == "keep":
        return math.exp(KEEN * hoped(s, action["card"]))
    if kind == "decline":
        return 1.0
    suit = action["suit"]
    if kind == "raise":
        above = (s.ladder[s.place(suit) - 1] or "")[1:]
        return math.exp(KEEN / 2 * (suits.get(suit, 0) - suits.get(above, 0)))
    return math.exp(KEEN / 2 * FAVOUR[s.round] * suits.get(suit, 0))
