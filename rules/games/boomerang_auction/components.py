"""Cards, and the table: who sees what lies on it."""

from __future__ import annotations

from collections.abc import Sequence

from rules.common.cards import Cards, deck
from rules.games.boomerang_auction.scoring import RANKS, score
from rules.kernel import Json, State, everyone, fact, owner, size, table, zone

SEATS = 3
GOODS = deck(RANKS, "c")


@table
class Table(State):
    """2 Components, and who sees them."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand")
    stock: Cards = zone(size, "pile", default=())
    discard: Cards = zone(size, "pile", default=())
    won: tuple[Cards, ...] = zone(everyone, "row", per="seat")
    sale: int = fact(everyone, default=1)
    dealer: int = fact(everyone, "seat", default=0)

    def facts(self) -> Sequence[Json]:
        return [{"name": "score", "of": i, "value": score(won)} for i, won in enumerate(self.won)]
