"""The likely choices of sensible players: a trunk, tricks, and a load as near to the capacity as possible."""

from __future__ import annotations

import math

from rules.common.cards import JOKER, replaced
from rules.games.trunk_and_peddler import scoring
from rules.games.trunk_and_peddler.components import TRICKS, Table
from rules.games.trunk_and_peddler.phases import Choosing, First, Losing, Second, Storing, strength
from rules.games.trunk_and_peddler.values import capacity_number, value
from rules.kernel import Json

USUAL, SPREAD = 6, 3
"""The capacity that a load most often comes near, and the distance at which others are a third as likely."""
COMING = 0.8
"""The growth of a load in each trick to come."""
KEEN = 0.5
"""How much each point that an action brings makes it more likely."""
WINNING = 3.0
"""The weight of second cards that win the trick, relative to others, while there is room."""

LEADING = 0.1
"""How much each point of a card makes it less likely to be led while there is room, since a second card can
be added.
"""
FITTING, SAVING = 4.0, 0.1
"""The weight of a card that wins a wanted trick or loses an unwanted one.

The second number is how much each of its points makes it less likely.
"""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """3 to 5: only the seat itself knows the capacity."""
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
    """5 The room left in the trunk."""
    side = len(s.side[seat]) if s.side else 0
    return capacity_number(s.trunk[seat] or "") + scoring.SIDE * side - s.load(seat)


def misfit(s: Table, seat: int, more: int) -> float:
    """5 How far the load is from the capacity after adding this much."""
    left = room(s, seat) - more - COMING * (TRICKS - s.trick)
    return left if left > 0 else -2 * left


def stored(s: Storing, seat: int, place: str) -> float:
    """4.6 and 5: the score with the valuable in that place."""
    worth = scoring.VALUE_C if "C" in s.rules else scoring.VALUE
    down, up = len(s.down[seat]) + (place == "down"), len({*s.up[seat], JOKER})
    later = COMING / 2 * (TRICKS - s.trick)
    score = (worth * (down + later) - misfit(s, seat, place != "side")) * (up + (place == "up"))
    return math.exp(KEEN / 2 * score)


def first(s: First, seat: int, action: Json) -> float:
    """4.2 The weight of a first card: a seat with room for a valuable wants to win, the follower as cheaply as
    possible.
    """
    card, number = action["card"], value(action["card"], action["high"])
    keen = room(s, seat) > 1
    if not s.acted:
        return math.exp(-LEADING * number if keen else LEADING * number)
    played, sums = replaced(s.played, seat, (card,)), replaced(s.sums, seat, number)
    then = s.change(played=played, sums=sums)
    wins = strength(then, seat) > strength(then, 1 - seat)
    return (FITTING if wins == keen else 1.0) * math.exp(-SAVING * number)


def second(s: Second, seat: int, action: Json) -> float:
    """4.3 The weight of a second card: one that wins, if there is room for the prize; none that changes nothing."""
    if action["type"] == "pass":
        return 1.0
    more = value(action["card"], action["high"])
    sums = tuple((each or 0) + (more if of == seat else 0) for of, each in enumerate(s.sums))
    wins = strength(s.change(sums=sums), seat) > strength(s, 1 - seat)
    won = strength(s, seat) > strength(s, 1 - seat)
    if wins and not won:
        return WINNING if room(s, seat) > 1 else 0.5
    return 0.3
