"""Constraints on unseen cards: a seat that is asked for a number tells the truth."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import NUMBER, SUITS, Cards
from rules.games.blame_the_magic.components import Table
from rules.kernel import Address, Hidden, Json


def lacking(before: Table, after: Table, line: Json) -> Iterator[tuple[Address, Cards]]:
    """4.4 The card that a seat lacks after denying it: the one with the number in question."""
    if line["line"] == "has-none":
        seat = line["seat"]
        rank = next(rank for rank, number in NUMBER.items() if number == line["number"])
        yield Address("hands", seat), (rank + SUITS[seat],)


hidden = Hidden(lacking=lacking)
