"""How likely sensible players are to bid, to lay and to declare: what is given away is no part of the best hand."""

from __future__ import annotations

import functools

from rules.common import poker
from rules.common.cards import JOKER, Card, Cards, without
from rules.common.poker import RANK, SIZE, VALUE
from rules.games.abbott_auction.components import Table
from rules.games.abbott_auction.phases import Laying
from rules.kernel import Json

LEAVING = 0.4
"""Not to be asked again, beside passing."""
SURE = {"three": 0.5, "straight": 1.0, "flush": 1.5, "full-house": 1.5}
"""How likely the end is declared with such a best hand, beside passing; with a better one it is all but certain."""
CERTAIN = 6.0
IDLE, KEEN = 0.05, 4.0
"""How willingly is paid for cards that do not fit the hand, and for one that makes a pair of it."""
FIVE = 5
"""The most cards of a claim."""


def policy(s: Table, seat: int, legal: list[Json]) -> list[float]:
    """4.3 Bids that the best hand does not need; 4.4 cards that it does not need; 5.1 the end, with a good hand."""
    hand = s.hands[seat]
    if isinstance(s, Laying):
        best = best_of(hand)
        return [0.1 if action["card"] in best.cards else 1.0 for action in legal]
    hopes = hoped_for(hand, s.pile)
    return [
        likely(hand, action) * (hopes[SIZE[action["kind"]]] if action["type"] == "bid" else 1.0)
        for action in legal
    ]


def likely(hand: Cards, action: Json) -> float:
    """How likely an action of an auction is."""
    kind = action["type"]
    if kind == "declare":
        best = best_of(hand)
        return SURE.get(best.kind, 0.01 if poker_rank(best.kind) < 4 else CERTAIN)
    if kind == "bid":
        return payable(hand, action["kind"], action.get("rank"), action.get("suit"))
    return 1.0 if kind == "pass" else LEAVING


@functools.lru_cache(maxsize=8192)
def hoped_for(hand: Cards, pile: Cards) -> tuple[float, ...]:
    """4.4, 1 How keen a seat is on so many cards of the top of the pile: on ranks that it has, more than on others."""
    ranks = [card[0] for card in hand if card != JOKER]
    hopes, hope = [1.0], IDLE
    for card in (*pile[: -FIVE - 1 : -1], *(JOKER,) * FIVE)[:FIVE]:
        if card != JOKER and card not in hand:
            hope += KEEN * ranks.count(card[0]) ** 2
        hopes.append(hope)
    return tuple(hopes)


def poker_rank(kind: str) -> int:
    """The place of a kind among hands."""
    return 0 if kind == poker.HIGH_CARD else list(SIZE).index(kind)


@functools.lru_cache(maxsize=4096)
def best_of(hand: Cards) -> poker.Best:
    """5.1 The best hand, worked out once."""
    return poker.best(hand)


@functools.lru_cache(maxsize=8192)
def payable(hand: Cards, kind: str, rank: str | None, suit: str | None) -> float:
    """4.2 How willingly a claim is paid for."""
    if SIZE[kind] > 2:
        return 0.02
    spare = without(hand, *needed(hand))
    value = VALUE[rank] if rank else 0
    cards: list[Card] = [
        card for card in spare if VALUE[card if card == "Jk" else card[0]] == value
    ]
    if suit:
        cards = [card for card in cards if card == RANK[value] + suit]
    if len(cards) < SIZE[kind]:
        return 0.02
    return 0.5 / SIZE[kind]


def needed(hand: Cards) -> Cards:
    """The cards of the best hand that make its kind; of a high card or less than four, none but those."""
    best = best_of(hand)
    size = 0 if best.kind == poker.HIGH_CARD else SIZE[best.kind]
    return best.cards[:size]
