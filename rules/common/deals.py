"""Dealing: small functions on tuples of cards or tiles, with the top of a pile first."""

from __future__ import annotations

Pack = tuple[str, ...]


def deal(pack: Pack, seats: int, each: int) -> tuple[tuple[Pack, ...], Pack]:
    """The hands of `each` cards, dealt one at a time from the top, clockwise from seat 0; and the cards that are left
    over.
    """
    dealt = seats * each
    return tuple(pack[seat:dealt:seats] for seat in range(seats)), pack[dealt:]
