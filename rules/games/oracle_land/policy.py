"""How likely sensible players are to bid, to win tricks and to take cards: as their prophecies want it."""

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
"""How much more likely an action is with each bid card that it is expected to bring."""
FORESEEN = 0.3
"""How much less likely a bid for the neighbour is with each card of its suit that the neighbour gets."""
JOKER = 0.15
"""What the joker of the winner is worth, in bid cards."""
HIGHEST = 9
"""The highest number of a play."""
WEAKEST, STRONGEST = (-1, 0), (3, 0)
"""Below and above the strength of every play."""
OUT_OF_SUIT = {0: (0.02, 0.95), 1: (0.02, 0.7)}
"""How likely a later play is weaker, and stronger, than one without a suit (0) or of a suit that was not led (1)."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2 to 5: the seat knows the hand for which it bids, and what it is to own most and least of."""
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
    """4.2 What is most or least in the hand will hardly come to be the other."""
    most = sum(suits.count(card[1]) for card in action["most"])
    least = sum(suits.count(card[1]) for card in action["least"])
    return math.exp(FORESEEN * (least - most))


def takes(prospects: Prospects, legal: list[Json]) -> list[float]:
    """4.3, 4.5, 4.6 and 5: by what the seat owns afterwards."""
    kind, gains = legal[0]["type"], prospects.gains()
    if kind == "erase":
        erased = [[card[1] for card in action["cards"]] for action in legal]
        return [prospects.gain(each, -1) for each in erased]
    return [gains[action["suit" if kind == "joker" else "card"][-1]] for action in legal]


def plays(s: Table, prospects: Prospects, legal: list[Json]) -> list[float]:
    """4.4 to 4.6: by what comes to the winner, and to the loser."""
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
    """4.6 The suit of a card that a winner gets of a trick: all but the fours."""
    return () if card[0] == "4" else (card[1],)


def chances(laid: Sequence[Face], after: int, legal: list[Json]) -> Iterator[tuple[float, float]]:
    """4.4 How likely each play is to win and to lose the trick, if so many others lay any card after it."""
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
    """4.4 How likely all later plays are weaker, or all stronger; `free`: no suit was led."""
    step, number = strength
    weaker, stronger = number / HIGHEST, 1 - number / HIGHEST
    if not free and step in OUT_OF_SUIT:
        weaker, stronger = OUT_OF_SUIT[step]
    return weaker**after, stronger**after
