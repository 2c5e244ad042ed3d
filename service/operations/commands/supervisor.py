"""Programs that run together: every line they print becomes one JSON object with the program.

One that dies is started again, soon and then after longer and longer waits. All of them end with us, also if we are
killed. They end with the first that cannot be started at all, or says that all have to.

Nothing here looks at the clock while they run: an idle server is idle.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import NamedTuple, TextIO

from service.core.runtime.log_files import with_program
from service.operations.commands.tied_program import TiedProgram

PATIENCE = 5.0
"""Seconds that programs have to end after they were told to."""
STARTING = 30.0
"""Seconds within which a program that fails at its first start is taken for one that cannot run here."""
FIRST_WAIT = 1.0
"""Seconds until a program that has died is started again; each further death doubles it."""
LONGEST_WAIT = 60.0
"""Seconds, too, after which a program is taken for well again."""
ENDS_ALL = {os.EX_TEMPFAIL, os.EX_CONFIG}
"""Exit codes by which a program says that all have to be started anew, or that settings forbid it."""
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""Those that end all: the last one comes when a terminal is closed, but `nohup` has it ignored."""
_OURS = "system"
"""Under what name we say something ourselves."""


class ProgramEnded(NamedTuple):
    """A program has ended, or a signal has come."""

    why: str
    code: int
    """As a shell counts: 128 and the signal's number, if it was a signal."""
    name: str = ""
    """The program's; empty: it was a signal to us."""


def run_together(
    programs: Mapping[str, Sequence[str]],
    folder: Path,
    environment: Mapping[str, str],
    output: TextIO | None = None,
    patience: float = PATIENCE,
    first_wait: float = FIRST_WAIT,
) -> int:
    """Run all of them in `folder` until a signal comes or one ends for all; returns the exit code of that."""
    events = SimpleQueue[ProgramEnded]()
    lines = _Lines(output or sys.stdout)

    def end(number: int, _frame: FrameType | None) -> None:
        events.put(ProgramEnded(f"{signal.Signals(number).name} received", 128 + number))

    before = {number: signal.signal(number, end) for number in SIGNALS}
    if before[signal.SIGHUP] is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    running = {
        name: _Program(name, words, folder, environment, lines, events, patience, first_wait)
        for name, words in programs.items()
    }
    try:
        for program in running.values():
            program.start()
        return _until_the_end(running, events, lines)
    finally:
        for program in running.values():
            program.signal(signal.SIGTERM)
        until = time.monotonic() + patience
        for program in running.values():
            program.end(until)
        for number, handler in before.items():
            signal.signal(number, handler)


def _until_the_end(
    running: Mapping[str, _Program], events: SimpleQueue[ProgramEnded], lines: _Lines
) -> int:
    """Start again whatever dies, until all have to end; the exit code."""
    while True:
        for program in running.values():
            program.start_if_due()
        waits = [wait for each in running.values() if (wait := each.wait()) is not None]
        try:
            event = events.get(timeout=min(waits, default=None))
        except queue.Empty:
            continue
        if not event.name:
            lines.write(_OURS, event.why)
            return event.code
        if running[event.name].ends_all(event.code):
            lines.write(_OURS, event.why, "error")
            return event.code
        wait = running[event.name].start_later()
        lines.write(_OURS, f"{event.why}: started again in {wait:g} s", "error")


class _Lines:
    """Where the programs' lines are printed, each whole; empty ones say nothing."""

    def __init__(self, output: TextIO) -> None:
        self._output, self._lock = output, threading.Lock()

    def write(self, name: str, line: str, level: str = "info") -> None:
        if not line.strip():
            return
        # If nobody reads them any more, the programs go on all the same.
        with self._lock, contextlib.suppress(OSError):
            self._output.write(with_program(name, line, level) + "\n")
            self._output.flush()


class _Program:
    """One of the programs: what is started, and when again."""

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        lines: _Lines,
        events: SimpleQueue[ProgramEnded],
        patience: float,
        first_wait: float,
    ) -> None:
        self._name, self._words = name, words
        self._folder, self._environment = folder, environment
        self._lines, self._events, self._patience = lines, events, patience
        self._first_wait = self._next_wait = first_wait
        self._running: TiedProgram | None = None
        self._starts = 0
        self._started_at = 0.0
        self._due: float | None = None
        """When it is started again."""

    def start(self) -> None:
        """Start it."""
        self._due, self._started_at = None, time.monotonic()
        self._starts += 1
        self._running = TiedProgram(
            self._words,
            self._folder,
            self._environment,
            self._print,
            self._ended,
            self._patience,
        )

    def start_if_due(self) -> None:
        """Start it again if the wait is over; later, if the system cannot just now."""
        if self._due is None or self._due > time.monotonic():
            return
        try:
            self.start()
        except OSError as error:
            wait = self.start_later()
            told = f"{self._name} cannot be started ({type(error).__name__})"
            self._lines.write(_OURS, f"{told}: tried again in {wait:g} s", "error")
        else:
            self._lines.write(_OURS, f"{self._name} started again", "warning")

    def wait(self) -> float | None:
        """Seconds until it is due to be started again; None: it runs."""
        return None if self._due is None else max(self._due - time.monotonic(), 0)

    def ends_all(self, code: int) -> bool:
        """Whether its end is that of all: it says so, or it has failed by itself at its first start."""
        early = self._starts == 1 and time.monotonic() - self._started_at < STARTING
        return code in ENDS_ALL or (early and 0 < code < 128)

    def start_later(self) -> float:
        """Start it again after a while, which is returned."""
        if time.monotonic() - self._started_at >= LONGEST_WAIT:
            self._next_wait = self._first_wait
        wait, self._next_wait = self._next_wait, min(2 * self._next_wait, LONGEST_WAIT)
        self._due = time.monotonic() + wait
        return wait

    def signal(self, number: int) -> None:
        """Send a signal to the program and to all that it has started, unless it has ended."""
        if self._running:
            self._running.signal(number)

    def end(self, until: float) -> None:
        """Wait for the end of the program and its last lines, and kill it after `until`."""
        if self._running:
            self._running.end(until)

    def _print(self, line: str) -> None:
        self._lines.write(self._name, line)

    def _ended(self, code: int) -> None:
        self._events.put(ProgramEnded(f"{self._name} ended ({code})", code, self._name))
