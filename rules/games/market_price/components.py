"""Cards, prices, and the table: who sees which cards."""

from __future__ import annotations

from collections.abc import Sequence

from rules.common.cards import NUMBER, SUITS, Card, Cards, canonical, deck
from rules.kernel import (
    Json,
    Part,
    Place,
    State,
    everyone,
    fact,
    owner,
    owner_until_over,
    size,
    table,
    zone,
)

CHANCES = (("watch", "J"), ("queens", "Q"), ("kings", "K"), ("numbers", "23456789T"))
"""3 The shuffles of the set-up, with the ranks of the cards in each."""
HAND = {3: 9, 4: 7}


def a_number(state: State, place: Place, card: Card) -> bool:
    """3 Whether the card is a number card; hands are dealt from these."""
    return card[0] in CHANCES[-1][1]


def an_inspector(state: State, place: Place, card: Card) -> bool:
    """3 Whether the card is a jack, an inspector of the watch pile."""
    return card[0] == "J"


def queen_or_king(state: State, place: Place, card: Card) -> bool:
    """3 Whether the card is the seat's first share, a queen, or its second share, a king."""
    return card[0] == "QK"[place.position or 0]


def left_over(state: Table, place: Place, card: Card) -> bool:
    """3 Whether the card can lie at this place of the removed cards: first come the queens left over, then kings, then
    numbers.
    """
    each = len(SUITS) - state.players
    step = (place.position or 0) // each if each else 2
    return card[0] == "QK"[step] if step < 2 else a_number(state, place, card)


@table
class Table(State):
    """2 The components, and who sees them. A company is a suit, numbered in the order s h d c."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", holds=a_number, order=canonical)
    shares: tuple[Cards, ...] = zone(
        owner_until_over, "row", per="seat", name="share", holds=queen_or_king
    )
    upper: tuple[Cards, ...] = zone(everyone, "pile", per="index", default=((),) * len(SUITS))
    lower: tuple[Cards, ...] = zone(
        everyone, "pile", per="index", default=tuple((ace,) for ace in deck("A"))
    )
    watch: Cards = zone(size, "pile", holds=an_inspector, default=())
    watched: Cards = zone(everyone, "row", default=())
    removed: Cards = zone(size, "pile", holds=left_over, default=())
    passed: tuple[bool | None, ...] = fact(everyone, per="seat")
    round: int = fact(everyone, default=0)

    def parts(self) -> Sequence[Part]:
        return (Part("round", self.round),) if self.round else ()

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "price", "index": company, "value": price(self, suit)}
            for company, suit in enumerate(SUITS)
        ]


def suit_watched(s: Table) -> str:
    """2 The suit of the inspector that was turned last."""
    return s.watched[-1][1]


COMPANY = {card: SUITS.index(card[1]) for card in deck()}
"""The number of the company of a card."""


def price(s: Table, suit: str) -> int:
    """5 The price of a company: the lower of its two top values; 1 while only the ace lies there."""
    company = SUITS.index(suit)
    upper, lower = s.upper[company], NUMBER[s.lower[company][-1][0]]
    return min(NUMBER[upper[-1][0]], lower) if upper else lower
