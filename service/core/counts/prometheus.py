"""Counts for Prometheus, which every process of a machine keeps in files; without METRICS nothing is counted.

Labels have few values, all of which are ours: rules of routes, kinds, outcomes. None tells of a person or a game.

The files are in folders below DATA_DIR: one of all web processes, one of each worker. A folder is emptied when its
programs start, so counts begin anew then, as Prometheus expects. What a process has counted that was killed stays
until then.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from service.core.runtime.process_ids import is_running
from service.core.settings.config import Config

if TYPE_CHECKING:
    from prometheus_client import Counter, Gauge, Histogram

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable by which `prometheus_client` finds the folder of the files when it is loaded."""
WEB, _WORKER = "web", "worker-"
"""The name of the folder of the web processes, and how that of a worker begins; its process id follows."""
OTHER = "other"
"""The label of a route or a method that is none of ours: whoever asks can invent any number of them."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class _Counts:
    """What is counted. The library looks where the files are when it is loaded, so this is made after that is known."""

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram  # not without METRICS: see above

        self.requests: Counter = Counter(
            "tegami_requests", "Requests that were answered.", ["route", "method", "status"]
        )
        self.connections: Gauge = Gauge(
            "tegami_connections",
            "Connections of all web processes that run.",
            multiprocess_mode="livesum",
        )
        self.moves: Counter = Counter("tegami_moves", "Moves, by who made them.", ["by"])
        self.mails: Counter = Counter("tegami_mails", "Mails, by result.", ["kind", "result"])
        self.cold: Counter = Counter(
            "tegami_cold_storage_failures", "Times that cold storage could not be reached."
        )
        self.thinking: Histogram = Histogram(
            "tegami_thinking_seconds", "How long house players thought.", buckets=_SECONDS
        )


class _Kept:
    """The counts of this process; None as long as nothing is counted."""

    counts: _Counts | None = None


def set_folder(config: Config, name: str = "") -> None:
    """This process, and those that it starts, keep their counts in the folder of this name, or in a worker's own."""
    folder = _folders(config) / (name or f"{_WORKER}{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ[FOLDER] = str(folder)


def files(config: Config) -> list[str]:
    """The files of all processes that have counted something.

    One that is empty has just been made: `prometheus_client` gives it its size then, and cannot read it before.
    Raises FileNotFoundError if one is deleted meanwhile.
    """
    return sorted(str(file) for file in _folders(config).glob("*/*.db") if file.stat().st_size)


def forget_ended_workers(config: Config) -> None:
    """Delete the folders of workers that run no more."""
    for folder in _folders(config).glob(f"{_WORKER}*"):
        if not is_running(int(folder.name.removeprefix(_WORKER))):
            shutil.rmtree(folder, ignore_errors=True)


def _folders(config: Config) -> Path:
    return config.data_dir / "metrics"


def begin() -> None:
    """Count from now on, if a folder has been set."""
    if FOLDER in os.environ:
        _Kept.counts = _Kept.counts or _Counts()


def request(route: str, method: str, status: str) -> None:
    """A request has been answered; `route` is the rule of its address."""
    if _Kept.counts:
        known = method if method in _METHODS else OTHER
        _Kept.counts.requests.labels(route, known, status).inc()


def connections(number: int) -> None:
    """So many connections are open in this process."""
    if _Kept.counts:
        _Kept.counts.connections.set(number)


def move(by: str) -> None:
    """A `seat`, the `house` or a `timeout` has moved."""
    if _Kept.counts:
        _Kept.counts.moves.labels(by).inc()


def mail(kind: str, result: str) -> None:
    """A mail of this kind was sent, dropped, held, refused and so on."""
    if _Kept.counts:
        _Kept.counts.mails.labels(kind, result).inc()


def cold_storage_failed() -> None:
    """Cold storage could not be reached."""
    if _Kept.counts:
        _Kept.counts.cold.inc()


def thought(seconds: float) -> None:
    """A house player has thought for so long."""
    if _Kept.counts:
        _Kept.counts.thinking.observe(seconds)


def process_ended(pid: int) -> None:
    """A process that counted has ended: what it has counted stays, but it has no connections any more."""
    if FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead  # as above

        mark_process_dead(pid)
