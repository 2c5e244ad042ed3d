"""The origin of scores, lane by lane: who sold it, its points, and the points of the facing row."""

from __future__ import annotations

from collections.abc import Iterator

from rules.games.caravan.components import LANES, SEATS, Table
from rules.games.caravan.phases import Over
from rules.games.caravan.scoring import points
from rules.kernel import Entry, Json, Part, entry


def scored(before: Table, event: Json, after: Table) -> Iterator[Entry]:
    """5 The entries for the sold lanes and, at the end, for the points in the others."""
    for lane in LANES:
        part, seller = Part("lane", lane + 1), after.sold[lane]
        if seller is not None and before.sold[lane] is None:
            own, facing = (points(before.rows[seat][lane]) for seat in (seller, 1 - seller))
            yield entry(part, seller, "sold", 1, points=own)
            yield entry(part, 1 - seller, "lost", 0, points=facing)
        elif seller is None and isinstance(after, Over):
            for seat in range(SEATS):
                yield entry(part, seat, "unsold", 0, points=points(after.rows[seat][lane]))
