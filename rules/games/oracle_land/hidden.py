"""Constraints on unseen cards: a seat that does not follow suit has no card of it."""

from __future__ import annotations

from collections.abc import Iterator

from rules.common.cards import Cards, deck
from rules.games.oracle_land import tricks
from rules.games.oracle_land.components import Table
from rules.games.oracle_land.phases import Playing
from rules.kernel import Address, Hidden, Json


def lacking(before: Table, after: Table, line: Json) -> Iterator[tuple[Address, Cards]]:
    """4.4 The cards that a seat lacks if it does not follow suit: those that it would have had to play.

    Its 4 of the suit is not among them; 2s and 4s can always be played.
    """
    if line["line"] != "played" or not isinstance(before, Playing):
        return
    led = before.trick[before.leader]
    asked = tricks.suit_of(led[0]) if led else None
    if asked and line["card"][1] != asked and line["card"][0] not in "24":
        yield Address("hands", line["seat"]), deck("235678", asked)


hidden = Hidden(lacking=lacking)
