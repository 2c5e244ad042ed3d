"""Cards, and the table: who sees which cards."""

from __future__ import annotations

from rules.common.cards import Card, Cards, canonical, deck
from rules.kernel import Place, State, Viewer, everyone, fact, owner, size, table, zone

PILES = (("low", "2345", 3), ("mid", "6789", 2), ("high", "TJQK", 3))
"""3 The piles to deal from: name, ranks, and the number of cards that each seat gets."""
PLACES = 4
DRAWN = 3
"""4.1 The number of cards that the drawer takes, of which it keeps one."""
PART_1 = {1: 2, 2: 1, 3: 0}
"""4.2 The place that each round of part I awards; 0 is the first."""
LAST_OF_PART_2 = 5


def uppermost(state: State, viewer: Viewer, place: Place) -> bool:
    """2 Visible to everybody if the card is the top card of the stock."""
    return place.position == 0


@table
class Table(State):
    """2 The components, and who sees them. The joker is a marker, and aces are never in a hand."""

    hands: tuple[Cards, ...] = zone(owner, "hand", name="hand", order=canonical)
    stock: Cards = zone(uppermost, "pile", default=())
    aces: Cards = zone(everyone, "row", default=deck("A"))
    ladder: tuple[Card | None, ...] = zone(everyone, "ladder", default=(None,) * PLACES)
    discards: tuple[Cards, ...] = zone(size, "pile", per="seat", name="discard")
    joker: int = fact(everyone, "seat", default=0)
    round: int = fact(everyone, default=1)

    def place(self, suit: str) -> int:
        """The place of a ranked suit; 0 is the first."""
        return self.ladder.index("A" + suit)
