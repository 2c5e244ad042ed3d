"""Rows that a process of an earlier release has written after a migration, and that lack something that this release
needs.

The code can read them as they are; here they are stored as this release would have written them. This can be repeated:
it is done after every migration, when a worker starts, and then every hour, because the last old process ends after the
new ones have begun. A migration that fills new columns has its function for filling them again listed here
(CONTRIBUTING.md, Change the tables).

A few rows are repaired at a time, each separately. A row that cannot be repaired, such as that of a game with a damaged
log, is named in the log and delays no other row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import structlog

from service.core.runtime.backoff import Backoff
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import HOUR
from service.log.table_rows import earlier_rows
from service.notifications.receivers import receivers
from service.people.credentials import credentials
from service.tables.play import house_players

MOST = 100
"""The most rows of one kind that are repaired at a time."""

_log = structlog.get_logger("tegami.migrations")


class Kind(NamedTuple):
    """A kind of rows that an earlier release may have written after a migration."""

    name: str
    repair: Callable[..., int]
    """A function that repairs the rows of one id, or all rows if there are no ids; returns the number of rows."""
    half_new: Callable[[str, int], list[str]] | None = None
    """A function that returns ids to repair: in order, those after the given id, at most the given number."""


KINDS = (
    Kind("tokens", credentials.repair),
    Kind("tables", earlier_rows.repair, earlier_rows.half_new),
    Kind("house players", house_players.repair, house_players.half_new),
    Kind("receivers", receivers.repair, receivers.half_new),
)


def repair() -> int:
    """Repair all rows that can be repaired; returns their number."""
    return Repairs(Runtime()).run()


class Repairs:
    """The repairs at the start and every hour, alongside any number of other workers."""

    def __init__(self, runtime: Runtime) -> None:
        self._now = runtime.now
        self._passes = [Pass(kind, runtime) for kind in KINDS]
        self._kinds = Backoff("repair", runtime.now)

    def step(self) -> int:
        """Repair some rows if it is time to; returns their number."""
        return sum(self._kinds.attempt(each.step, 0, each.name) for each in self._due())

    def run(self) -> int:
        """Continue until nothing is left to do; returns the number of repaired rows."""
        number = 0
        while self._due():
            number += self.step()
        return number

    def _due(self) -> list[Pass]:
        return [each for each in self._passes if each.is_due() and not self._kinds.waits(each.name)]


class Pass:
    """Passes over the rows of a kind, repeated every hour."""

    def __init__(self, kind: Kind, runtime: Runtime) -> None:
        self.name, self._kind, self._now = kind.name, kind, runtime.now
        self._rows = Backoff(f"repair of {kind.name}", runtime.now)
        self._after = ""
        self._number = 0
        """The number of rows repaired in this pass."""
        self._ended: int | None = None

    def is_due(self) -> bool:
        """Whether there is something to do."""
        return self._ended is None or not 0 <= self._now() - self._ended < HOUR

    def step(self) -> int:
        """Continue the pass, and end it if there are no more rows; returns the number of repaired rows."""
        repair, half_new = self._kind.repair, self._kind.half_new
        if half_new is None:
            return self._end(repair())
        found = half_new(self._after, MOST)
        number = sum(self._rows.attempt(partial(repair, each), 0, each) for each in found)
        if len(found) < MOST:
            return self._end(number)
        self._after, self._ended = found[-1], None
        self._number += number
        return number

    def _end(self, number: int) -> int:
        if self._number + number:
            _log.info("repaired", kind=self.name, number=self._number + number)
        self._after, self._number, self._ended = "", 0, self._now()
        return number
