"""The levels of house players: how long each thinks about a decision.

Whoever lets them think may give them a share of it (service/operations/thinking/thinking_time.py: `PATIENCE`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from rules.players.search import Effort


class Level(NamedTuple):
    """How long house players of a level think about a decision at most."""

    seconds: float
    """Of CPU time on one core."""
    iterations: int
    contented: float = 1.0
    """Actions that were tried this share of the most tried one's times are good enough."""

    def effort(self, clock: Callable[[], float], share: float = 1) -> Effort:
        """A decision's effort that begins now, by a clock that gives s; `share` (0 to 1): what it may have of it."""
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
"""From the weakest to the strongest."""

USUAL = "normal"
"""The level of tables that name none, and of those who stand in for somebody who is away."""
