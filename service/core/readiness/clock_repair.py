"""The command `tegami repair-clock`: setting back the times that a wrong clock has left in the future."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from sqlalchemy import Column, Table, update

from service.core.database.database import changed_rows, taking_time, transaction
from service.core.database.tables import REPAIRED, Base, Repaired
from service.core.readiness import clock_jumps
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE, SECOND

SetBack = Callable[[int], dict[str, int]]
"""A function that sets back times too far ahead of the given one (ms UTC), in the caller's transaction.

It returns the numbers of rows by name.
"""


class ClocksDiffer(Exception):
    """Raised if this machine's clock is not right yet; the text says by how much."""


def repaired_times() -> Iterator[tuple[Column[int], Repaired]]:
    """The columns of times before which something cannot happen, each with its declaration.

    Times in the logs of games stay as they are.
    """
    for table in Base.metadata.sorted_tables:
        yield from ((each, each.info[REPAIRED]) for each in table.c if REPAIRED in each.info)


def repair(runtime: Runtime, others: Iterable[SetBack] = ()) -> dict[str, int]:
    """Set everything back in one transaction; return the number of rows by table and column.

    Nothing is purged for a day afterwards. `others` are called first: they set back what depends on more than one time.
    Raises ClocksDiffer if this machine's clock differs from the database's.
    """
    ahead = clock_jumps.database_ahead(runtime.machine_now)
    if abs(ahead) > MINUTE:
        raise ClocksDiffer(f"the database's clock differs from ours by {abs(ahead) // SECOND} s")
    now, found = runtime.now(), dict[str, int]()
    with transaction(), taking_time():
        found["heartbeats"] = clock_jumps.set_back(now)
        for set_back in others:
            found |= set_back(now)
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
