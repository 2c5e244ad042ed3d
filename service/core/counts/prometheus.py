"""Counts for Prometheus, which every process of a machine keeps in files; without METRICS nothing is counted.

Labels have few values, all chosen by us: rules of routes, kinds, outcomes. None identifies a person or a game.

The files are in folders below DATA_DIR: one folder for all web processes, and one for each worker. A folder is emptied
when its programs start, so counts then start from zero, as Prometheus expects. The counts of a process that was killed
stay until then.
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
"""The environment variable that tells `prometheus_client`, when it is loaded, in which folder the files are."""
WEB, _WORKER = "web", "worker-"
"""The folder of the web processes, and the beginning of the names of workers' folders, which end in process ids."""
OTHER = "other"
"""The label of every route or method that is not ours, since clients can invent any number of them."""
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class _Counts:
    """All counters.

    The library looks for its files when it is loaded, so the counters are created once the folder is known.
    """

    def __init__(self) -> None:
        from prometheus_client import Counter, Gauge, Histogram  # not loaded without METRICS

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
        self.replica: Counter = Counter(
            "tegami_replica_reads", "What came of reading from a replica.", ["result"]
        )
        self.thinking: Histogram = Histogram(
            "tegami_thinking_seconds", "How long house players thought.", buckets=_SECONDS
        )


class _Kept:
    """The counts of this process; None while nothing is counted."""

    counts: _Counts | None = None


def set_folder(config: Config, name: str = "") -> None:
    """Keep the counts of this process, and of those it starts, in the folder with this name, or in a worker's own
    folder.
    """
    folder = _folders(config) / (name or f"{_WORKER}{os.getpid()}")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ[FOLDER] = str(folder)


def files(config: Config) -> list[str]:
    """The paths of the files of all processes that have counted something.

    Empty files are left out: `prometheus_client` has just created them, and cannot read them before it gives them their
    size. Raises FileNotFoundError if a file is deleted in the meantime.
    """
    return sorted(str(file) for file in _folders(config).glob("*/*.db") if file.stat().st_size)


def forget_ended_workers(config: Config) -> None:
    """Delete the folders of workers that no longer run."""
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
    """Count a request that was answered; `route` is the rule of its address."""
    if _Kept.counts:
        known = method if method in _METHODS else OTHER
        _Kept.counts.requests.labels(route, known, status).inc()


def connections(number: int) -> None:
    """Note the number of open connections of this process."""
    if _Kept.counts:
        _Kept.counts.connections.set(number)


def move(by: str) -> None:
    """Count a move; `by` is `seat`, `house` or `timeout`."""
    if _Kept.counts:
        _Kept.counts.moves.labels(by).inc()


def mail(kind: str, result: str) -> None:
    """Count an email of this kind by its result: sent, dropped, held, refused and so on."""
    if _Kept.counts:
        _Kept.counts.mails.labels(kind, result).inc()


def cold_storage_failed() -> None:
    """Count a failure to reach cold storage."""
    if _Kept.counts:
        _Kept.counts.cold.inc()


def replica(result: str) -> None:
    """Count a query to the replica; `result` is `answered`, `behind` or `failed`."""
    if _Kept.counts:
        _Kept.counts.replica.labels(result).inc()


def thought(seconds: float) -> None:
    """Note the time (seconds) for which a house player has thought."""
    if _Kept.counts:
        _Kept.counts.thinking.observe(seconds)


def process_ended(pid: int) -> None:
    """Note that a counting process has ended: its counts stay, but it no longer has connections."""
    if FOLDER in os.environ:
        from prometheus_client.multiprocess import mark_process_dead  # as above

        mark_process_dead(pid)
