"""The number cards that can be added to a row."""

from __future__ import annotations

import functools

from rules.common.cards import Card, Cards, suit
from rules.games.caravan.scoring import VALUE

ALL, NOTHING = frozenset(VALUE), frozenset[Card]()


def last_number(row: Cards) -> Card | None:
    """The last number card of the row, under its face cards; None if it has none."""
    for card in reversed(row):
        if card in VALUE:
            return card
    return None


@functools.lru_cache(maxsize=4096)
def fitting(row: Cards, direction: str | None) -> frozenset[Card]:
    """4 The number cards that fit: all for an empty row, otherwise cards of the last one's suit or in the row's
    direction.
    """
    last = last_number(row)
    return ALL if last is None else following(last, direction)


@functools.cache
def following(last: Card, direction: str | None) -> frozenset[Card]:
    """4 The number cards that can follow this one."""
    return frozenset(card for card in VALUE if fits(card, last, direction))


def fits(card: Card, last: Card, direction: str | None) -> bool:
    """4 Whether a number card can follow the last one in a row with this direction."""
    step = VALUE[card] - VALUE[last]
    along = step != 0 and direction in (None, "up" if step > 0 else "down")
    return along or suit(card) == suit(last)
