"""How likely sensible players are to bid, to win tricks and to take cards: as their prophecies want it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from rules.common.cards import SUITS
from rules.common.faces import printed
from rules.games.oracle_land import tricks
from rules.games.oracle_land.components import Table
from rules.games.oracle_land.phases import Bidding, Playing
from rules.kernel import Json

KEEN = 1.0
"""How much more likely an action is with each card that the prophecy wants."""
FORESEEN = 0.3
"""How much less likely a bid for the neighbour is with each card of its suit that the neighbour gets."""
HIGH, MIDDLE = 0.3, 5
"""How much more likely a card is with each number above the middle, when the trick brings what is wanted."""
JOKER = 0.3
"""What the joker of the winner is worth beside a wanted card."""

Wants = Mapping[str, int]


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2 to 5: the seat knows the hand for which it bids, and what it is to own most and least of."""
    if isinstance(s, Bidding):
        suits = [card[1] for card in s.held[seat]]
        return [foreseen(suits, action) for action in legal]
    wants = wanted(s, seat)
    if isinstance(s, Playing):
        brings = sum(wants[printed(face)[1]] for faces in s.trick for face in faces)
        keen = HIGH * (brings + JOKER)
        return [played(wants, keen, action) for action in legal]
    likely = WEIGHTS.get(legal[0]["type"])
    return [likely(wants, action) if likely else 1.0 for action in legal]


def foreseen(suits: list[str], action: Json) -> float:
    """4.2 What is most or least in the hand will hardly come to be the other."""
    most = sum(suits.count(card[1]) for card in action["most"])
    least = sum(suits.count(card[1]) for card in action["least"])
    return math.exp(FORESEEN * (least - most))


def wanted(s: Table, seat: int) -> Wants:
    """5, 3 How welcome a card of each suit is."""
    wants = dict.fromkeys(SUITS, 0)
    for cards, welcome in ((s.most[seat], 1), (s.least[seat], -1)):
        for card in cards or ():
            wants[card[1]] += welcome
    return wants


def played(wants: Wants, keen: float, action: Json) -> float:
    """4.4 High cards if the trick is wanted, low ones if it is not."""
    number = tricks.number(tricks.laid(action["card"], action["sideways"], action["joker"]))
    return math.exp((keen + HIGH * wants[action["card"][1]]) * (number - MIDDLE))


WEIGHTS: Mapping[str, Callable[[Wants, Json], float]] = {
    "bonus": lambda wants, action: math.exp(KEEN * wants[action["card"][1]]),
    "secret": lambda wants, action: math.exp(KEEN * wants[action["card"][1]]),
    "joker": lambda wants, action: math.exp(KEEN * wants[action["suit"]]),
    "erase": lambda wants, action: math.exp(-KEEN * sum(wants[c[1]] for c in action["cards"])),
}
"""4.3, 4.5, 4.6 and 5: by what the seat owns afterwards."""
