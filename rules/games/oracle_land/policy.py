"""The likely bids, plays and cards taken by sensible players: those that fulfil their own prophecies."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Sequence

from rules.common.cards import SUITS, Card, Cards
from rules.common.faces import Face, printed
from rules.games.oracle_land import tricks
from rules.games.oracle_land.components import Table
from rules.games.oracle_land.phases import Bidding, Playing, Wishing
from rules.games.oracle_land.prospects import Prospects
from rules.kernel import Json

KEEN = 4.0
"""The exponent of an action's weight for each bid card that it is expected to bring."""
FORESEEN = 0.3
"""The exponent by which each card of the predicted suit in the neighbour's hand changes a bid's weight."""
JOKER = 0.15
"""The value of the joker to the winner of a trick, in bid cards."""
HIGHEST = 9
"""The highest number of a played card."""
WEAKEST, STRONGEST = (-1, 0), (3, 0)
"""A strength below the strengths of all plays, and one above them."""
OUT_OF_SUIT = {0: (0.02, 0.95), 1: (0.02, 0.7)}
"""The probabilities that a later play is weaker, and that it is stronger, than a play outside the suit led.

They are given for a play without a suit (0) and for a play of another suit (1).
"""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2 to 5: the weight of each legal action for a seat that knows the hand for which it bids, and its own
    prophecies.
    """
    if isinstance(s, Bidding):
        suits = [card[1] for card in s.held[seat]]
        return [foreseen(suits, action) for action in legal]
    if isinstance(s, Wishing):
        return [1.0] * len(legal)
    prospects = Prospects(s, seat)
    playing = isinstance(s, Playing)
    brings = plays(s, prospects, legal) if playing else takes(prospects, legal)
    return [math.exp(KEEN * each) for each in brings]


def foreseen(suits: list[str], action: Json) -> float:
    """4.2 The weight of a bid: a suit with many or few cards in the hand will hardly become the opposite."""
    most = sum(suits.count(card[1]) for card in action["most"])
    least = sum(suits.count(card[1]) for card in action["least"])
    return math.exp(FORESEEN * (least - most))


def takes(prospects: Prospects, legal: list[Json]) -> list[float]:
    """4.3, 4.5, 4.6 and 5: the expected gain of each legal action in bid cards, from what the seat owns afterwards."""
    kind, gains = legal[0]["type"], prospects.gains()
    if kind == "erase":
        erased = [[card[1] for card in action["cards"]] for action in legal]
        return [prospects.gain(each, -1) for each in erased]
    return [gains[action["suit" if kind == "joker" else "card"][-1]] for action in legal]


def plays(s: Table, prospects: Prospects, legal: list[Json]) -> list[float]:
    """4.4 to 4.6: the expected gain of each legal play in bid cards, from what the winner and the loser of the trick
    get.
    """
    laid = [face for ahead in range(s.players) for face in s.trick[(s.leader + ahead) % s.players]]
    brought = [suit for face in laid for suit in owned(printed(face))]
    gains, after = prospects.gains(), s.players - 1 - len(laid)
    consoled = max([gains[suit] for suit, pile in zip(SUITS, s.stock, strict=True) if pile])
    won: dict[Cards, float] = {}
    brings = []
    for action, (win, lose) in zip(legal, chances(laid, after, legal), strict=True):
        own = owned(action["card"])
        if win and own not in won:
            won[own] = prospects.gain([*brought, *own]) + JOKER
        brings.append((win and win * won[own]) + lose * consoled)
    return brings


def owned(card: Card) -> Cards:
    """4.6 The suit of the card if the winner of a trick comes to own it; empty for a 4, which does not count."""
    return () if card[0] == "4" else (card[1],)


def chances(laid: Sequence[Face], after: int, legal: list[Json]) -> Iterator[tuple[float, float]]:
    """4.4 The probabilities that each legal play wins the trick and that it loses it, if `after` seats play after it.

    Their cards are assumed to be any cards.
    """
    led = tricks.suit_of(laid[0]) if laid else None
    others = [tricks.strength(each, led) for each in laid]
    best, worst = max(others, default=WEAKEST), min(others, default=STRONGEST)
    for action in legal:
        face = tricks.laid(action["card"], action["sideways"], action["joker"])
        own = led if laid else tricks.suit_of(face)
        mine = tricks.strength(face, own)
        win, lose = later(mine, own is None, after)
        yield win if mine > best else 0.0, lose if mine <= worst else 0.0


@functools.cache
def later(strength: tuple[int, int], free: bool, after: int) -> tuple[float, float]:
    """4.4 The probabilities that all later plays are weaker, and that all are stronger; `free` means that no suit was
    led.
    """
    step, number = strength
    weaker, stronger = number / HIGHEST, 1 - number / HIGHEST
    if not free and step in OUT_OF_SUIT:
        weaker, stronger = OUT_OF_SUIT[step]
    return weaker**after, stronger**after
