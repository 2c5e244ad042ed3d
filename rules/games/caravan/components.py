"""Cards, and the table: who sees which cards."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from rules.common.cards import Cards, canonical
from rules.games.caravan.scoring import points
from rules.kernel import Json, State, everyone, fact, inner, owner, size, table, zone

SEATS = 2
LANES = range(3)
FIRST_HAND = 8
OPENING = 3
"""3 The number of number cards with which a seat opens, one for each lane."""
LEAST, MOST = 21, 26
"""4 The least and the most points of a row that can be sold."""
TO_WIN = 2
"""5 The number of sold lanes that wins the game."""
JOKERS = ("none", "one", "both")
"""The values of the option `joker`: `none` puts no joker in the decks, the others put one in each deck.

Except with `one`, a J may act as a joker.
"""


@table
class Table(State):
    """2 The components, and who sees them."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", order=canonical)
    stocks: tuple[Cards, ...] = zone(size, "pile", per="seat", name="stock")
    rows: tuple[tuple[Cards, ...], ...] = zone(everyone, "row", per="seat index", name="row")
    discards: tuple[Cards, ...] = zone(everyone, "pile", per="seat", name="discard")
    directions: tuple[tuple[str | None, ...], ...] = fact(
        everyone, per="seat index", name="direction"
    )
    sold: tuple[int | None, ...] = fact(everyone, "seat", per="index")
    joker: str = inner()  # options are not part of the view

    @property
    def open_lanes(self) -> tuple[int, ...]:
        return unsold(self.sold)

    @property
    def scores(self) -> tuple[int, ...]:
        return sales(self.sold)

    def facts(self) -> Sequence[Json]:
        worth = [
            {"name": "points", "of": seat, "index": lane, "value": points(row)}
            for seat, rows in enumerate(self.rows)
            for lane, row in enumerate(rows)
            if row
        ]
        sales = [{"name": "score", "of": seat, "value": n} for seat, n in enumerate(self.scores)]
        return [*worth, *sales]


@functools.cache
def unsold(sold: tuple[int | None, ...]) -> tuple[int, ...]:
    """The lanes that nobody has sold yet."""
    return tuple(lane for lane in LANES if sold[lane] is None)


@functools.cache
def sales(sold: tuple[int | None, ...]) -> tuple[int, ...]:
    """The number of lanes that each seat has sold."""
    return tuple(map(sold.count, range(SEATS)))


def saleable(s: Table, seat: int) -> list[int]:
    """4 The unsold lanes in which the seat's row can be sold and the points of the facing row differ."""
    return [
        lane
        for lane in s.open_lanes
        if LEAST <= (own := points(s.rows[seat][lane])) <= MOST
        and not own <= points(s.rows[1 - seat][lane]) <= MOST
    ]
