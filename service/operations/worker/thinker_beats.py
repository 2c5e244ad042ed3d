"""Heartbeats of thinkers, by which `tegami doctor` knows how many there are."""

from __future__ import annotations

from sqlalchemy import func, select

from service.core.database.database import db, transaction, write_rows
from service.core.models.server import LATEST, Heartbeat
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import SECOND
from service.operations.thinking.processes import Processes

INTERVAL = 30 * SECOND
_NAME = "thinker "
_heartbeat = Heartbeat.metadata.tables["heartbeats"]


class ThinkerBeats:
    """Records now and then which thinkers are alive."""

    def __init__(self, runtime: Runtime, thinking: Processes) -> None:
        self._now, self._thinking = runtime.now, thinking
        self._last: int | None = None

    def beat(self) -> int:
        """Record it, if it is time to; nothing that others have to wait for."""
        now = self._now()
        if self._last is not None and 0 <= now - self._last < INTERVAL:
            return 0
        beats = [{"name": f"{_NAME}{number}", "at": now} for number in self._thinking.alive()]
        if beats:
            with transaction():
                write_rows(_heartbeat, beats, LATEST)
        self._last = now
        return 0


def number_alive(since: int) -> int:
    """How many thinkers have been alive since then (ms UTC)."""
    query = select(func.count()).where(_heartbeat.c.name.startswith(_NAME), _heartbeat.c.at > since)
    return db.session.scalar(query) or 0
