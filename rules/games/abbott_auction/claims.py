"""4.2 Claims: the bids that may follow a bid, and the cards that back a claim."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from rules.common import poker
from rules.common.cards import JOKER, Cards, canonical
from rules.common.poker import RANK, SIZE, STRENGTH, VALUE
from rules.kernel import Action, Json

BARE = frozenset({"two-pair", "straight", "flush", "full-house", "straight-flush"})
"""4.2 The kinds whose first bid names no rank."""
KINDS = tuple(SIZE)
NAMES = RANK | {VALUE[JOKER]: "joker"}
"""The names of ranks in views and lines; `Jk` would look like a card that somebody sees, so jokers are named
`joker`.
"""


class Claim(NamedTuple):
    """4.2 The claim of a bid: a kind, in some cases a rank (its value), and in some a suit."""

    kind: str
    rank: int | None = None
    suit: str | None = None

    def named(self) -> Json:
        """The rank and the suit for views and lines, as far as they are named."""
        named: Json = {} if self.rank is None else {"rank": NAMES[self.rank]}
        return named if self.suit is None else {**named, "suit": self.suit}


@functools.lru_cache(maxsize=1024)
def bid(kind: str, rank: int | None = None, suit: str | None = None) -> Action:
    """The action that bids a claim. Each is made once, since lists of legal actions have many of them."""
    named = {} if rank is None else {"rank": RANK[rank]}
    return Action(type="bid", kind=kind, **named, **({} if suit is None else {"suit": suit}))


def bids_over(high: Claim | None, hand: Cards, *, opener: bool) -> list[Action]:
    """4.2 The bids of every claim that `hand` backs and that may follow `high`, in order."""
    first = first_bids(hand)
    if high is None:
        return list(chain.from_iterable(first.values()))
    bids = answers(high, hand, opener=opener)
    for kind in KINDS[STRENGTH[high.kind] + 1 :]:
        bids += first[kind]
    return bids


@functools.lru_cache(maxsize=4096)
def first_bids(hand: Cards) -> Mapping[str, list[Action]]:
    """4.2 The bids of each kind before anybody has bid a set of that kind, by kind."""
    return {
        kind: [bid(kind)] if kind in BARE and ranks else [bid(kind, rank) for rank in ranks]
        for kind, ranks in poker.kinds(hand).items()
    }


def answers(high: Claim, hand: Cards, *, opener: bool) -> list[Action]:
    """4.2 The bids of the same kind as `high`: of a higher rank, or of the same rank by suit or by the opener."""
    ranks = poker.tops(hand, high.kind)
    if high.kind in BARE:
        least = 0 if high.rank is None else high.rank + (not opener)
        return [bid(high.kind, rank) for rank in ranks if rank >= least]
    higher = [bid(high.kind, rank) for rank in ranks if rank > (high.rank or 0)]
    if high.kind != "single" or high.rank in (None, VALUE[JOKER]):
        return higher
    least = 0 if high.suit is None else poker.SUITS.index(high.suit) + (not opener)
    suits = [suit for suit in poker.SUITS[least:] if RANK[high.rank] + suit in hand]
    return [*(bid("single", high.rank, suit) for suit in suits), *higher]


def is_answer(claim: Claim, high: Claim | None) -> bool:
    """4.2 Whether the seat that opened `high` stays the opener after this claim."""
    if high is None or claim.kind != high.kind:
        return False
    return claim.kind in BARE or claim.rank == high.rank


def layable(claim: Claim, hand: Cards, laid: Cards) -> Cards:
    """4.4, 2: the cards of `hand` that can complete the cards `laid` to a set that backs the claim."""
    whole = map(set, poker.sets(canonical(hand + laid), claim.kind, claim.rank))
    found = [cards.difference(laid) for cards in whole if cards.issuperset(laid)]
    return canonical(set().union(*found))
