"""Jumps of the machine's clock. A worker notices them with a clock that nobody sets, and records the time.

Times that a wrong clock has written are set back once the clock is right again. For a day after a jump, nothing is
purged.
"""

from __future__ import annotations

from typing import NamedTuple

import structlog
from sqlalchemy import func, select, text, update

from service.core.database.database import changed_rows, db, write_rows
from service.core.models.server import LATEST, Heartbeat
from service.core.readiness.heartbeats import AHEAD
from service.core.runtime.judged_clock import LEAST_JUMP
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, SECOND

HELD = DAY
"""The time (ms) for which nothing is purged after a jump, or after an equally long time without any worker."""

_log = structlog.get_logger("tegami.worker")
_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_JUMP, _NO_PURGE, _SET_BACK = "clock set", "no purge", "set back"


class _Look(NamedTuple):
    now: int
    steady: int
    jump: int


class ClockJumps:
    """A comparison of the two clocks of `runtime`, from one call to the next."""

    def __init__(self, runtime: Runtime) -> None:
        self._steady, self._jump = runtime.steady, runtime.jump
        self._last: _Look | None = None

    def notice(self, now: int) -> bool:
        """Whether the clock was set since the last call, even if it is not believed yet; a jump is logged."""
        if self._steady is None:
            return False
        before, seen = self._last, _Look(now, self._steady(), self._jump())
        self._last = seen
        if before is None:
            return False
        step = (seen.now - before.now) - (seen.steady - before.steady)
        is_believed = abs(step) >= LEAST_JUMP
        if not is_believed and (not seen.jump or before.jump):
            return False
        jump = step if is_believed else seen.jump
        _log.warning("clock set", believed=is_believed, seconds=jump // SECOND)
        return True


def record(now: int) -> None:
    """Record in the caller's transaction that a jump was noticed at this time (ms UTC)."""
    write_rows(_heartbeat, [{"name": name, "at": now} for name in (_JUMP, _NO_PURGE)], LATEST)


def hold_purge(now: int) -> None:
    """Hold the purge for a day, in the caller's transaction."""
    write_rows(_heartbeat, [{"name": _NO_PURGE, "at": now}], LATEST)


def holds_purge(now: int) -> bool:
    """Whether nothing is to be purged because the present time may be wrong."""
    since = _at(_NO_PURGE)
    return since is not None and now - since < HELD


def latest() -> int | None:
    """The time at which the latest jump was noticed (ms UTC); None if there was none."""
    return _at(_JUMP)


def set_back(now: int) -> int:
    """Set heartbeats that lie in the future to `now`, in the caller's transaction; return their number.

    The difference is kept: if our clock was the one that was behind, `alive_until` takes that into account. The
    heartbeats of processes stay, since each live process beats again.
    """
    ahead = (_heartbeat.c.at > now + AHEAD) & (_heartbeat.c.name != _SET_BACK)
    farthest = db.session.scalar(select(func.max(_heartbeat.c.at)).where(ahead))
    number = changed_rows(update(_heartbeat).where(ahead).values(at=now))
    if farthest is not None:
        write_rows(_heartbeat, [{"name": _SET_BACK, "at": farthest}], LATEST)
        hold_purge(now)
        _log.warning("heartbeats set back", number=number, seconds=(farthest - now) // SECOND)
    return number


def alive_until(last: int, now: int) -> int:
    """The time (ms UTC) at which a worker was last alive.

    Its heartbeat of `last` may have been set back by a clock that was behind.
    """
    before = _at(_SET_BACK)
    return max(last, before) if before is not None and before <= now else last


def database_ahead(now: int) -> int:
    """The lead (ms) of the clock of the database's machine over `now`; 0 for an embedded database."""
    if db.engine.dialect.name != "postgresql":
        return 0
    query = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")
    return int(db.session.execute(query).scalar_one()) - now


def _at(name: str) -> int | None:
    return db.session.scalar(select(_heartbeat.c.at).where(_heartbeat.c.name == name))
