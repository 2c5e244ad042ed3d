"""An idle server, run as by `bin/serve`, with a few games that wait for people: the fraction of a core that it uses."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import Measure
from benchmarks.server import PATIENCE, free_port, process_cpu
from benchmarks.world import SLUGS, World, world
from service.core.settings.config import ROOT

GAMES = 10
SECONDS = 20.0
STARTING = 5.0
"""The percent of a core above which a server counts as still starting."""


def measures(kind: str) -> Iterator[Measure]:
    """The CPU time of all processes of the server, except the database's own server."""
    with world(kind) as made:
        for number in range(GAMES):
            made.open(SLUGS[number % 2])
        with running(made) as process:
            share = share_of_a_core(process, SECONDS)
    yield Measure(
        "an idle server, web and worker: share of a core", share, "%", most=0.3, before="2.6 %"
    )


def share_of_a_core(process: int, seconds: float) -> float:
    """The percent of a core that the process and its children use during so many seconds."""
    before = _cpu(process)
    time.sleep(seconds)
    return (_cpu(process) - before) / seconds / 1e7


@contextmanager
def running(made: World) -> Iterator[int]:
    """A block that gives the process id of a server that has started."""
    settings = {"HOST": "127.0.0.1", "PORT": str(free_port()), "WEB_CONCURRENCY": "2"}
    command = [sys.executable, "-m", "service.operations.commands", "serve"]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, **made.environment, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        share_of_a_core(process.pid, 3)
        while share_of_a_core(process.pid, 3) > STARTING:
            pass
        yield process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _cpu(pid: int) -> int:
    """The CPU time (ns) of a process and of all that it has started."""
    return process_cpu(pid) + sum(map(_cpu, _children(pid)))


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
