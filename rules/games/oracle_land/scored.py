"""The origin of scores: the prophecies of each deal that came true, and the ones that did not."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.oracle_land.components import Table
from rules.kernel import Entry, Json, Part, entry, lines_of


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5, 3 The entries for bid cards: each of a prophecy that came true is a point."""
    part = Part("deal", before.deal)
    for count in lines_of(after, "counted"):
        seat, made = count["seat"], set(count["cards"])
        most, least = before.most[seat] or (), before.least[seat] or ()
        suits = {suit: count[suit] for suit in "shdc"}
        if made.issuperset(most):
            yield entry(part, seat, "most", len(most), cards=most, **suits)
        else:
            yield entry(part, seat, "not-most", 0, cards=most, **suits)
        if made.issuperset(least):
            yield entry(part, seat, "least", len(least), cards=least, **suits)
        else:
            yield entry(part, seat, "not-least", 0, cards=least, **suits)
