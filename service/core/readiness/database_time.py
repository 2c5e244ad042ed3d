"""The time of the database, by which deadlines are judged: one time for all machines that share it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sqlalchemy import text

from service.core.database.database import db
from service.core.database.quick_queries import QuickQuery
from service.core.database.tables import Look
from service.core.runtime.judged_clock import JudgedClock
from service.core.runtime.time_and_random import Runtime

_TIME = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")


def judged_time(runtime: Runtime) -> tuple[Runtime, Look | None]:
    """The application's runtime with the time of its database, and a function that looks that time up.

    An embedded database uses the time of its machine. A clock other than the machine's stays as it is; then the
    function is None.
    """
    if runtime.steady is None:
        return runtime, None
    clock = JudgedClock(runtime.now, runtime.steady, runtime.believed_after)
    query = None
    if db.engine.dialect.name == "postgresql":
        query = QuickQuery(db.engines["polls"], _TIME)
    judged = replace(
        runtime,
        now=clock,
        machine=runtime.now,
        look=partial(_look, clock, query) if query else runtime.look,
        jump=lambda: clock.jump,
    )
    return judged, clock.look


def _look(clock: JudgedClock, query: QuickQuery) -> None:
    """Tell the clock the time in the database. If the database gives none, the clock goes on without it."""

    def ask() -> int | None:
        try:
            return int(query.all({})[0][0])
        except query.errors:
            return None

    clock.look(ask)
