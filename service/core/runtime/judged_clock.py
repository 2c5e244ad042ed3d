"""What time it is: a machine's clock may be set, and one that jumped once must harm nobody.

On PostgreSQL the time is that of the database, the same for all machines; on SQLite it is the machine's. Between two
looks a clock that nobody can set says how much has passed. A clock that has left it by a minute or more is not believed
for some minutes: if it comes back, nothing has happened; if not, it was set right.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from service.core.runtime.units import MINUTE, SECOND

LEAST_JUMP = MINUTE
"""Ms by which a clock has to leave the steady one; a time server that corrects it goes in smaller steps."""
LONGEST_LOOK = SECOND
"""Ms that the database may take to say what time it is: what it says later is of no use."""
LONGEST_UNSEEN = MINUTE
"""Ms before it was noticed that a clock may have been set, as far as that counts."""


class BelievedAfter(NamedTuple):
    """Ms after which a clock is believed that was set, by where it was set to."""

    ahead: int
    back: int


OF_WEB = BelievedAfter(5 * MINUTE, 5 * MINUTE)
OF_WORKER = BelievedAfter(6 * MINUTE, 4 * MINUTE)
"""Whoever plays for seats out of time is the last to believe that it is later, and the first that it is earlier."""


class Doubt(NamedTuple):
    """A clock that was set, and is not believed yet."""

    jump: int
    """By how much (ms)."""
    since: int
    """When it was last right, on the steady clock."""


class JudgedClock:
    """Now, in ms UTC. `machine` is the clock that may be set, `steady` the other. Thread-safe."""

    def __init__(
        self,
        machine: Callable[[], int],
        steady: Callable[[], int],
        believed_after: BelievedAfter = OF_WEB,
    ) -> None:
        self._machine, self._steady, self._believed_after = machine, steady, believed_after
        self._lock = threading.Lock()
        self._ahead: int | None = None
        """Ms by which now is ahead of the steady clock."""
        self._looked_at = 0
        """When both agreed for the last time, on the steady clock."""
        self._doubt: Doubt | None = None
        self._is_of_database = False

    def __call__(self) -> int:
        """Now."""
        steady = self._steady()
        if not self._is_of_database:
            self._judge(self._machine() - steady, steady)
        assert self._ahead is not None
        return steady + self._ahead

    def look(self, ask: Callable[[], int | None]) -> None:
        """Let the database tell the time by `ask` (ms UTC); None: it does not."""
        before = self._steady()
        told = ask()
        after = self._steady()
        if told is None or after - before > LONGEST_LOOK:
            return
        self._judge(told - (before + after) // 2, after, of_database=True)

    @property
    def jump(self) -> int:
        """Ms by which the clock was set, as long as it is not believed; else 0."""
        doubt = self._doubt
        return doubt.jump if doubt else 0

    def _judge(self, ahead: int, steady: int, *, of_database: bool = False) -> None:
        with self._lock:
            if of_database != self._is_of_database:
                if of_database:  # else it has just told another thread
                    self._ahead, self._doubt, self._looked_at = ahead, None, steady
                    self._is_of_database = True
                return
            jump = 0 if self._ahead is None else ahead - self._ahead
            if abs(jump) < LEAST_JUMP or self._is_believed(jump, steady):
                self._ahead, self._doubt, self._looked_at = ahead, None, steady

    def _is_believed(self, jump: int, steady: int) -> bool:
        """Whether a clock that was set has gone on from there for long."""
        if self._doubt is None or abs(jump - self._doubt.jump) >= LEAST_JUMP:
            self._doubt = Doubt(jump, max(self._looked_at, steady - LONGEST_UNSEEN))
        patience = self._believed_after.ahead if jump > 0 else self._believed_after.back
        return steady - self._doubt.since >= patience
