"""4.2 Claims: what may be bid over what, and the cards that back a claim."""

from __future__ import annotations

from typing import NamedTuple

from rules.common import poker
from rules.common.cards import JOKER, Card, Cards, canonical
from rules.common.poker import RANK, SIZE, VALUE
from rules.kernel import Json

BARE = frozenset({"two-pair", "straight", "flush", "full-house", "straight-flush"})
"""Kinds of which the first bid names no rank (4.2)."""
STRENGTH = {kind: strength for strength, kind in enumerate(SIZE)}
NAMES = RANK | {VALUE[JOKER]: "joker"}
"""The names of ranks in views and lines, where `Jk` would be a card that somebody sees."""


class Claim(NamedTuple):
    """4.2 A bid: a kind, perhaps a rank (its value), perhaps a suit."""

    kind: str
    rank: int | None = None
    suit: str | None = None

    def action(self) -> Json:
        """The action that bids this claim."""
        action: Json = {"type": "bid", "kind": self.kind}
        if self.rank is not None:
            action["rank"] = RANK[self.rank]
        return action if self.suit is None else {**action, "suit": self.suit}

    def named(self) -> Json:
        """Rank and suit, as far as they are named, for views and lines."""
        named: Json = {} if self.rank is None else {"rank": NAMES[self.rank]}
        return named if self.suit is None else {**named, "suit": self.suit}


def claims_over(high: Claim | None, hand: Cards, *, opener: bool) -> list[Claim]:
    """4.2 Every claim that `hand` backs and that may be bid over `high`, in order."""
    least = 0 if high is None else STRENGTH[high.kind]
    claims: list[Claim] = []
    for kind in list(SIZE)[least:]:
        if high is not None and kind == high.kind:
            claims += answers(high, hand, opener=opener)
        elif kind not in BARE:
            claims += [Claim(kind, rank) for rank in poker.tops(hand, kind)]
        elif poker.tops(hand, kind):
            claims.append(Claim(kind))
    return claims


def answers(high: Claim, hand: Cards, *, opener: bool) -> list[Claim]:
    """4.2 Claims of the same kind as `high`: of a higher rank, or of the same rank by suit or by the opener."""
    ranks = poker.tops(hand, high.kind)
    if high.kind in BARE:
        least = 0 if high.rank is None else high.rank + (not opener)
        return [Claim(high.kind, rank) for rank in ranks if rank >= least]
    higher = [Claim(high.kind, rank) for rank in ranks if rank > (high.rank or 0)]
    if high.kind != "single" or high.rank in (None, VALUE[JOKER]):
        return higher
    least = 0 if high.suit is None else poker.SUITS.index(high.suit) + (not opener)
    suits = [suit for suit in poker.SUITS[least:] if RANK[high.rank] + suit in hand]
    return [*(Claim("single", high.rank, suit) for suit in suits), *higher]


def is_answer(claim: Claim, high: Claim | None) -> bool:
    """4.2 Whether the opener of `high` stays the opener."""
    if high is None or claim.kind != high.kind:
        return False
    return claim.kind in BARE or claim.rank == high.rank


def layable(claim: Claim, hand: Cards, laid: Cards) -> Cards:
    """4.4, 2: the cards of `hand` that together with those `laid` can become a set that backs the claim."""
    found: set[Card] = set()
    for cards in poker.sets(canonical(hand + laid), claim.kind, claim.rank):
        rest = list(cards)
        for card in laid:
            if card in rest:
                rest.remove(card)
        if len(rest) == len(cards) - len(laid):
            found.update(rest)
    return canonical(found)
