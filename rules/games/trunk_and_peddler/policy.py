"""The likely choices of sensible players: a trunk, tricks to win, and a load as near to the capacity as possible."""

from __future__ import annotations

import math

from rules.common.cards import JOKER, replaced
from rules.games.trunk_and_peddler import scoring
from rules.games.trunk_and_peddler.components import TRICKS, Table
from rules.games.trunk_and_peddler.phases import Choosing, First, Losing, Second, Storing, strength
from rules.games.trunk_and_peddler.values import capacity_number, value
from rules.kernel import Json

USUAL, SPREAD = 6, 3
"""The capacity that loads most often come near, and the distance from it at which weights fall to about a third."""
COMING = 0.8
"""The expected growth of a load in each trick to come."""
KEEN = 0.5
"""The exponent of an action's weight for each point that it brings."""
WINNING = 3.0
"""The weight of a second card that wins the trick, relative to passing, while there is room in the trunk."""

LEADING = 0.1
"""The exponent by which each point of a card lowers its weight as a lead while there is room in the trunk.

A second card can be added to a low one.
"""
FITTING, SAVING = 4.0, 0.1
"""The factor for a card that wins a wanted trick or loses an unwanted one.

The second number is the exponent by which each point of such a card lowers its weight.
"""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """3 to 5: the weight of each legal action for a seat that alone knows the capacity of its trunk."""
    if isinstance(s, Choosing):
        far = [abs(capacity_number(action["card"]) - USUAL) / SPREAD for action in legal]
        return [math.exp(-each) for each in far]
    if isinstance(s, Losing):
        count = len(s.played[seat])
        return [math.exp(-KEEN * misfit(s, seat, n)) for n in (count, 0)]
    if isinstance(s, Storing):
        return [stored(s, seat, action["place"]) for action in legal]
    if isinstance(s, Second):
        return [second(s, seat, action) for action in legal]
    if isinstance(s, First):
        return [first(s, seat, action) for action in legal]
    return [1.0] * len(legal)


def room(s: Table, seat: int) -> int:
    """5 The room left in the trunk, in units; negative if the load exceeds its capacity."""
    side = len(s.side[seat]) if s.side else 0
    return capacity_number(s.trunk[seat] or "") + scoring.SIDE * side - s.load(seat)


def misfit(s: Table, seat: int, more: int) -> float:
    """5 The loss in points if this number of units is added to the load."""
    left = room(s, seat) - more - COMING * (TRICKS - s.trick)
    return left if left > 0 else -2 * left


def stored(s: Storing, seat: int, place: str) -> float:
    """4.6 and 5: the weight of packing the valuable in that place, from the expected score."""
    worth = scoring.VALUE_C if "C" in s.rules else scoring.VALUE
    down, up = len(s.down[seat]) + (place == "down"), len({*s.up[seat], JOKER})
    later = COMING / 2 * (TRICKS - s.trick)
    score = (worth * (down + later) - misfit(s, seat, place != "side")) * (up + (place == "up"))
    return math.exp(KEEN / 2 * score)


def first(s: First, seat: int, action: Json) -> float:
    """4.2 The weight of a first card: a seat with room for a valuable wants to win, and a follower to do so cheaply."""
    card, number = action["card"], value(action["card"], action["high"])
    keen = room(s, seat) > 1
    if not s.acted:
        return math.exp(-LEADING * number if keen else LEADING * number)
    played, sums = replaced(s.played, seat, (card,)), replaced(s.sums, seat, number)
    then = s.change(played=played, sums=sums)
    wins = strength(then, seat) > strength(then, 1 - seat)
    return (FITTING if wins == keen else 1.0) * math.exp(-SAVING * number)


def second(s: Second, seat: int, action: Json) -> float:
    """4.3 The weight of a second card: high if it wins a trick for whose prize there is room, low if it changes
    nothing.
    """
    if action["type"] == "pass":
        return 1.0
    more = value(action["card"], action["high"])
    sums = tuple((each or 0) + (more if of == seat else 0) for of, each in enumerate(s.sums))
    wins = strength(s.change(sums=sums), seat) > strength(s, 1 - seat)
    won = strength(s, seat) > strength(s, 1 - seat)
    if wins and not won:
        return WINNING if room(s, seat) > 1 else 0.5
    return 0.3
