"""Cards, finished deals, and the table: who sees which cards."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

from rules.common.cards import JOKER, Cards, canonical, deck
from rules.games.abbott_auction.scoring import points
from rules.kernel import Json, Part, State, everyone, fact, inner, owner, size, table, zone

PLAYERS = range(2, 9)
TWO_PACKS = 4
"""2 The smallest number of players for whom two decks are used."""
HAND = 10
CALLABLE = 8
"""4.3 The smallest size of the pile at which the end of the deal can be declared."""


class Deal(NamedTuple):
    """2 The record of a finished deal."""

    reason: str
    declarer: int | None
    seats: tuple[int, ...]
    points: int


@table
class Table(State):
    """2 The components, and who sees them.

    The top card of the pile is its last card, and the top card of the stock is its first one.
    """

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", order=canonical)
    pile: Cards = zone(everyone, "row", default=())
    stock: Cards = zone(size, "pile", default=())
    number: int = fact(everyone, default=0)
    totals: tuple[int, ...] = fact(everyone, per="seat", name="score")
    deals: tuple[Deal, ...] = inner(default=())
    target: int = inner()
    max_deals: int = inner()

    def parts(self) -> Sequence[Part]:
        return (Part("deal", self.number),) if self.number else ()

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "points", "value": points(self.pile)},
            *(
                {"name": "deal", "number": n, **summary(each)}
                for n, each in enumerate(self.deals, 1)
            ),
        ]


@functools.cache
def pack(players: int) -> Cards:
    """3 One deck with two jokers; from four players on, two decks, with each card twice in a row."""
    packs = 1 if players < TWO_PACKS else 2
    return tuple(card for card in deck() for _ in range(packs)) + (JOKER,) * (2 * packs)


def summary(each: Deal) -> Json:
    """A finished deal in the form that views have."""
    ended = {"reason": each.reason, "seats": each.seats, "value": each.points}
    return ended if each.declarer is None else {**ended, "declarer": each.declarer}
