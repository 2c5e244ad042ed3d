"""The thinking time of house players: the time of their level, or a fraction of it when many have to move.

The time that an answer takes reveals nothing.

Every thought of a level takes the same time by the clock, whether there are a hundred actions or only one, and however
soon the best action was clear: the search ends earlier, and the answer is held back until then. A thinker that gets
little processor time samples fewer worlds, but answers in the same time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from rules.players.levels import LEVELS
from rules.players.search import Effort
from service.operations.thinking.questions import Question

MARGIN = 0.1
"""How many seconds longer a full thought takes than its search: half of them are for the last world, half are spare."""
PATIENCE = 1.5
"""How long (seconds) each waiting player may have to wait."""
BESIDES = 0.01
"""The seconds that an answer takes besides the thought."""
LEAST = 0.01
"""The smallest fraction, however many players wait: enough for a few worlds."""


class Clocks(NamedTuple):
    """The clocks of a process (in seconds), and its way to wait."""

    cpu: Callable[[], float] = time.process_time
    wall: Callable[[], float] = time.monotonic
    pause: Callable[[float], object] = time.sleep


def duration(level: str) -> float:
    """The seconds that a full thought takes."""
    return LEVELS[level].seconds + MARGIN


def share(waits: Iterable[tuple[float, float]], thinkers: int) -> float:
    """The fraction of its time that each thought may take if everybody is to get an answer within PATIENCE.

    `waits` lists the waiting players in the order in which they get answers: the seconds for which each has waited, and
    the seconds that the complete thought would take.
    """
    found, before, besides = 1.0, 0.0, BESIDES
    for waited, whole in waits:
        longest = before / thinkers + whole  # no thinker rests before it begins
        found = min(found, (PATIENCE - waited - besides) / longest)
        before += whole
        besides += BESIDES / thinkers
    return max(found, LEAST)


class Paced:
    """A pace for thoughts that take the time of their level, or a given fraction of it."""

    def __init__(self, clocks: Clocks | None = None) -> None:
        self._clocks = clocks or Clocks()

    @contextmanager
    def __call__(self, question: Question) -> Iterator[Effort]:
        """The effort of a search during that time; the block ends when the answer may leave."""
        if question.iterations is not None:  # in a daily deal, the time reveals nothing
            yield Effort(question.iterations)
            return
        cpu, wall, pause = self._clocks
        begun, whole = wall(), duration(question.level) * question.share
        searching = whole - MARGIN / 2 * question.share
        by_cpu = LEVELS[question.level].effort(cpu, question.share)
        yield by_cpu._replace(
            enough=lambda: by_cpu.enough() or wall() - begun >= searching,
            spent=lambda: max(by_cpu.spent(), (wall() - begun) / searching),
        )
        pause(max(0.0, begun + whole - wall()))
