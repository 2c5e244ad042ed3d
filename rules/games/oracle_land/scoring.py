"""5 The bid cards that come true."""

from __future__ import annotations

from rules.common.cards import SUITS, Cards, canonical
from rules.games.oracle_land.components import Table, counted


def fulfilled(s: Table, seat: int) -> Cards:
    """5, 3 The seat's bid cards that come true; those for most and for least are judged separately (ruling 4)."""
    counts = counted(s, seat)
    most = alone(s.most[seat] or (), counts)
    return canonical(most + alone(s.least[seat] or (), tuple(-count for count in counts)))


def alone(cards: Cards, counts: tuple[int, ...]) -> Cards:
    """5, 3 All of `cards` if their suits have equal counts, above the counts of all other suits; otherwise none."""
    named = [SUITS.index(card[1]) for card in cards]
    inside = {counts[at] for at in named}
    outside = [count for at, count in enumerate(counts) if at not in named]
    return cards if len(inside) == 1 and min(inside) > max(outside) else ()
