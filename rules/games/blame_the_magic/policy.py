"""The likely hands, leads and uses of the marker of sensible players: low influence survives.

All survive with 13 or more each, which no seat can bring about alone; otherwise only the seat with the least influence
survives (5). So a seat below 13 wants cards that bring it little, and a seat above wants cards that keep it within the
limit. Others' aims are not predicted (`unforeseen`): everybody has two, and nobody may talk.
"""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, Card
from rules.common.faces import printed
from rules.games.blame_the_magic.components import ENOUGH, Table
from rules.games.blame_the_magic.phases import Closing
from rules.kernel import Json

LOW = 0.35
"""How much each expected point of influence makes a card less likely."""
HAND = 0.25
"""How much each point of a chosen hand makes it less likely."""
ABOVE = 6.0
"""The cost of exceeding the limit, in points."""
MORE = 0.2
"""The weight of choosing one more card, which can also stay, relative to not doing so."""
USUAL = {"answer": 1.0, "pass": 1.0, "take": 0.1, "give": 0.5, "return": 0.2, "lose": 0.1}
"""The weights of the marker holder's other actions, relative to leads that cost nothing.

Its last window is the best time to lose influence.
"""
TURNED = 3.0
"""The weight of turning a card that lowers a seat's influence, in the last window."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2 Hands of low cards; 4.3 leads that others can match, or low ones; 4.6 the marker, in the last window."""
    return [likely(s, seat, action) for action in legal]


def likely(s: Table, seat: int, action: Json) -> float:
    """The weight of an action."""
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
    """5 The cost to a seat if a card stays with it: its influence, and more beyond the limit."""
    number, now = NUMBER[card[0]], s.influences[seat]
    over = ABOVE if now + number > s.limit else 0.0
    return over + (number if now < ENOUGH else 0.0)


def kept(s: Table, seat: int, card: Card) -> float:
    """4.4 The probability that nobody else has the number in hand; a card in a zone is in no hand."""
    chance = 1.0
    for other, zone in enumerate(s.zones):
        hand, guild = len(s.hands[other]), len(s.guilds[other])
        if other == seat or not hand:
            continue
        if card[0] not in [printed(face)[0] for face in zone]:
            chance *= guild / (hand + guild)
    return chance
