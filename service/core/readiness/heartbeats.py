"""Heartbeats: the times at which any worker, each worker and each of its thinkers were last alive, on every machine.

A process that ends properly deletes its row. A row that stays belongs to a process that was killed, hangs, or lost its
machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Delete, delete, or_, select

from service.core.database import tables
from service.core.database.database import (
    columns,
    db,
    delete_rows,
    delete_some,
    rows,
    transaction,
    write_rows,
)
from service.core.models.server import Heartbeat, ProcessBeat
from service.core.runtime.process_ids import is_running
from service.core.runtime.units import DAY, MINUTE, SECOND, ago

INTERVAL = 30 * SECOND
"""The interval (ms) between two heartbeats of a process."""
SILENCE = 2 * MINUTE
"""The time (ms) without a heartbeat after which a process is silent."""
AHEAD = tables.AHEAD
"""The time (ms) by which a heartbeat may lie in the future, since the clocks of two machines differ a little."""
KEPT = 3 * DAY
"""The time (ms) for which a silent process is remembered; after that, its machine is not expected back."""
WORKER = "worker"
"""The name of the heartbeat that all workers share."""

_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_process = ProcessBeat.metadata.tables["process_beats"]
_LATEST = "ON CONFLICT (worker_id, number) DO UPDATE SET at = excluded.at"


def latest() -> int | None:
    """The time of the last heartbeat of any worker (ms UTC); None before the first."""
    return db.session.scalar(select(_heartbeat.c.at).where(_heartbeat.c.name == WORKER))


class WorkerProcess(NamedTuple):
    """A worker, identified by its machine and process."""

    worker_id: str
    """A random id that the worker draws when it starts, since process ids are reused."""
    machine: str
    pid: int

    @classmethod
    def here(cls, worker_id: str) -> WorkerProcess:
        """The identity of this process."""
        return cls(worker_id, os.uname().nodename[:64], os.getpid())

    def begin(self, thinkers: Iterable[int], now: int) -> None:
        """Note that the worker starts with these thinkers, and forget processes of this machine that no longer run."""
        here = select(*columns(WorkerProcess, _process)).distinct()
        with transaction():
            for other in rows(WorkerProcess, here.where(_process.c.machine == self.machine)):
                if other.pid == self.pid or not is_running(other.pid):
                    db.session.execute(_rows_of(other))
            self._write(thinkers, now)

    def beat(self, thinkers: Iterable[int], now: int) -> None:
        """Note that the worker is alive, and its thinkers with these numbers."""
        with transaction():
            self._write(thinkers, now)

    def end(self) -> None:
        """Note that the worker ends properly, together with its thinkers."""
        delete_rows(_rows_of(self))

    def _write(self, thinkers: Iterable[int], now: int) -> None:
        beats = [{**self._asdict(), "number": number, "at": now} for number in (0, *thinkers)]
        write_rows(_process, beats, _LATEST)


def _rows_of(worker: WorkerProcess) -> Delete:
    return delete(_process).where(_process.c.worker_id == worker.worker_id)


class Beat(NamedTuple):
    """The last heartbeat of a process."""

    machine: str
    pid: int
    number: int
    at: int

    @property
    def process(self) -> str:
        """The kind of the process, and its number on its machine."""
        worker = f"worker {self.pid}"
        return f"thinker {self.number} of {worker}" if self.number else worker

    def told(self, now: int) -> str:
        """The process and the time at which it was last alive, in words for the operator."""
        process = f"{self.process} on {self.machine}"
        if self.at - now > AHEAD:
            return f"{process}, {(self.at - now) // MINUTE} min in the future"
        return f"{process}, {ago(now - self.at)}"


class Processes(NamedTuple):
    """The workers and thinkers that have a row: the ones that were alive lately, and the silent ones."""

    alive: list[Beat]
    silent: list[Beat]

    def counts(self) -> dict[str, int]:
        """The number of live processes of each kind, by the kind's name."""
        return {
            "workers_alive": sum(each.number == 0 for each in self.alive),
            "workers_silent": sum(each.number == 0 for each in self.silent),
            "thinkers_alive": sum(each.number > 0 for each in self.alive),
            "thinkers_silent": sum(each.number > 0 for each in self.silent),
        }


def processes(now: int) -> Processes:
    """The last heartbeats of all workers and thinkers on all machines."""
    query = select(*columns(Beat, _process)).where(_process.c.at > now - KEPT)
    found = sorted(rows(Beat, query))
    alive = [each for each in found if -AHEAD <= now - each.at <= SILENCE]
    return Processes(alive, [each for each in found if each not in alive])


def purge(now: int, most: int) -> int:
    """Forget at most `most` processes that have been silent for too long; return their number.

    A process that is alive after all soon has a row again.
    """
    far = or_(_process.c.at <= now - KEPT, _process.c.at > now + KEPT)
    return delete_some(_process, most, far)
