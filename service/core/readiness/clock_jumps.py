"""Jumps of the machine's clock: a worker notices them by a clock that nobody sets, and notes when it was."""

from __future__ import annotations

import structlog
from sqlalchemy import select, text

from service.core.database.database import db, write_rows
from service.core.models.server import LATEST, Heartbeat
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import MINUTE, SECOND

LEAST_JUMP = MINUTE
"""Ms by which the clock has to leave the steady one; a time server that corrects it goes in smaller steps."""

_log = structlog.get_logger("tegami.worker")
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_NAME = "clock set"


class ClockJumps:
    """Compares the two clocks of `runtime`, from one call to the next."""

    def __init__(self, runtime: Runtime) -> None:
        self._steady = runtime.steady
        self._last: tuple[int, int] | None = None

    def notice(self, now: int) -> bool:
        """Whether the clock was set since the last call; logged."""
        if self._steady is None:
            return False
        before, self._last = self._last, (now, self._steady())
        if before is None:
            return False
        jump = (now - before[0]) - (self._last[1] - before[1])
        if abs(jump) < LEAST_JUMP:
            return False
        _log.warning("clock set", seconds=jump // SECOND)
        return True


def record(now: int) -> None:
    """Keep when a jump was noticed, in the transaction of whoever calls this."""
    write_rows(_heartbeat, [{"name": _NAME, "at": now}], LATEST)


def latest() -> int | None:
    """When the latest jump was noticed (ms UTC)."""
    return db.session.scalar(select(_heartbeat.c.at).where(_heartbeat.c.name == _NAME))


def database_ahead(now: int) -> int:
    """Ms by which the clock of the database's machine is ahead of `now`; an embedded one has ours."""
    if db.engine.dialect.name != "postgresql":
        return 0
    query = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
    return int(db.session.execute(query).scalar_one()) - now
