"""Sets back what a clock has left in the future that was wrong for a while: `tegami repair-clock`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Table, update

from service.core.database.database import changed_rows, taking_time, transaction
from service.core.models.following import Listener
from service.core.models.games import Game, Seat, Tenure
from service.core.models.mail import Outbox
from service.core.models.people import AttemptCount, Credential
from service.core.models.receivers import Delivery, Receiver
from service.core.models.server import KeptAnswer, ProcessBeat
from service.core.readiness import clock_jumps
from service.core.readiness.heartbeats import AHEAD
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE, SECOND


class Times(NamedTuple):
    """A column of times that cannot lie further ahead than `most` ms."""

    table: Table
    column: str
    most: int = AHEAD


LONGEST_COUNT = DAY
"""Ms that attempts are counted at most, and that answers are kept."""
LONGEST_LEASE = 5 * MINUTE


def _times(table: object, *columns: str, most: int = AHEAD) -> Iterator[Times]:
    assert isinstance(table, Table)
    yield from (Times(table, column, most) for column in columns)


TIMES = (
    *_times(ProcessBeat.__table__, "at"),
    *_times(Credential.__table__, "seen_at"),
    *_times(Tenure.__table__, "nudged_at"),
    *_times(Seat.__table__, "since"),
    *_times(Game.__table__, "paused_at", "unattended_at"),
    *_times(Listener.__table__, "read_at"),
    *_times(Outbox.__table__, "lease_until", most=LONGEST_LEASE),
    *_times(Delivery.__table__, "since", "at"),
    *_times(Delivery.__table__, "lease_until", most=LONGEST_LEASE),
    *_times(Delivery.__table__, "run_at", most=DAY),
    *_times(Receiver.__table__, "failing_since"),
    *_times(Receiver.__table__, "held_until", most=DAY),
    *_times(AttemptCount.__table__, "ends_at", most=LONGEST_COUNT),
    *_times(KeptAnswer.__table__, "ends_at", most=LONGEST_COUNT),
)
"""Times that would keep something from happening until they have come. What was logged of games stays as it is."""


class ClocksDiffer(Exception):
    """This machine's clock is not right yet; the text says by how much."""


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
        for table, name, most in TIMES:
            column = table.c[name]
            query = update(table).where(column > now + most).values({name: now})
            number = changed_rows(query)
            if number:
                found[f"{table.name}.{name}"] = number
        clock_jumps.hold_purge(now)
    return found
