"""Running programs together; every line that they print becomes a JSON object that names the program.

A program that dies is started again, soon at first and then after longer and longer waits. All of them end with us,
even if we are killed. They also end if the first of them cannot be started at all, or says that all have to end.

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
"""How long (seconds) programs have to end after they have been told to."""
STARTING = 30.0
"""How long (seconds) after its first start a program that fails counts as one that cannot run here."""
FIRST_WAIT = 1.0
"""The wait (seconds) before a program that has died is started again; each further death doubles it."""
LONGEST_WAIT = 60.0
"""The longest such wait (seconds), and the time after which a program counts as healthy again."""
ENDS_ALL = {os.EX_TEMPFAIL, os.EX_CONFIG}
"""The exit codes with which a program says that all programs have to be started again, or that settings forbid them to
run.
"""
SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
"""The signals that end all programs. The last one comes when a terminal is closed, unless `nohup` ignores it."""
_OURS = "system"
"""The name of `serve` itself in its log lines."""


class ProgramEnded(NamedTuple):
    """The end of a program, or a signal to us."""

    why: str
    code: int
    """The exit code in the form that shells use: 128 plus the number of the signal, after a signal."""
    name: str = ""
    """The name of the program; empty if it was a signal to us."""


def run_together(
    programs: Mapping[str, Sequence[str]],
    folder: Path,
    environment: Mapping[str, str],
    output: TextIO | None = None,
    patience: float = PATIENCE,
    first_wait: float = FIRST_WAIT,
) -> int:
    """Run all programs in `folder` until a signal comes or one of them ends all; returns its exit code."""
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
    """Restart programs that die, until all have to end; returns the exit code."""
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
    """Prints the programs' lines, each as a whole, and drops empty lines."""

    def __init__(self, output: TextIO) -> None:
        self._output, self._lock = output, threading.Lock()

    def write(self, name: str, line: str, level: str = "info") -> None:
        if not line.strip():
            return
        # If nobody reads the lines any more, the programs continue all the same.
        with self._lock, contextlib.suppress(OSError):
            self._output.write(with_program(name, line, level) + "\n")
            self._output.flush()


class _Program:
    """One of the programs: how it is started, and when it is started again."""

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
        """The time at which the program is started again."""

    def start(self) -> None:
        """Start the process."""
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
        """Start the process again if the wait is over; later, if the system cannot do so now."""
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
        """The seconds until the program has to be started again; None while it runs."""
        return None if self._due is None else max(self._due - time.monotonic(), 0)

    def ends_all(self, code: int) -> bool:
        """Whether the end of the program ends all programs: its exit code says so, or it failed at its first start."""
        early = self._starts == 1 and time.monotonic() - self._started_at < STARTING
        return code in ENDS_ALL or (early and 0 < code < 128)

    def start_later(self) -> float:
        """Schedule another start; returns the wait (seconds) before it."""
        if time.monotonic() - self._started_at >= LONGEST_WAIT:
            self._next_wait = self._first_wait
        wait, self._next_wait = self._next_wait, min(2 * self._next_wait, LONGEST_WAIT)
        self._due = time.monotonic() + wait
        return wait

    def signal(self, number: int) -> None:
        """Send a signal to the program and to all processes that it has started, unless it has ended."""
        if self._running:
            self._running.signal(number)

    def end(self, until: float) -> None:
        """Wait for the end of the program and for its last lines; kill it at the time `until`."""
        if self._running:
            self._running.end(until)

    def _print(self, line: str) -> None:
        self._lines.write(self._name, line)

    def _ended(self, code: int) -> None:
        self._events.put(ProgramEnded(f"{self._name} ended ({code})", code, self._name))
