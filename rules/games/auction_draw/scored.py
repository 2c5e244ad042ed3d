"""The origin of scores, round by round: payments to the pot, and payments from it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.auction_draw.components import Table
from rules.games.auction_draw.phases import Shuffling
from rules.kernel import Entry, Json, Part, entry, lines_of


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """3 to 5 The entries for all chips that seats have paid or taken."""
    if isinstance(before, Shuffling) and before.round == 1:
        for seat, left in enumerate(before.purses):
            yield entry(Part("start"), seat, "chips", left + before.terms.ante)
            yield entry(Part("round"), seat, "ante", -before.terms.ante)
    part = Part("round", before.round)
    yield from paid(part, after)
    yield from taken(part, after)
    if isinstance(after, Shuffling):  # the antes of the next round
        short = {line["seat"]: line["chips"] for line in lines_of(after, "short")}
        for seat in range(after.players):
            ante = short.get(seat, after.terms.ante)
            yield entry(Part("round", after.round), seat, "ante", -ante)


def paid(part: Part, after: Table) -> Iterator[Entry]:
    """4.1 and 4.3 The entries for payments to the pot for tiles."""
    for line in lines_of(after, "bought"):
        yield entry(part, line["seat"], "bought", -1)
    for line in lines_of(after, "sold"):
        yield entry(part, line["seat"], "auctioned", -line["chips"], tiles=line["tiles"])


def taken(part: Part, after: Table) -> Iterator[Entry]:
    """5.1 The entries for payments from the pot."""
    pips = {line["seat"]: line["value"] for line in lines_of(after, "counted")}
    for line in lines_of(after, "out"):
        yield entry(part, line["seat"], "out", line["chips"])
    for line in lines_of(after, "fewest"):
        yield entry(part, line["seat"], "fewest", line["chips"], pips=pips[line["seat"]])
    for line in lines_of(after, "shared"):
        for seat in line["seats"]:
            yield entry(part, seat, "shared", line["chips"], pips=pips[seat])
