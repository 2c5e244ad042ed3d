"""How likely sensible players are to choose a hand, to lead and to use the marker: who stays low survives.

All survive with 13 or more each, which no seat can bring about alone; the least conspicuous one survives alone (5). So
a seat that has less than 13 is after cards that bring it little, and one that has more is after what does not bring it
above the limit. What others are after is not foreseen (`unforeseen`): everybody has two ends, and nobody may talk.
"""

from __future__ import annotations

import math

from rules.common.cards import NUMBER, Card
from rules.common.faces import printed
from rules.games.blame_the_magic.components import ENOUGH, Table
from rules.games.blame_the_magic.phases import Closing
from rules.kernel import Json

LOW = 0.35
"""How much less likely a card becomes with each point of influence that it is expected to bring."""
HAND = 0.25
"""The same for each point of a hand that is chosen."""
ABOVE = 6.0
"""As many points does it cost to come above the limit."""
MORE = 0.2
"""To choose one more card, beside not to: it is one more that can stay."""
USUAL = {"answer": 1.0, "pass": 1.0, "take": 0.1, "give": 0.5, "return": 0.2, "lose": 0.1}
"""What the holder of the marker does, beside leads that cost nothing; its last window is the best time to lose."""
TURNED = 3.0
"""To lose what makes a seat less conspicuous, in the last window."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2 Hands of low cards; 4.3 cards that others have too, or low ones; 4.6 the marker, in the last window."""
    return [likely(s, seat, action) for action in legal]


def likely(s: Table, seat: int, action: Json) -> float:
    """How likely an action is."""
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
    """5 What it costs a seat that a card stays with it: its influence, and more above the limit."""
    number, now = NUMBER[card[0]], s.influences[seat]
    over = ABOVE if now + number > s.limit else 0.0
    return over + (number if now < ENOUGH else 0.0)


def kept(s: Table, seat: int, card: Card) -> float:
    """4.4 How likely nobody else has the number in its hand: a card in a zone is in no hand."""
    chance = 1.0
    for other, zone in enumerate(s.zones):
        hand, guild = len(s.hands[other]), len(s.guilds[other])
        if other == seat or not hand:
            continue
        if card[0] not in [printed(face)[0] for face in zone]:
            chance *= guild / (hand + guild)
    return chance
