"""5 The worth of a seat's shares."""

from __future__ import annotations

from rules.games.market_price.components import Table, price

QUEEN, KING = 1, 2
"""The factors of the company's price for a queen and a king (5)."""


def queen(s: Table, seat: int) -> int:
    """5 The worth of the seat's queen."""
    return QUEEN * price(s, s.shares[seat][0][1])


def king(s: Table, seat: int) -> int:
    """5 The worth of the seat's king."""
    return KING * price(s, s.shares[seat][1][1])


def total(s: Table, seat: int) -> int:
    """5 The worth of both shares."""
    return queen(s, seat) + king(s, seat)
