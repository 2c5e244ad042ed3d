"""A thinker: a process that answers one line with another until its input ends.

Its input ends together with its worker, however that ends. Other processes take precedence (it is niced), and it holds
no lock of a database. The system ends a thought that never finishes.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

import rules
from service.operations.thinking.agents import Agents
from service.operations.thinking.questions import Question
from service.operations.thinking.thinking_time import Paced

NICENESS, BEHIND = 5, 19
"""How much a thinker gives way to other processes; the second value is for a thinker that gives way to all of them
(`--behind`).
"""
LONGEST, LONGEST_BEHIND = 60, 600
"""The longest time (seconds) of a thought, and the longest with `--behind`; a worker waits for less time."""


def main(*, behind: bool) -> None:
    """Answer questions from the input as they arrive, until it ends."""
    os.nice(BEHIND if behind else NICENESS)
    longest = LONGEST_BEHIND if behind else LONGEST
    rules.slugs()  # loads all games now, so that no answer has to wait for that
    agents = Agents(Paced())
    with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as out:
        out.write(b"\n")  # tells the worker that it has started
        for line in sys.stdin.buffer:
            signal.alarm(longest)
            out.write(agents.answer(Question.parse(line)).line())
            signal.alarm(0)


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        main(behind="--behind" in sys.argv)
