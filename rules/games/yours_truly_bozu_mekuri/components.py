"""Cards, rows, and the table: who sees which cards."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

from rules.common.cards import SUITS, Card, Cards, canonical, deck
from rules.common.faces import Face, printed
from rules.games.yours_truly_bozu_mekuri.settlement import ALL, Bozu, value
from rules.kernel import (
    Json,
    Part,
    Place,
    State,
    Turn,
    everyone,
    fact,
    inner,
    owner_until_over,
    part,
    size,
    table,
    waits_for,
    zone,
)

STOCK = deck("23456789T")
PILE = deck("JQK")
ACES = deck("A")
ROWS = 3


def not_a_bozu(state: Table, place: Place, card: Card) -> bool:
    """4.6 Whether a hand can hold the card, since it contains no bozu."""
    return card not in PILE


def not_dealt(state: Table, place: Place, card: Card) -> bool:
    """3 and 4.4: whether the stock can hold the card.

    Only the second stock, the former discard pile, may contain aces.
    """
    return card in STOCK or (state.restocked and card in ACES)


def a_bozu(state: State, place: Place, card: Card) -> bool:
    """3 Whether the card is a bozu; these form a separate pile."""
    return card in PILE


@table
class Table(State):
    """2 The components, and who sees them.

    In a row the bozu comes first; in `own`, each bozu comes before its cards.
    """

    hands: tuple[Cards, ...] = zone(
        owner_until_over, "hand", per="seat", name="hand", holds=not_a_bozu, order=canonical
    )
    rows: tuple[tuple[Face, ...], ...] = zone(
        everyone, "row", per="index", name="row", default=((),) * ROWS
    )
    own: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    stock: Cards = zone(size, "pile", holds=not_dealt, default=())
    discard: Cards = zone(everyone, "pile", default=())
    pile: Cards = zone(size, "pile", holds=a_bozu, default=())
    out: Cards = zone(everyone, "pile", default=())
    aces: Cards = inner(default=())
    active: int = inner(default=0)
    last: int | None = fact(everyone, "seat", name="last-round", default=None)
    restocked: bool = inner(default=False)
    repiled: bool = inner(default=False)
    sets: str = inner(default=ALL)

    @property
    def headed(self) -> list[int]:
        """The indexes of the rows that have a bozu."""
        return [number for number, row in enumerate(self.rows) if row]

    def turn(self) -> Turn:
        return waits_for((self.active,))

    def prompt(self) -> Json:
        return {"seat": self.active}

    def parts(self) -> Sequence[Part]:
        return (part("turn", seat=self.active),) if self.headed else ()

    def facts(self) -> Sequence[Json]:
        return [
            {"name": "sum", "index": row, "value": total(self, row), "bozu": head(self, row)}
            for row in self.headed
        ]


def rows_for(s: Table, card: Card) -> list[int]:
    """4.2 The indexes of the rows whose bozu is of the card's suit or, if there are none, of all rows with a bozu."""
    return list(rows_by_suit(tuple([row[:1] for row in s.rows]))[card[1]])


@functools.lru_cache(maxsize=4096)
def rows_by_suit(heads: tuple[tuple[Face, ...], ...]) -> Mapping[str, list[int]]:
    """4.2 The indexes of the rows for cards of each suit."""
    headed = [row for row, head in enumerate(heads) if head]
    suits = {row: printed(heads[row][0])[1] for row in headed}
    return {suit: [row for row in headed if suits[row] == suit] or headed for suit in SUITS}


def head(s: Table, row: int) -> int:
    """The value of a row's bozu."""
    return value(printed(s.rows[row][0]))


def total(s: Table, row: int) -> int:
    """The sum of the values of a row's cards."""
    return worth(s.rows[row][1:])


@functools.lru_cache(maxsize=4096)
def worth(faces: tuple[Face, ...]) -> int:
    """The sum of the values of cards, with or without marks."""
    return sum([value(printed(face)) for face in faces])


def owned(own: Cards) -> tuple[Bozu, ...]:
    """The bozu of a seat, each with the cards that lie on it."""
    found: list[Bozu] = []
    for card in own:
        if card in PILE:
            found.append(Bozu(card, ()))
        else:
            found[-1] = Bozu(found[-1].card, (*found[-1].cards, card))
    return tuple(found)


def lowest(cards: Cards) -> Cards:
    """The cards with the lowest value among `cards`."""
    least = min(map(value, cards))
    return tuple([card for card in cards if value(card) == least])
