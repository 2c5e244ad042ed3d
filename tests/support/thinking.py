"""House players that think at once, about a fixed number of worlds, in the process of the test."""

from __future__ import annotations

import random
from collections.abc import Callable

from rules.kernel import Random
from rules.players.search import Effort
from service.operations.thinking.agents import Agents
from service.operations.thinking.in_turn import InTurn
from service.operations.thinking.pace import Fixed


def in_turn(worlds: int = 1, generator: Callable[[int], Random] = random.Random) -> InTurn:
    """Such thinking; `generator` makes what decides which worlds, by a seed."""
    return InTurn(Agents(Fixed(Effort(worlds)), generator))
