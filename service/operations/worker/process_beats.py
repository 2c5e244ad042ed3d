"""Heartbeats of this worker and its thinkers, so that it is noticed if one of several workers or thinkers has ended."""

from __future__ import annotations

from service.core.readiness.heartbeats import INTERVAL, WorkerProcess
from service.core.runtime.time_and_random import Runtime
from service.operations.thinking.processes import Processes


class ProcessBeats:
    """Recording at intervals that the worker `here` is alive, and which of its thinkers are; `number` thinkers are
    configured.
    """

    def __init__(
        self, runtime: Runtime, thinking: Processes, number: int, here: WorkerProcess | None = None
    ) -> None:
        self._now, self._thinking, self._number = runtime.now, thinking, number
        self._here = here or WorkerProcess.here(runtime.new_id("w"))
        self._last: int | None = None

    def beat(self) -> int:
        """Record the heartbeat if it is due; returns 0, so that no other work waits for it."""
        now = self._now()
        if self._last is None:
            self._here.begin(range(1, 1 + self._number), now)
        elif 0 <= now - self._last < INTERVAL:
            return 0
        else:
            self._here.beat(self._thinking.at_work(), now)
        self._last = now
        return 0

    def end(self) -> None:
        """Note that the worker ends properly, so that nobody looks for it."""
        self._here.end()
