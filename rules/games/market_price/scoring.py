"""5 What the shares of a seat are worth."""

from __future__ import annotations

from rules.games.market_price.components import Table, price

QUEEN, KING = 1, 2
"""A share is worth so many times the price of its company (5)."""


def queen(s: Table, seat: int) -> int:
    """5 What the seat's queen is worth."""
    return QUEEN * price(s, s.shares[seat][0][1])


def king(s: Table, seat: int) -> int:
    """5 What the seat's king is worth."""
    return KING * price(s, s.shares[seat][1][1])


def total(s: Table, seat: int) -> int:
    """5 Both shares."""
    return queen(s, seat) + king(s, seat)
