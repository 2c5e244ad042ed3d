"""The likely bids, lays and declarations of sensible players: a trade is good if it improves the best hand."""

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
"""The approximate probability that a hand of this kind is the best of all."""
KEEN = 20.0
"""The exponent of a bid's weight for the value of its trade."""
IDLE = 0.03
"""The weight of a bid whose trade would bring nothing, relative to passing."""
BROKEN = 0.1
"""The weight of laying a card of the best hand, relative to another card."""
STRONGER = 0.01
"""The additional weight of each stronger claim: it costs the same, and is outbid less often."""
LEAVING = 0.2
"""The weight of leaving the auction, relative to passing."""
SURE = {"three": 0.7, "straight": 1.2, "flush": 2.0}
"""The weight of declaring the end with a best hand of this kind, relative to passing.

With a better hand a declaration is almost certain.
"""
CERTAIN, HARDLY = 6.0, 0.01
WAYS = 3
"""The largest number of ways to pay a claim that are judged; further ones are much alike."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.2, 4.4 and 5.1 The weight of each legal action.

    Useful cards are bid for, cards that are not needed are laid, and a good hand ends the deal.
    """
    hand = s.hands[seat]
    if isinstance(s, Laying):
        return [laid(hand, action["card"]) for action in legal]
    top = s.pile[-max(SIZE.values()) :]
    return [likely(hand, top, action, n) for n, action in enumerate(legal)]


def likely(hand: Cards, top: Cards, action: Json, place: int) -> float:
    """The weight of an action in an auction; `place` is its index in the list, where stronger claims come later."""
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
    """4.4, 2: the weight of laying a card on the pile."""
    rest = without(hand, card)
    whole = WORTH[best_kind(rest)] == WORTH[best_kind(hand)]
    return (1.0 if whole else BROKEN) / VALUE[card if card == JOKER else card[0]]


@functools.lru_cache(maxsize=16384)
def gained(hand: Cards, top: Cards, kind: str, rank: str | None) -> float:
    """4.4 The improvement of the best hand if the cards that back a claim are traded for the top of the pile."""
    now, taken = WORTH[best_kind(hand)], top[-SIZE[kind] :]
    if WORTH[best_kind(canonical(hand + taken))] <= now:
        return 0.0
    ways = islice(poker.sets(hand, kind, VALUE[rank] if rank else None), WAYS)
    traded = [canonical(without(hand, *paid) + taken) for paid in ways]
    return max([0.0, *(WORTH[best_kind(cards)] - now for cards in traded)])


@functools.lru_cache(maxsize=16384)
def best_kind(hand: Cards) -> str:
    """5.1 The kind of the best hand, in which jokers do not count; `single` for less than a pair."""
    return poker.best_kind(tuple([card for card in hand if card != JOKER]))
