"""The likely hands, leads and uses of the marker of sensible players: low influence survives.

All survive with 13 or more each, which no seat can bring about alone; otherwise only the seat with the least influence
survives (5). So a seat below 13 wants cards that bring it little, and a seat above 13 wants cards that keep it within
the limit. Others' aims are not predicted (`unforeseen`): each seat has two possible aims, and nobody may talk.
"""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, Card
from rules.common.faces import printed
from rules.games.blame_the_magic.components import ENOUGH, Table
from rules.games.blame_the_magic.phases import Closing
from rules.kernel import Json

LOW = 0.35
"""The exponent by which each expected point of influence lowers a card's weight."""
HAND = 0.25
"""The exponent by which each point of a chosen hand lowers its weight."""
ABOVE = 6.0
"""The cost of exceeding the limit, in points."""
MORE = 0.2
"""The weight of choosing one more card, which may also stay in the zone, relative to not doing so."""
USUAL = {"answer": 1.0, "pass": 1.0, "take": 0.1, "give": 0.5, "return": 0.2, "lose": 0.1}
"""The weights of the holder's other actions, relative to leads that cost nothing.

The holder's last opportunity in a round is the best time to lose influence.
"""
TURNED = 3.0
"""The weight of turning a card that lowers a seat's influence, at the holder's last opportunity in a round."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2, 4.3 and 4.6 The weight of each legal action.

    Hands of low cards are preferred, leads that others can match or that are low, and the marker at its last
    opportunity.
    """
    return [likely(s, seat, action) for action in legal]


def likely(s: Table, seat: int, action: Json) -> float:
    """4.2 to 4.6 The weight of a single action."""
    kind = action["type"]
    if kind == "choose":
        cards = action["cards"]
        more = MORE if len(cards) > s.players else 1.0
        return more * math.exp(-HAND * sum(cost(s, seat, card) for card in cards))
    if kind == "lead":
        return math.exp(-LOW * kept(s, seat, action["card"]) * cost(s, seat, action["card"]))
    if kind == "lose" and isinstance(s, Closing):
        now = s.influences[seat]
        useful = now > s.limit or (now - NUMBER[action["card"][0]] < ENOUGH)
        return TURNED if useful else USUAL[kind]
    return USUAL[kind]


def cost(s: Table, seat: int, card: Card) -> float:
    """5 The cost to a seat if a card stays with it, in points: its influence, and ABOVE beyond the limit."""
    number, now = NUMBER[card[0]], s.influences[seat]
    over = ABOVE if now + number > s.limit else 0.0
    return over + (number if now < ENOUGH else 0.0)


def kept(s: Table, seat: int, card: Card) -> float:
    """4.4 The probability that no other seat has the number in its hand; a card in a zone is in no hand."""
    chance = 1.0
    for other, zone in enumerate(s.zones):
        hand, guild = len(s.hands[other]), len(s.guilds[other])
        if other == seat or not hand:
            continue
        if card[0] not in [printed(face)[0] for face in zone]:
            chance *= guild / (hand + guild)
    return chance
