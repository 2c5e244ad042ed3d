"""A thinker: a process that answers one line with another until there are no more.

It ends with its worker, however that ends: then its input does. Other processes go first (it is niced), and it holds
no lock of a database. A thought that never ends is ended by the system.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress

import rules
from service.operations.thinking.agents import Agents
from service.operations.thinking.pace import Paced
from service.operations.thinking.questions import Question

NICENESS = 5
LONGEST = 60
"""Seconds that a thought may take at most; a worker waits less for one."""


def main() -> None:
    """Answer the questions that come."""
    os.nice(NICENESS)
    rules.slugs()  # loads all games now, so that no answer waits for it
    agents = Agents(Paced())
    with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as out:
        out.write(b"\n")  # it has started
        for line in sys.stdin.buffer:
            signal.alarm(LONGEST)
            out.write(agents.answer(Question.parse(line)).line())
            signal.alarm(0)


if __name__ == "__main__":
    with suppress(BrokenPipeError, KeyboardInterrupt):
        main()
