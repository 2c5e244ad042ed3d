"""Cards, and the table: who sees which cards."""

from __future__ import annotations

from collections.abc import Sequence

from rules.common.cards import Card, Cards, canonical, deck, suit
from rules.games.boomerang_auction.scoring import RANKS, score
from rules.kernel import Json, Part, Place, State, everyone, fact, owner, size, table, zone

SEATS = 3
GOODS = deck(RANKS, "c")
SUITS = "shd"
"""The suit of each seat's hand (3)."""


def own_suit(state: State, place: Place, card: Card) -> bool:
    """3 and 4: whether a hand can hold the card. A hand only loses cards of its own suit, and gets them back."""
    return suit(card) == SUITS[place.seat or 0]


def for_sale(state: Table, place: Place, card: Card) -> bool:
    """3 and 4: whether the stock can hold the card. The first stock consists of the clubs."""
    return state.sale > 1 or card in GOODS


@table
class Table(State):
    """2 The components, and who sees them."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", holds=own_suit, order=canonical)
    stock: Cards = zone(size, "pile", holds=for_sale, default=())
    discard: Cards = zone(size, "pile", default=())
    won: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    sale: int = fact(everyone, default=1)
    dealer: int = fact(everyone, "seat", default=0)

    def parts(self) -> Sequence[Part]:
        return (Part("sale", self.sale),)

    def facts(self) -> Sequence[Json]:
        return [{"name": "score", "of": i, "value": score(won)} for i, won in enumerate(self.won)]
