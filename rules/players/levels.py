"""The levels of house players: how long each thinks about a decision.

The caller may allow only a fraction of that time (service/operations/thinking/thinking_time.py: `PATIENCE`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from rules.players.search import Effort


class Level(NamedTuple):
    """A level of house players: the limits on their thinking about a decision."""

    seconds: float
    """The CPU time on one core, in seconds."""
    iterations: int
    contented: float = 1.0
    """The share of the most tried action's tries that makes another action good enough to be chosen; with 1, none."""

    def effort(self, clock: Callable[[], float], share: float = 1) -> Effort:
        """The limits for a decision that begins now.

        `clock` returns seconds; `share` is the fraction of the time that is allowed, from 0 to 1.
        """
        began, seconds = clock(), self.seconds * share
        end = began + seconds
        return Effort(
            self.iterations,
            enough=lambda: clock() >= end,
            spent=lambda: (clock() - began) / seconds,
            contented=self.contented,
        )


LEVELS: Mapping[str, Level] = MappingProxyType(
    {"easy": Level(0.05, 12, 0.5), "normal": Level(0.2, 10_000), "strong": Level(1.0, 50_000)}
)
"""The levels by name, from the weakest to the strongest."""

TENFOLD = 10
"""The length of a deep search relative to a `strong` one: the same for deep analyses and for the check of puzzles."""
DEEP = Level(TENFOLD * LEVELS["strong"].seconds, TENFOLD * LEVELS["strong"].iterations)
"""The level above `strong`.

Nobody plays at it, since nobody would wait that long: it is for analyses and puzzles.
"""

USUAL = "normal"
"""The level at tables that name none, and of house players who replace absent people."""
