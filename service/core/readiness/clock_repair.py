"""Sets back what a clock has left in the future that was wrong for a while: `tegami repair-clock`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Column, Table, update

from service.core.database.database import changed_rows, taking_time, transaction
from service.core.database.tables import REPAIRED, Base, Repaired
from service.core.readiness import clock_jumps
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE, SECOND


class ClocksDiffer(Exception):
    """This machine's clock is not right yet; the text says by how much."""


def repaired_times() -> Iterator[tuple[Column[int], Repaired]]:
    """Times that would keep something from happening until they have come, as each table names its own.

    What was logged of games stays as it is.
    """
    for table in Base.metadata.sorted_tables:
        yield from ((each, each.info[REPAIRED]) for each in table.c if REPAIRED in each.info)


def repair(runtime: Runtime) -> dict[str, int]:
    """Set everything back, in one transaction; how many rows, by table and column. For a day nothing is purged.

    Raises ClocksDiffer.
    """
    ahead = clock_jumps.database_ahead(runtime.machine_now)
    if abs(ahead) > MINUTE:
        raise ClocksDiffer(f"the database's clock differs from ours by {abs(ahead) // SECOND} s")
    now, found = runtime.now(), dict[str, int]()
    with transaction(), taking_time():
        found["heartbeats"] = clock_jumps.set_back(now)
        for column, (most, by) in repaired_times():
            table = column.table
            assert isinstance(table, Table)
            told_by = column if by is None else table.c[by]
            query = update(table).where(told_by > now + most, column > now).values({column: now})
            number = changed_rows(query)
            if number:
                found[f"{table.name}.{column.name}"] = number
        clock_jumps.hold_purge(now)
    return found
