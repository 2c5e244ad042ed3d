"""The origin of scores: the settlement of each hand, item by item."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import Cards
from rules.games.yours_truly_bozu_mekuri.components import Table
from rules.games.yours_truly_bozu_mekuri.phases import Over
from rules.games.yours_truly_bozu_mekuri.settlement import (
    RANK_SET,
    SUIT_SET,
    Bozu,
    Settlement,
    of_suit,
    points,
)
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for the best settlement of each seat."""
    if isinstance(after, Over):
        for seat, each in enumerate(after.settlements()):
            yield from settled(seat, each, after.hands[seat])


def settled(seat: int, each: Settlement, hand: Cards) -> Iterator[Entry]:
    """5 The entries for the chosen suit, the sets, and the bozu of a settlement."""
    part = Part("settlement")
    yield entry(
        part, seat, "chosen-suit", each.total, suit=each.suit, cards=of_suit(hand, each.suit)
    )
    for three in each.rank_sets:
        yield entry(part, seat, "rank-set", RANK_SET, cards=three)
    for three in each.suit_sets:
        yield entry(part, seat, "suit-set", SUIT_SET, cards=three)
    for bozu, on in each.bozu:
        worth = points(Bozu(bozu, on), each.suit)
        yield entry(part, seat, "bozu", worth, card=bozu, cards=on)
