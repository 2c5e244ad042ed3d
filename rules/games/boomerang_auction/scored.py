"""The origin of scores: the cards bought in each sale, and the points for cards of the same value at the end."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import rank
from rules.games.boomerang_auction.components import Table
from rules.games.boomerang_auction.phases import Over
from rules.games.boomerang_auction.scoring import EXTRA, RANKS, VALUE
from rules.kernel import Entry, Json, Part, entry, lines_of


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for the value of each bought card, and for several cards of the same value."""
    for sale in lines_of(after, "sold"):
        card, paid = sale["card"], sale["value"]
        part = Part("sale", before.sale)
        yield entry(part, sale["seat"], "good", VALUE[card], card=card, paid=paid)
    if isinstance(after, Over):
        for seat, won in enumerate(after.won):
            for each in RANKS:
                same = tuple(card for card in won if rank(card) == each)
                if EXTRA[len(same)]:
                    yield entry(Part("end"), seat, "same", EXTRA[len(same)], cards=same)
