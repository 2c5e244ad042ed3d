"""The origin of scores: both cards of the showdown, and the deductions for the places of their suits."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.joretsu.components import Table
from rules.games.joretsu.phases import Over
from rules.games.joretsu.scoring import number, place, worth
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for each card: its number, less 2 for each place of its suit below the first."""
    if not isinstance(after, Over):
        return
    for seat, cards in enumerate(after.played):
        for card in cards:
            value = worth(card, after.ladder)
            less = {"less": number(card) - value} if place(card, after.ladder) else {}
            yield entry(
                Part("showdown"), seat, "card", value, card=card, number=number(card), **less
            )
