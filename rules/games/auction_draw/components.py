"""Tiles, and the table: who sees which tiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rules.common.dominoes import Tiles, canonical
from rules.games.auction_draw.options import Terms
from rules.kernel import Json, Part, State, everyone, fact, inner, owner, size, table, zone

LOT = 2
"""4.3 The number of tiles at the end of the stock that cannot be bought, but are auctioned."""
T = TypeVar("T", bound="Table")


@table
class Table(State):
    """2 The components, and who sees them.

    `numbers` are the open numbers at the left and the right end of the line.
    """

    hands: tuple[Tiles, ...] = zone(owner, "hand", name="hand", order=canonical)
    line: Tiles = zone(everyone, "line", default=())
    stock: Tiles = zone(size, "pile")
    removed: Tiles = zone(size, "pile", default=())
    numbers: tuple[int, ...] = inner(default=())
    purses: tuple[int, ...] = fact(everyone, per="seat", name="purse")
    pot: int = fact(everyone, default=0)
    round: int = fact(everyone, default=1)
    terms: Terms = inner()

    @property
    def lead(self) -> int:
        """3 The seat that begins the round, which changes clockwise with each round."""
        return (self.round - 1) % self.players

    def parts(self) -> Sequence[Part]:
        return (Part("round", self.round),)

    def facts(self) -> Sequence[Json]:
        lead: Json = {"name": "lead", "seat": self.lead}
        if not self.numbers:
            return [lead]
        return [lead, {"name": "open", "left": self.numbers[0], "right": self.numbers[1]}]
