"""500 pollers for five minutes: none is refused, and memory does not grow."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator

from benchmarks.measures.poll import idle_polls
from benchmarks.report import Measure
from benchmarks.server import Caller, Server, served
from benchmarks.world import world

POLLERS = 500
SECONDS = 300.0
EVERY = 2.0
"""The interval (seconds) between two polls of each poller."""
WARM = 60.0
"""The seconds until memory is measured for the first time."""


def measures(kind: str) -> Iterator[Measure]:
    """The number of responses other than 304, and the ratio of the memory at the end to that after a minute."""
    with world(kind, rate_limits=False) as made:
        polls = (idle_polls(made) * POLLERS)[:POLLERS]
        settings = {**made.environment, "TRUSTED_PROXIES": "1"}  # so many come from one address
        with served("service.web.app:create_app()", settings) as server:
            answers, memory = _poll(server, polls)
    wrong = sum(number for status, number in answers.items() if status != 304)
    yield Measure(f"{POLLERS} pollers: polls answered", answers.total(), "")
    yield Measure(f"{POLLERS} pollers: answers that were no 304", wrong, "", least=0, most=0)
    growth = memory[-1] / memory[0]
    yield Measure(f"{POLLERS} pollers: memory at the end / after {WARM:.0f} s", growth, most=1.05)


def _poll(server: Server, polls: list[bytes]) -> tuple[Counter[int], list[float]]:
    callers = [Caller(server.address) for _ in polls]
    answers, memory, began = Counter[int](), list[float](), time.monotonic()
    while (now := time.monotonic() - began) < SECONDS:
        for caller, poll in zip(callers, polls, strict=True):
            caller.send(poll)
        answers.update(caller.status() for caller in callers)
        if now > WARM:
            memory.append(server.memory())
        time.sleep(max(0.0, began + now + EVERY - time.monotonic()))
    for caller in callers:
        caller.close()
    return answers, memory
