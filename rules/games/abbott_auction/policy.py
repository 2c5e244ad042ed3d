"""How likely sensible players are to bid, to lay and to declare: a trade is good that makes the best hand better."""

from __future__ import annotations

import functools
from itertools import islice

from rules.common import poker
from rules.common.cards import JOKER, Card, Cards, canonical, without
from rules.common.poker import SIZE, VALUE
from rules.games.abbott_auction.components import Table
from rules.games.abbott_auction.phases import Laying
from rules.kernel import Json

WORTH = {
    "single": 0.0,
    "pair": 0.05,
    "two-pair": 0.2,
    "three": 0.35,
    "straight": 0.5,
    "flush": 0.7,
    "full-house": 0.9,
    "four": 0.97,
    "straight-flush": 1.0,
}
"""About how often the best hand of all is one whose kind is this."""
KEEN = 20.0
"""How much more likely a bid is, beside passing, with what its trade would be worth."""
IDLE = 0.03
"""A bid whose trade would bring nothing."""
BROKEN = 0.1
"""To lay a card of the best hand, beside another one."""
STRONGER = 0.01
"""How much more likely each stronger claim is: it is paid alike, and outbid less often."""
LEAVING = 0.2
"""Not to be asked again, beside passing."""
SURE = {"three": 0.7, "straight": 1.2, "flush": 2.0}
"""How likely the end is declared with such a best hand, beside passing; with a better one it is all but certain."""
CERTAIN, HARDLY = 6.0, 0.01
WAYS = 3
"""In how many ways a claim is paid when its trade is judged: of many, the others are much alike."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2 Bids for what the hand can use; 4.4 cards that it does not need; 5.1 the end, with a good hand."""
    hand = s.hands[seat]
    if isinstance(s, Laying):
        return [laid(hand, action["card"]) for action in legal]
    top = s.pile[-max(SIZE.values()) :]
    return [likely(hand, top, action, n) for n, action in enumerate(legal)]


def likely(hand: Cards, top: Cards, action: Json, place: int) -> float:
    """How likely an action of an auction is; stronger claims come later in the list."""
    kind = action["type"]
    if kind == "declare":
        best = best_kind(hand)
        return SURE.get(best, CERTAIN if WORTH[best] > WORTH["flush"] else HARDLY)
    if kind == "bid":
        gain = gained(hand, top, action["kind"], action.get("rank"))
        return (KEEN * gain + IDLE) * (1 + STRONGER * place)
    return 1.0 if kind == "pass" else LEAVING


@functools.lru_cache(maxsize=8192)
def laid(hand: Cards, card: Card) -> float:
    """4.4, 2 How likely a card is laid on the pile."""
    rest = without(hand, card)
    whole = WORTH[best_kind(rest)] == WORTH[best_kind(hand)]
    return (1.0 if whole else BROKEN) / VALUE[card if card == JOKER else card[0]]


@functools.lru_cache(maxsize=16384)
def gained(hand: Cards, top: Cards, kind: str, rank: str | None) -> float:
    """4.4 How much better the best hand becomes with the cards on top of the pile for those that back a claim."""
    now, taken = WORTH[best_kind(hand)], top[-SIZE[kind] :]
    if WORTH[best_kind(canonical(hand + taken))] <= now:
        return 0.0
    ways = islice(poker.sets(hand, kind, VALUE[rank] if rank else None), WAYS)
    traded = [canonical(without(hand, *paid) + taken) for paid in ways]
    return max([0.0, *(WORTH[best_kind(cards)] - now for cards in traded)])


@functools.lru_cache(maxsize=16384)
def best_kind(hand: Cards) -> str:
    """5.1 The kind of the best hand, in which jokers do not count; a single card for less than a pair."""
    return poker.best_kind(tuple([card for card in hand if card != JOKER]))
