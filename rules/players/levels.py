"""The levels of house players: how long each thinks about a decision.

The caller may allow them only a fraction of it (service/operations/thinking/thinking_time.py: `PATIENCE`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from rules.players.search import Effort


class Level(NamedTuple):
    """The most time that house players of a level think about a decision."""

    seconds: float
    """The seconds of CPU time on one core."""
    iterations: int
    contented: float = 1.0
    """The fraction of the most tried action's number of tries with which an action is good enough."""

    def effort(self, clock: Callable[[], float], share: float = 1) -> Effort:
        """The effort of a decision that begins now; `clock` returns seconds, `share` is the allowed fraction
        (0 to 1).
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
"""The levels from the weakest to the strongest."""

USUAL = "normal"
"""The level of tables that name none, and of house players who replace absent people."""
