"""The origin of scores: both shares at the prices of their companies."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.market_price.components import Table, price
from rules.games.market_price.phases import Over
from rules.games.market_price.scoring import king, queen
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for a queen, at the price of its company, and for a king, at twice that price."""
    if not isinstance(after, Over):
        return
    part = Part("shares")
    for seat, (once, twice) in enumerate(after.shares):
        low, high = price(after, once[1]), price(after, twice[1])
        yield entry(part, seat, "queen", queen(after, seat), card=once, price=low)
        yield entry(part, seat, "king", king(after, seat), card=twice, price=high)
