"""How long house players think: as long as their level says, or a share of it when many are to move.

Whoever waits for an answer learns nothing from how long it takes.

Every thought of a level lasts equally long by the clock, whether there are a hundred actions or only one, and however
soon it was clear which is best: the search ends before, and the answer is held back until then. A thinker that gets
little of a processor supposes fewer worlds, but answers as soon.
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
"""Seconds by which a thought of full length is longer than the search: half for the last world, half to spare."""
PATIENCE = 1.5
"""Seconds within which each of those who wait is to be answered."""
BESIDES = 0.01
"""Seconds that an answer takes besides the thought."""
LEAST = 0.01
"""The share that is left however many wait: a few worlds."""


class Clocks(NamedTuple):
    """The clocks of a process, s, and how it waits for so many of them."""

    cpu: Callable[[], float] = time.process_time
    wall: Callable[[], float] = time.monotonic
    pause: Callable[[float], object] = time.sleep


def duration(level: str) -> float:
    """Seconds that a thought of full length takes."""
    return LEVELS[level].seconds + MARGIN


def share(waits: Iterable[tuple[float, float]], thinkers: int) -> float:
    """The share of its time that each thought may take if all who wait are to be answered within their patience.

    `waits` are those who wait, in the order in which they are answered: since how many seconds, and how many the whole
    thought would take.
    """
    found, before, besides = 1.0, 0.0, BESIDES
    for waited, whole in waits:
        longest = before / thinkers + whole  # none of the thinkers rests before it begins
        found = min(found, (PATIENCE - waited - besides) / longest)
        before += whole
        besides += BESIDES / thinkers
    return max(found, LEAST)


class Paced:
    """Thoughts that take as long as their level says, or the share of it that is given."""

    def __init__(self, clocks: Clocks | None = None) -> None:
        self._clocks = clocks or Clocks()

    @contextmanager
    def __call__(self, question: Question) -> Iterator[Effort]:
        """The effort of a search that is made meanwhile; ends when the answer may leave."""
        cpu, wall, pause = self._clocks
        begun, whole = wall(), duration(question.level) * question.share
        searching = whole - MARGIN / 2 * question.share
        by_cpu = LEVELS[question.level].effort(cpu, question.share)
        yield by_cpu._replace(
            enough=lambda: by_cpu.enough() or wall() - begun >= searching,
            spent=lambda: max(by_cpu.spent(), (wall() - begun) / searching),
        )
        pause(max(0.0, begun + whole - wall()))
