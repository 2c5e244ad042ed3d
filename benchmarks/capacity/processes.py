"""The resources used by processes: CPU time, memory, and flushes of files to the disk."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from benchmarks.server import process_cpu
from benchmarks.world import World

FLUSHES = ("fsync", "fdatasync")
NICE = -15
"""The priority of measured processes, which also keeps other processes from using their caches."""


def below(pid: int) -> list[int]:
    """The ids of a process and of all processes that it has started."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
    return [pid, *(each for child in children for each in below(child))]


def database_processes(made: World) -> list[int]:
    """The ids of the processes of the database's own server; none for SQLite."""
    file = made.folder.parent / "postgresql/postmaster.pid"
    return below(int(file.read_text().split()[0])) if made.kind == "postgresql" else []


def cpu(pids: Iterable[int]) -> float:
    """The CPU seconds that the processes have used: all threads, user and system."""
    return sum(map(process_cpu, pids)) / 1e9


def memory(pid: int) -> float:
    """The memory of the process in MB, including its share of shared pages (PSS)."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(r"^Pss:\s+(\d+) kB", rollup, re.M)
    assert found
    return int(found[1]) / 1024


def before_others() -> None:
    """Give this process, and its later children, a higher priority; only root can.

    If Linux first shares its cores among sessions (sched_autogroup), the priority is only relative to other processes
    of this session.
    """
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, NICE)


@contextmanager
def flushes(pids: Iterable[int]) -> Iterator[list[int]]:
    """The number of flushes (fsync, fdatasync) by these processes inside the block, counted by strace."""
    found = list[int]()
    with tempfile.NamedTemporaryFile() as table:
        named = [f"--attach={pid}" for pid in pids]
        command = ["strace", "-f", "-c", "-e", f"trace={','.join(FLUSHES)}", "-o", table.name]
        tracer = subprocess.Popen([*command, *named], stderr=subprocess.PIPE)
        assert tracer.stderr
        tracer.stderr.readline()  # strace has attached
        time.sleep(0.5)  # strace has attached to all of them
        try:
            yield found
        finally:
            tracer.send_signal(signal.SIGINT)
            tracer.communicate()
        rows = re.findall(
            r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s.*?(\w+)$", table.read().decode(), re.M
        )
        found.append(sum(int(calls) for calls, name in rows if name in FLUSHES))
