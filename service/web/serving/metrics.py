"""What Prometheus reads, at an address of its own: what all processes of this machine have counted, and what the
database says of the present.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask
from sqlalchemy import func
from sqlalchemy.exc import SQLAlchemyError

from service.core.counts import prometheus
from service.core.database.database import db, release_connection
from service.core.models.games import Seat
from service.core.readiness import heartbeats
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
"""Seconds that the database has to say what is true of the present; the counts are told without it."""
Value = tuple[str, str, float]
"""Something that is true of the present: what it is called, what that means, and the number."""


class Metrics:
    """The WSGI application at that address; there is nothing else."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._thread = ThreadPoolExecutor(1, "present of the database")
        self._asking: Future[list[Value] | None] | None = None

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        if environ["PATH_INFO"] != "/metrics" or environ["REQUEST_METHOD"] not in {"GET", "HEAD"}:
            start_response("404 Not Found", [("Content-Length", "0")])
            return []
        from prometheus_client import CollectorRegistry, exposition  # not without METRICS

        registry = CollectorRegistry()
        registry.register(self)
        text = exposition.generate_latest(registry)
        kind = exposition.CONTENT_TYPE_LATEST
        about = [("Content-Type", kind), ("Content-Length", str(len(text)))]
        start_response("200 OK", about)
        return [text] if environ["REQUEST_METHOD"] == "GET" else []

    def collect(self) -> Iterator[Metric]:
        """All there is."""
        from prometheus_client.core import GaugeMetricFamily  # as above

        services: Services = self._app.extensions["tegami"]
        yield from _counted(services.config)
        found = self._present()
        is_up = int(found is not None)
        yield GaugeMetricFamily("tegami_database_up", "Whether the database answers.", value=is_up)
        for name, told, value in found or ():
            yield GaugeMetricFamily(name, told, value=value)

    def _present(self) -> list[Value] | None:
        """What the database says; None if it does not say it soon.

        A question that is not answered is not asked again before it is given up.
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
                return list(present(services.now()))
            except SQLAlchemyError:
                return None  # its outage is named by the other requests
            finally:
                with suppress(SQLAlchemyError):
                    release_connection()


def _counted(config: Config) -> Iterable[Metric]:
    from prometheus_client.multiprocess import MultiProcessCollector  # as above

    found: Iterable[Metric]
    try:
        found = MultiProcessCollector.merge(prometheus.files(config))
    except FileNotFoundError:  # a worker has just begun anew, and deleted what others had left
        found = MultiProcessCollector.merge(prometheus.files(config))
    return found


def present(now: int) -> Iterator[Value]:
    """What the database says of the present, all of it in numbers and seconds."""
    mails, since = queue.waiting(now)
    lag = _age(since, now)
    yield "tegami_outbox_due", "Mails that are due.", mails
    yield "tegami_outbox_lag_seconds", "How long the first of them has been due.", lag
    house = waiting_seats().with_only_columns(func.count(), func.min(Seat.since)).order_by(None)
    seats, since = db.session.execute(house).one()
    oldest = _age(since, now)
    yield "tegami_house_players_waiting", "House players that are to move.", seats
    yield "tegami_oldest_wait_seconds", "How long the first of them is to move.", oldest
    late = late_seats(now).with_only_columns(func.min(Seat.due)).order_by(None)
    told = "How long a seat has been out of time without being played for."
    yield "tegami_deadline_lag_seconds", told, _age(db.session.scalar(late), now)
    beat = heartbeats.latest()
    if beat is not None:
        yield "tegami_worker_silent_seconds", "Since when no worker has run.", _age(beat, now)
    told = "Games in which the last check has found something wrong."
    yield "tegami_damaged_games", told, log_checks.number_damaged()
    for kind, number in heartbeats.processes(now).counts().items():
        process, _, state = kind.partition("_")
        yield f"tegami_{kind}", f"How many {process} are {state}.", number


def _age(since: int | None, now: int) -> float:
    return 0.0 if since is None else max(0, now - since) / SECOND
