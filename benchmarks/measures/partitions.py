"""Events in partitions compared with events in one table, on PostgreSQL: the same requests with the same number of
games.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.databases import databases
from benchmarks.measures.growth import REQUESTS, fill, growth, inside
from benchmarks.report import Measure
from benchmarks.world import World, in_databases
from service.core.database import partitions
from service.core.database.database import db

GAMES, BEGUN, PARTS = 5_000, 10, 16
MOST = 1.2
SHOWN = "postgresql"


def measures() -> Iterator[Measure]:
    """For each kind of request, the ratio of its cost with all games in partitions by hash to that in one table."""
    with (
        databases(SHOWN) as home,
        in_databases(home, rate_limits=False, patient=True) as whole,
        in_databases(home, rate_limits=False, patient=True) as divided,
    ):
        inside(divided, _divide)
        for made in (whole, divided):
            fill(made, BEGUN, GAMES)
        for name, taken in REQUESTS.items():
            what = f"{name} with events in {PARTS} partitions / in one table"
            found = growth(divided, whole, taken)
            yield Measure(what, found, most=MOST, database=SHOWN)


def _divide(_made: World) -> None:
    partitions.partition(db.engine, PARTS, headroom=1)
