"""Cards, and the table: who sees which cards, and how junk is added to a load."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rules.common.cards import JOKER, Card, Cards, canonical, deck, replaced
from rules.games.trunk_and_peddler import values
from rules.kernel import (
    Json,
    Place,
    State,
    Viewer,
    everyone,
    inner,
    owner,
    owner_until_over,
    size,
    table,
    zone,
)

SEATS = 2
SMALL, VALUABLE = deck("A2345789"), deck("JQK")
FIRST_HAND = 10
NOTHING: tuple[Cards, ...] = ((),) * SEATS
TRICKS, COUNTRY = 8, 4
"""4.7 The number of tricks in a game, and in each of its two countries."""
REFILLED = 6
"""4.7 The number of cards in hand after the fourth trick; with A, the largest number that can be drawn."""

T = TypeVar("T", bound="Table")


def turned_up(state: Table, viewer: Viewer, place: Place) -> bool:
    """2 Visible if the valuable at this position has been turned up.

    Positions 1 and 5 of the display are open from the start, position t from the beginning of trick t.
    """
    position = place.position or 0
    return position % COUNTRY == 0 or position < state.trick


def small(state: State, place: Place, card: Card) -> bool:
    """3 Whether the card is a small card; hands, stock and trunks are dealt from these."""
    return card in SMALL


def valuable(state: State, place: Place, card: Card) -> bool:
    """3 Whether the card is a valuable; these are laid out and later packed."""
    return card in VALUABLE


@table
class Table(State):
    """2 The components, and who sees them. A joker on a load is one of its face-up valuables."""

    hands: tuple[Cards, ...] = zone(
        owner, "hand", name="hand", holds=small, order=canonical, default=NOTHING
    )
    display: tuple[Card | None, ...] = zone(turned_up, "row", holds=valuable, default=())
    unused: Cards = zone(size, "pile", holds=valuable, default=())
    joker: Cards = zone(everyone, "row", default=(JOKER,))
    stock: Cards = zone(size, "pile", holds=small, default=())
    discards: Cards = zone(everyone, "pile", name="discard", default=())
    trunk: tuple[Card | None, ...] = zone(
        owner_until_over, "row", per="seat", holds=small, default=(None, None)
    )
    junk: tuple[Cards, ...] = zone(everyone, "row", per="seat", default=NOTHING)
    threes: tuple[Cards, ...] = zone(
        everyone, "row", per="seat"
    )  # empty without F and G, so that there is no such zone
    up: tuple[Cards, ...] = zone(everyone, "row", per="seat", default=NOTHING)
    down: tuple[Cards, ...] = zone(
        size, "pile", per="seat", holds=valuable, default=NOTHING
    )  # not even by the owner (R2)
    side: tuple[Cards, ...] = zone(
        everyone, "row", per="seat"
    )  # empty without H, so that there is no such zone (R9)
    trick: int = inner(default=0)
    trumps: tuple[str, ...] = inner(default=())
    rules: str = inner()  # the letters of the rules in force; options are not part of the view

    @property
    def holder(self) -> int:
        """4.1 The seat with the joker; seat 0 before anybody has it (R1)."""
        return 1 if JOKER in self.up[1] else 0

    def units(self, seat: int) -> int:
        """2 The number of junk units on a load: single cards, and threes."""
        return len(self.junk[seat]) + (len(self.threes[seat]) // values.THREE if self.threes else 0)

    def load(self, seat: int) -> int:
        """5 The number of units in the load: everything under the trunk, including the joker."""
        return self.units(seat) + len(self.down[seat]) + len(self.up[seat])

    def facts(self) -> Sequence[Json]:
        past: Json = {"name": "trumps", "suits": self.trumps}
        loads = [
            {"name": "load", "of": seat, "value": self.load(seat), "junk": self.units(seat)}
            for seat in range(SEATS)
        ]
        return [past, *loads] if self.trumps else loads


def pile(s: T, seat: int, cards: Cards) -> T:
    """The state after the cards have been added to the seat's own load, each as one junk unit."""
    return s.change(junk=replaced(s.junk, seat, s.junk[seat] + cards))


def stack(s: T, seat: int, cards: Cards) -> T:
    """The state after the cards have been added to the seat's own load, three of a suit as one unit.

    Earlier junk never becomes part of such a unit (R6).
    """
    singles, threes = values.stacked(cards)
    for three in threes:
        s = s.tell("stacked", seat=seat, cards=three)
        s = s.change(threes=replaced(s.threes, seat, s.threes[seat] + three))
    return pile(s, seat, singles)
