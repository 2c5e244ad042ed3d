"""Cards, and the table: who sees which cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

from rules.common.cards import JOKER, SUITS, Cards, canonical, deck
from rules.common.faces import Face, bare
from rules.kernel import (
    Json,
    Part,
    Place,
    State,
    Viewer,
    everyone,
    fact,
    inner,
    owner,
    size,
    table,
    zone,
)

PACK = deck("2345678")
STOCK = tuple(("T" + suit, "9" + suit) for suit in SUITS)
"""The pile of each suit, with its top card last."""
SETS = {3: "JQK", 4: "AJQK"}
"""The ranks of each seat's bid cards, by number of players (ruling 1)."""
HAZY = {3: (False, True), 4: (False,)}
"""The values of the option `oborozuki`, by number of players.

The hazy moon takes the place of a fourth hand.
"""
HAND = 7
TRICKS = 6
DEALS = 2
ENOUGH = 3
"""4.1 The number of unscored bid cards with which a seat can ask for a tie."""
T = TypeVar("T", bound="Table")


def unless_covered(state: Table, viewer: Viewer, place: Place) -> bool:
    """2 Whether a secret card is visible: always to the seat that laid it aside.

    The others see it once it is opened, unless a 4 covers it (ruling 12).
    """
    if viewer is not None and viewer == place.seat:
        return True
    return state.opened and not state.sealing[place.seat or 0]


@table
class Table(State):
    """2 The components, and who sees them."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", order=canonical)
    unscored: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    points: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    rows: tuple[tuple[Face, ...], ...] = zone(everyone, "row", per="seat", name="row")
    covering: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    secrets: tuple[Cards, ...] = zone(unless_covered, "row", per="seat", name="secret")
    sealing: tuple[Cards, ...] = zone(everyone, "row", per="seat", name="on-secret")
    trick: tuple[tuple[Face, ...], ...] = zone(everyone, "trick", per="seat")
    stock: tuple[Cards, ...] = zone(everyone, "pile", per="index", default=STOCK)
    coin: Cards = zone(everyone, "row", name="joker", default=(JOKER,))
    aside: Cards = zone(everyone, "row", name="set-aside", default=())
    rest: Cards = zone(size, "pile", default=())
    moon: Cards = zone(everyone, "row", default=())
    joker: int | None = fact(everyone, "seat", default=None)
    deal: int = fact(everyone, default=1)
    number: int = fact(everyone, name="trick", default=0)
    most: tuple[Cards | None, ...] = fact(everyone, "cards", per="seat")
    least: tuple[Cards | None, ...] = fact(everyone, "cards", per="seat")
    blessed: str | None = fact(everyone, "suit", default=None)
    earlier: tuple[int, ...] = inner()  # points of the first deal
    opened: bool = inner(default=False)
    hazy: bool = inner()

    @property
    def leader(self) -> int:
        """4.4 The seat with the joker, which leads."""
        return self.joker or 0

    def fallback(self, seat: int) -> Json:
        """6 The first listed action; plays and the naming of the joker's suit override this."""
        return self.legal(seat)[0]

    def parts(self) -> Sequence[Part]:
        return (Part("deal", self.deal),)

    def facts(self) -> Sequence[Json]:
        counts = [
            {"name": "counts", "of": seat, **dict(zip(SUITS, counted(self, seat), strict=True))}
            for seat in range(self.players)
        ]
        points = [{"name": "score", "of": seat, "value": n} for seat, n in enumerate(scores(self))]
        return [*counts, *points]


def counted(s: Table, seat: int) -> tuple[int, ...]:
    """5, 3 The number of cards of each suit that a seat owns.

    It counts the uncovered cards in the seat's row, its open secret card, and its joker.
    """
    secret = s.secrets[seat] if s.opened and not s.sealing[seat] else ()
    suits = [card[1] for card in bare(s.rows[seat]) + secret]
    suits += [s.blessed] if s.blessed and seat == s.joker else []
    return tuple([suits.count(each) for each in SUITS])


def scores(s: Table) -> tuple[int, ...]:
    """5 The score of each seat: a point for each bid card scored."""
    return tuple(map(len, s.points))


def cleared(players: int) -> dict[str, Any]:  # fields of several types, for `change`
    """3 The fields before a deal: all 28 cards in the pack, a full stock, empty rows, and no prophecy."""
    nothing, unnamed = ((),) * players, (None,) * players
    seats = dict.fromkeys(("hands", "rows", "covering", "secrets", "sealing", "trick"), nothing)
    middle = dict.fromkeys(("aside", "rest", "moon"), ())
    rest = {"number": 0, "opened": False, "blessed": None, "most": unnamed, "least": unnamed}
    return {"pack": PACK, "stock": STOCK, **seats, **middle, **rest}
