"""A program that ends together with the process that started it, and leaves none of its own processes behind.

A shell next to it reads from a pipe to which only we can write. When we end, for whatever reason, the system closes the
pipe, and the shell ends the program. This needs no thread in the program, and works wherever there is a shell.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

GUARD = """
read -r program || exit
read -r _
kill -TERM "-$program" 2>/dev/null
tries=$1
while [ $tries -gt 0 ] && kill -0 "-$program" 2>/dev/null; do
    sleep 0.1
    tries=$((tries - 1))
done
kill -KILL "-$program" 2>/dev/null
"""
"""The shell's script. It reads the program's process group, and then nothing until we end. Then it ends the program,
and kills it after `$1` tenths of a second.
"""
_LAST_LINES = 1.0
"""How long (seconds) to wait for last lines after all processes that could print them have ended."""


class TiedProgram:
    """A program that leads its own session, so that Ctrl-C reaches it only through us."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        tell: Callable[[str], None],
        ended: Callable[[int], None],
        patience: float,
    ) -> None:
        """Start the program. `tell` gets each line that it prints, and `ended` its exit code in the form that shells
        use; both are called in threads.

        When we end, the program has `patience` seconds to end itself.
        """
        self._tell, self._ended = tell, ended
        self._guard = subprocess.Popen(  # noqa: S603 - ours as well
            ["/bin/sh", "-c", GUARD, "guard", str(round(10 * patience))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
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
        except OSError:
            self._dismiss_guard()
            raise
        self._tell_guard()
        self._printing = threading.Thread(target=self._print, daemon=True)
        self._printing.start()
        self._awaiting = threading.Thread(target=self._await, daemon=True)
        self._awaiting.start()

    def signal(self, number: int) -> None:
        """Send a signal to the program and to all processes that it has started, unless it has ended."""
        if self._process.poll() is None:
            self._signal_group(number)

    def end(self, until: float) -> None:
        """Wait for the end of the program and for its last lines; kill it at the time `until` (of the monotonic
        clock).
        """
        try:
            self._process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            self.signal(signal.SIGKILL)
            self._process.wait()
        self._awaiting.join()

    def _tell_guard(self) -> None:
        assert self._guard.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # anybody who has killed it wants no guard
            self._guard.stdin.write(f"{self._process.pid}\n".encode())
            self._guard.stdin.flush()

    def _dismiss_guard(self) -> None:
        """End the guard. It must not outlive the program, whose process id may be reused."""
        self._guard.kill()
        self._guard.wait()
        assert self._guard.stdin is not None
        with contextlib.suppress(OSError):
            self._guard.stdin.close()

    def _signal_group(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _print(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._tell(line.rstrip("\n"))

    def _await(self) -> None:
        code = self._process.wait()
        self._signal_group(signal.SIGKILL)  # processes that the program has started and left behind
        self._dismiss_guard()
        self._printing.join(_LAST_LINES)
        self._ended(code if code >= 0 else 128 - code)
