"""Thinkers as processes, each with a thread that passes questions and answers on, so that the worker never waits."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

import structlog

from service.core.counts import prometheus
from service.core.database.failures import KnownCause
from service.core.runtime.backoff import Backoff
from service.core.settings.config import ROOT
from service.operations.thinking.agents import Latest
from service.operations.thinking.questions import AgentKey, Question, ThoughtAnswer

COMMAND = (sys.executable, "-m", "service.operations.thinking")
BEHIND = (*COMMAND, "--behind")
"""The command of a thinker that gives way to all other processes, for work for which nobody waits at a table."""
PASSED_ON = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG")
"""The environment variables that are passed to thinkers. None of them is a setting, so none is a secret."""
HUNG, HUNG_BEHIND = 30.0, 540.0
"""How long (seconds) a thinker may take to answer before it is ended; the second value is for one that gives way to
others. That is several times as long as a deep thought on an idle machine, and less than half the claim of an analysis.
"""

_log = structlog.get_logger("tegami.thinking")


class ThinkerEnded(KnownCause):
    """The thinker ended before it had started."""

    cause = "thinker ended"


class Told(NamedTuple):
    """The last event of a game that a thinker was told: its number, and its digest in hexadecimal digits."""

    number: int
    head: str


NOTHING = Told(0, "")


class Process:
    """One thinker.

    From a thread of its own, it passes its answers to `done`, and one without an action when the process ends.
    """

    def __init__(
        self,
        command: Sequence[str],
        done: Callable[[ThoughtAnswer], None],
        now: Callable[[], float],
        patience: float = HUNG,
    ) -> None:
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._process = subprocess.Popen(  # noqa: S603 - the command is ours
            command,
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # signals of the terminal and to the group are for the worker alone
        )
        self._done, self._now, self._patience = done, now, patience
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._told: Latest[Told] = Latest()
        self._since: float | None = None
        self.started = self.ended = False
        threading.Thread(target=self._serve, name="thinker", daemon=True).start()

    @property
    def busy(self) -> bool:
        """Whether the thinker is thinking, or its answer has not been collected yet."""
        return self._since is not None

    @property
    def hung(self) -> bool:
        """Whether the process has thought for too long."""
        return self._since is not None and self._now() - self._since > self._patience

    @property
    def lost(self) -> bool:
        """Whether the process has ended, and its question (if it had one) has been returned."""
        return not self.busy and (self.ended or self._process.poll() is not None)

    def told_until(self, agent: AgentKey) -> Told:
        """The last event that the thinker has been told for this agent; NOTHING if it remembers nothing."""
        return self._told.get(agent, NOTHING)

    def give(self, question: Question) -> None:
        """Give the process a question."""
        self._since = self._now()
        self._told.put(question.agent, Told(question.number, question.head))
        self._questions.put(question)

    def taken(self, answer: ThoughtAnswer) -> None:
        """Note that this answer was collected, so that the thinker is free again."""
        if self._since is not None and answer.action:
            prometheus.thought(self._now() - self._since)
        self._since = None
        self.ended = not (answer.is_complete or answer.failure)
        if not answer.is_complete:
            self._told.pop(answer.question.agent, None)

    def end(self) -> int:
        """End the process, which has nothing to lose, and wait for that; returns the exit code."""
        self._process.kill()
        self._questions.put(None)
        return self._process.wait()

    def _serve(self) -> None:
        sent, told = self._process.stdin, self._process.stdout
        assert sent and told
        with suppress(OSError), sent, told:
            self.started = bool(told.readline())
            while (question := self._questions.get()) is not None:
                try:
                    sent.write(question.line())
                    sent.flush()
                    answer = ThoughtAnswer.parse(question, told.readline())
                except (OSError, ValueError, LookupError, TypeError):
                    answer = ThoughtAnswer(question)  # it has ended, or printed something else
                self._done(answer)


class Processes:
    """A number of thinkers. A thinker that ends is replaced: at once if it had started, otherwise after growing waits.

    An answer wakes the thread that waits here; if `wakes` is given, it is called instead.
    """

    def __init__(
        self,
        number: int,
        now: Callable[[], int],
        command: Sequence[str] = COMMAND,
        clock: Callable[[], float] = time.monotonic,
        wakes: Callable[[], None] | None = None,
    ) -> None:
        self._command, self._clock = command, clock
        self._patience = HUNG_BEHIND if command == BEHIND else HUNG
        self._backoff = Backoff("thinker", now)
        self._running: dict[int, Process] = {}
        self._numbers = range(1, number + 1)
        self._arrived: queue.SimpleQueue[tuple[int, ThoughtAnswer]] = queue.SimpleQueue()
        self._answered = threading.Event()
        self._wake = wakes or self.wake
        self._replace()

    def wake(self) -> None:
        """Wake the thread that waits."""
        self._answered.set()

    def free(self, agent: AgentKey) -> Process | None:
        """An idle thinker, preferably one that remembers this game; None if all are busy."""
        self._replace()
        free = [each for each in self._running.values() if not each.busy]
        return max(free, key=lambda each: each.told_until(agent), default=None)

    def answers(self) -> list[ThoughtAnswer]:
        """The answers that have arrived since the last call."""
        self._answered.clear()  # cleared before the look: whatever comes after it wakes the next wait
        for process in self._running.values():
            if process.hung:
                process.end()  # its thread reports that it has ended
        found = list[ThoughtAnswer]()
        while not self._arrived.empty():
            number, answer = self._arrived.get()
            process = self._running[number]
            process.taken(answer)
            if not process.ended:
                self._backoff.attempt(lambda: None, None, str(number))  # it works again
            found.append(answer)
        return found

    def alive(self) -> list[int]:
        """The process ids of the thinkers that run."""
        self._replace()
        return sorted(self._running)

    def at_work(self) -> list[int]:
        """The process ids of the thinkers that have started and still run."""
        return [number for number in self.alive() if self._running[number].started]

    def wait(self, seconds: float) -> bool:
        """Wait for an answer, at most this number of seconds; returns whether there is one that nobody has collected
        yet.

        A caller that does not collect it at once (because house players are left alone for a while) is not woken by the
        same answer again.
        """
        is_woken = self._answered.wait(seconds)
        if is_woken:  # otherwise an answer may just have arrived: it wakes the next wait
            self._answered.clear()
        return is_woken

    def close(self) -> None:
        """End all thinkers."""
        for process in self._running.values():
            process.end()

    def _replace(self) -> None:
        for number, process in list(self._running.items()):
            if process.lost:
                code = process.end()
                del self._running[number]
                if process.started:
                    _log.warning("thinker replaced", thinker=number, code=code)
                else:
                    self._backoff.attempt(_fail_to_start, None, str(number))
        for number in self._numbers:
            if number not in self._running:
                start = partial(self._start, number)
                self._backoff.attempt(start, None, str(number), proves=False)

    def _start(self, number: int) -> None:
        arrive = partial(self._arrive, number)
        self._running[number] = Process(self._command, arrive, self._clock, self._patience)

    def _arrive(self, number: int, answer: ThoughtAnswer) -> None:
        self._arrived.put((number, answer))
        self._wake()


def _fail_to_start() -> None:
    raise ThinkerEnded
