"""5 The value of a seat's shares."""

from __future__ import annotations

from rules.games.market_price.components import Table, price

QUEEN, KING = 1, 2
"""5 The factors by which the company's price counts for a queen and for a king."""


def queen(s: Table, seat: int) -> int:
    """5 The value of the seat's queen."""
    return QUEEN * price(s, s.shares[seat][0][1])


def king(s: Table, seat: int) -> int:
    """5 The value of the seat's king."""
    return KING * price(s, s.shares[seat][1][1])


def total(s: Table, seat: int) -> int:
    """5 The value of both shares of the seat."""
    return queen(s, seat) + king(s, seat)
