"""The present time, from a clock that may be set: one jump of the clock must not harm anybody.

On PostgreSQL the time is that of the database, the same for all machines; on SQLite it is the machine's. Between two
looks, a clock that nobody can set measures how much time has passed. If the clock that may be set differs from that by
a minute or more, it is not believed for some minutes: if it jumps back, nothing has happened; if not, it was corrected.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from service.core.runtime.units import MINUTE, SECOND

LEAST_JUMP = MINUTE
"""The smallest difference (ms) from the steady clock that counts as a jump.

Time servers correct a clock in smaller steps.
"""
LONGEST_LOOK = SECOND
"""The longest time (ms) that the database may take to tell its time; a later answer is useless."""
LONGEST_UNSEEN = MINUTE
"""The longest time (ms) that is assumed to pass between a jump of the clock and its being noticed."""


class BelievedAfter(NamedTuple):
    """The time (ms) after which a clock that was set is believed, by the direction in which it was set."""

    ahead: int
    back: int


OF_WEB = BelievedAfter(5 * MINUTE, 5 * MINUTE)
OF_WORKER = BelievedAfter(6 * MINUTE, 4 * MINUTE)
"""The worker's times.

The worker acts for seats out of time, so it is slow to believe a later time, and quick to believe an earlier one.
"""


class Doubt(NamedTuple):
    """A clock that was set and is not believed yet."""

    jump: int
    """The size of the jump (ms)."""
    since: int
    """The time of the steady clock at which the clock was last right (ms)."""


class JudgedClock:
    """A clock that returns the present time in ms UTC. `machine` is the clock that may be set, `steady` the other one.

    Thread-safe.
    """

    def __init__(
        self,
        machine: Callable[[], int],
        steady: Callable[[], int],
        believed_after: BelievedAfter = OF_WEB,
    ) -> None:
        self._machine, self._steady, self._believed_after = machine, steady, believed_after
        self._lock = threading.Lock()
        self._ahead: int | None = None
        """How far (ms) the present time is ahead of the steady clock."""
        self._looked_at = 0
        """When both last agreed, by the steady clock."""
        self._doubt: Doubt | None = None
        self._is_of_database = False

    def __call__(self) -> int:
        """The present time (ms UTC)."""
        steady = self._steady()
        if not self._is_of_database:
            self._judge(self._machine() - steady, steady)
        assert self._ahead is not None
        return steady + self._ahead

    def look(self, ask: Callable[[], int | None]) -> None:
        """Set the clock by the time of the database, which `ask` returns (ms UTC; None if the database tells none)."""
        before = self._steady()
        told = ask()
        after = self._steady()
        if told is None or after - before > LONGEST_LOOK:
            return
        self._judge(told - (before + after) // 2, after, of_database=True)

    @property
    def jump(self) -> int:
        """The distance (ms) by which the clock was set, while the new time is not believed; otherwise 0."""
        doubt = self._doubt
        return doubt.jump if doubt else 0

    def _judge(self, ahead: int, steady: int, *, of_database: bool = False) -> None:
        with self._lock:
            if of_database != self._is_of_database:
                if of_database:  # otherwise another thread has just heard it
                    self._ahead, self._doubt, self._looked_at = ahead, None, steady
                    self._is_of_database = True
                return
            jump = 0 if self._ahead is None else ahead - self._ahead
            if abs(jump) < LEAST_JUMP or self._is_believed(jump, steady):
                self._ahead, self._doubt, self._looked_at = ahead, None, steady

    def _is_believed(self, jump: int, steady: int) -> bool:
        """Whether a clock that was set has gone on from there for long enough to be believed."""
        if self._doubt is None or abs(jump - self._doubt.jump) >= LEAST_JUMP:
            self._doubt = Doubt(jump, max(self._looked_at, steady - LONGEST_UNSEEN))
        patience = self._believed_after.ahead if jump > 0 else self._believed_after.back
        return steady - self._doubt.since >= patience
