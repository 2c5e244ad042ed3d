"""The origin of scores: the longest run of each collection, and its tie-breaker."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.n2459.components import Table
from rules.games.n2459.phases import Over
from rules.games.n2459.scoring import longest, run
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for each run, which is the score, and for the card that breaks ties."""
    if not isinstance(after, Over):
        return
    for seat, cards in enumerate(after.shown):
        if run(cards):
            yield entry(Part("end"), seat, "run", run(cards), cards=longest(cards))
        else:
            yield entry(Part("end"), seat, "no-run", 0)
        if cards:
            yield entry(Part("end"), seat, "deciding", 0, card=cards[-1])
