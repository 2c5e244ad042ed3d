"""Rows that a process of an earlier release has written after a migration, which lack what this release needs.

Each is read all the same; here they are stored as this release would have written them. It can be repeated: it is done
after every migration, when a worker starts, and then every hour, since the last old process ends after the new ones
have begun. A migration that fills what it has added names here what does so again (CONTRIBUTING.md, Change the tables).
"""

from __future__ import annotations

import structlog

from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import HOUR
from service.log.table_rows import earlier_rows
from service.notifications.receivers import receivers
from service.people.credentials import credentials
from service.tables.play import house_players

_log = structlog.get_logger("tegami.migrations")


def repair() -> int:
    """Repair them; how many they were."""
    repaired = {
        "tokens": credentials.repair(),
        "tables": earlier_rows.repair(),
        "house players": house_players.repair(),
        "receivers": receivers.repair(),
    }
    if any(repaired.values()):
        _log.info("repaired", **{name: number for name, number in repaired.items() if number})
    return sum(repaired.values())


class Repairs:
    """Repairs at the start and every hour, beside any number of other workers."""

    def __init__(self, runtime: Runtime) -> None:
        self._now = runtime.now
        self._last: int | None = None

    def step(self) -> int:
        """Repair, if it is time to; how many rows."""
        now = self._now()
        if self._last is not None and 0 <= now - self._last < HOUR:
            return 0
        self._last = now
        return repair()
