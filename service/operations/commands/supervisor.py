"""Programs that run together: every line they print becomes one JSON object with the program; if one ends, all end.

Nothing here looks at the clock while they run: an idle server is idle.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from types import FrameType
from typing import NamedTuple, TextIO

from service.core.runtime.log_files import with_program

PATIENCE = 5.0
"""Seconds that programs have to end after they were told to."""
_LAST_LINES = 1.0
"""Seconds that lines are waited for when whoever could print them has ended."""
_OURS = "system"
"""Under what name we say something ourselves."""


class Ended(NamedTuple):
    """Why all have to end: a program has, or a signal has come."""

    why: str
    code: int
    """As a shell counts: 128 and the signal's number, if it was a signal."""
    level: str = "info"
    """How bad that is, for the log."""


def run_together(
    programs: Mapping[str, Sequence[str]],
    folder: Path,
    environment: Mapping[str, str],
    output: TextIO | None = None,
    patience: float = PATIENCE,
) -> int:
    """Run all of them in `folder` until the first one ends or a signal comes; returns the exit code of that."""
    ended, running = SimpleQueue[Ended](), list[_Program]()
    lines = _Lines(output or sys.stdout)

    def end(number: int, _frame: FrameType | None) -> None:
        ended.put(Ended(f"{signal.Signals(number).name} received", 128 + number))

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        for name, words in programs.items():
            running.append(_Program(name, words, folder, environment, lines, ended))
        first = ended.get()
        lines.write(_OURS, first.why, first.level)
    finally:
        for program in running:
            program.signal(signal.SIGTERM)
        until = time.monotonic() + patience
        for program in running:
            program.end(until)
        for number, handler in before.items():
            signal.signal(number, handler)
    return first.code


class _Lines:
    """Where the programs' lines are printed, each whole; empty ones say nothing."""

    def __init__(self, output: TextIO) -> None:
        self._output, self._lock = output, threading.Lock()

    def write(self, name: str, line: str, level: str = "info") -> None:
        if not line.strip():
            return
        with self._lock:
            self._output.write(with_program(name, line, level) + "\n")
            self._output.flush()


class _Program:
    """One of the programs: the leader of a session of its own, so that Ctrl-C reaches it through us alone."""

    def __init__(
        self,
        name: str,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        lines: _Lines,
        ended: SimpleQueue[Ended],
    ) -> None:
        self._name, self._lines, self._ended = name, lines, ended
        self._process = subprocess.Popen(  # noqa: S603 - commands of ours
            words,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        self._printing = threading.Thread(target=self._print, daemon=True)
        self._printing.start()
        threading.Thread(target=self._await, daemon=True).start()

    def signal(self, number: int) -> None:
        """Send a signal to the program and to all that it has started, unless it has ended."""
        if self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, number)

    def end(self, until: float) -> None:
        """Wait for the end of the program and its last lines, and kill it after `until`."""
        try:
            self._process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            self._process.wait()
        self._printing.join(_LAST_LINES)

    def _print(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.write(self._name, line.rstrip("\n"))

    def _await(self) -> None:
        code = self._process.wait()
        told = code if code >= 0 else 128 - code
        self._ended.put(Ended(f"{self._name} ended ({told})", told, "error"))
