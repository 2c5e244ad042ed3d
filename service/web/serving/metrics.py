"""Metrics for Prometheus, at an address of their own.

They are the counts of all processes of this machine, and present values from the database.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask
from sqlalchemy import func, text
from sqlalchemy.exc import SQLAlchemyError

from service.core.counts import prometheus
from service.core.database import replica
from service.core.database.database import db, release_connection
from service.core.models.games import Seat
from service.core.readiness import checks, heartbeats
from service.core.readiness.replicas import replicas
from service.core.runtime.units import SECOND
from service.core.settings.config import Config
from service.log.verification import log_checks
from service.outbox import queue
from service.tables.play.house_players import waiting_seats
from service.tables.play.timeouts import late_seats
from service.tables.services import Services

if TYPE_CHECKING:
    from prometheus_client import Metric

PATIENCE = 1.0
"""How long (seconds) the database may take for the present values; after that, the counts are sent without them."""


class Value(NamedTuple):
    """A value of the present moment, with the name and the meaning of its metric."""

    name: str
    told: str
    """The meaning of the metric."""
    number: float
    labels: Mapping[str, str] = {}
    """The labels that tell the value from others of the same name."""


class Metrics:
    """The WSGI application at the address of the metrics, which serves nothing else."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._thread = ThreadPoolExecutor(1, "present of the database")
        self._asking: Future[list[Value] | None] | None = None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request for the metrics."""
        if environ["PATH_INFO"] != "/metrics" or environ["REQUEST_METHOD"] not in {"GET", "HEAD"}:
            start_response("404 Not Found", [("Content-Length", "0")])
            return []
        from prometheus_client import CollectorRegistry, exposition  # needed only with METRICS

        registry = CollectorRegistry()
        registry.register(self)
        text = exposition.generate_latest(registry)
        kind = exposition.CONTENT_TYPE_LATEST
        about = [("Content-Type", kind), ("Content-Length", str(len(text)))]
        start_response("200 OK", about)
        return [text] if environ["REQUEST_METHOD"] == "GET" else []

    def collect(self) -> Iterator[Metric]:
        """All metrics of the server."""
        services: Services = self._app.extensions["tegami"]
        yield from _counted(services.config)
        free = checks.free_space(services.config, services)
        found = self._present()
        is_up = int(found is not None)
        yield from _gauges(
            [
                Value("tegami_disk_free_bytes", "What is free where the server writes.", free),
                Value("tegami_database_up", "Whether the database answers.", is_up),
                *(found or ()),
            ]
        )

    def _present(self) -> list[Value] | None:
        """The present values from the database; None if they do not arrive in time.

        A query that is still running is not started again.
        """
        if self._asking is None or self._asking.done():
            self._asking = self._thread.submit(self._ask)
        try:
            return self._asking.result(PATIENCE)
        except TimeoutError:
            return None

    def _ask(self) -> list[Value] | None:
        services: Services = self._app.extensions["tegami"]
        with self._app.app_context():
            try:
                return [_answer_time(), *present(services.now())]
            except SQLAlchemyError:
                return None  # other requests report the outage
            finally:
                with suppress(SQLAlchemyError):
                    release_connection()


def _gauges(values: Iterable[Value]) -> Iterator[Metric]:
    """The values as gauges; values with the same name have to be consecutive."""
    from prometheus_client.core import GaugeMetricFamily  # needed only with METRICS

    for (name, told), same in groupby(values, lambda value: value[:2]):
        alike = [*same]
        family = GaugeMetricFamily(name, told, labels=[*alike[0].labels])
        for each in alike:
            family.add_metric([*each.labels.values()], each.number)
        yield family


def _counted(config: Config) -> Iterable[Metric]:
    from prometheus_client.multiprocess import MultiProcessCollector  # needed only with METRICS

    found: Iterable[Metric]
    try:
        found = MultiProcessCollector.merge(prometheus.files(config))
    except FileNotFoundError:  # a worker has just restarted, and deleted old files
        found = MultiProcessCollector.merge(prometheus.files(config))
    return found


def _answer_time() -> Value:
    begun = time.monotonic()
    db.session.execute(text("SELECT 1"))
    told = "How long the database took to answer the shortest question."
    return Value("tegami_database_answer_seconds", told, time.monotonic() - begun)


def present(now: int) -> Iterator[Value]:
    """The present values, all of them numbers or seconds."""
    yield from _waiting(now)
    yield from _workers(now)
    yield from _replicas()
    yield from _read_replica()


def _waiting(now: int) -> Iterator[Value]:
    mails, since = queue.waiting(now)
    lag = _age(since, now)
    yield Value("tegami_outbox_due", "Emails that are due.", mails)
    yield Value("tegami_outbox_lag_seconds", "How long the first of them has been due.", lag)
    house = waiting_seats().with_only_columns(func.count(), func.min(Seat.since)).order_by(None)
    seats, since = db.session.execute(house).one()
    oldest = _age(since, now)
    yield Value("tegami_house_players_waiting", "House players that are to move.", seats)
    yield Value("tegami_oldest_wait_seconds", "How long the first of them is to move.", oldest)
    late = late_seats(now).with_only_columns(func.min(Seat.due)).order_by(None)
    told = "How long a seat has been out of time without being played for."
    yield Value("tegami_deadline_lag_seconds", told, _age(db.session.scalar(late), now))
    told = "Games in which the last check has found something wrong."
    yield Value("tegami_damaged_games", told, log_checks.number_damaged())


def _workers(now: int) -> Iterator[Value]:
    beat = heartbeats.latest()
    if beat is not None:
        told = "Since when no worker has run."
        yield Value("tegami_worker_silent_seconds", told, _age(beat, now))
    found = heartbeats.processes(now)
    for kind, number in found.counts().items():
        process, _, state = kind.partition("_")
        yield Value(f"tegami_{kind}", f"How many {process} are {state}.", number)
    told = "Since when this worker or thinker has given no sign of life."
    beats = sorted((*found.alive, *found.silent), key=lambda each: -each.at)
    # containers may share a name and process ids: then the one that has been silent longer counts
    for (machine, name), at in {(each.machine, each.process): each.at for each in beats}.items():
        which = {"machine": machine, "process": name}
        yield Value("tegami_process_silent_seconds", told, _age(at, now), which)


def _replicas() -> Iterator[Value]:
    found = replicas()
    if found is None:
        return
    yield Value("tegami_database_replicas", "Standby servers of the database.", found.number)
    if found.behind_bytes is not None:
        told = "What was written that the last standby server does not show yet."
        yield Value("tegami_database_replica_lag_bytes", told, found.behind_bytes)
    if found.behind_seconds is not None:
        told = "For how long the last standby server has not shown it."
        yield Value("tegami_database_replica_lag_seconds", told, found.behind_seconds)


def _read_replica() -> Iterator[Value]:
    used = replica.used()
    behind = None
    with suppress(
        SQLAlchemyError
    ):  # a database that is away has no values, and the counts say that it is away
        behind = used.behind() if used else None
    if behind is not None:
        told = "What was written that the replica which is read does not show yet."
        yield Value("tegami_replica_behind_bytes", told, behind)


def _age(since: int | None, now: int) -> float:
    return 0.0 if since is None else max(0, now - since) / SECOND
