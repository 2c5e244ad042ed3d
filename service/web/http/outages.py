"""Outages, as a web process notices them: each is logged once when it begins, and once when it is over.

Every failure is reported in its response; the log would overflow if it had all of them. Once a minute, after a
response, the process checks whether the server still has everything that it needs, so that the end of a worker is
noticed without monitoring.
"""

from __future__ import annotations

import threading
from collections.abc import Collection
from typing import NamedTuple

import structlog
from flask import Flask, Response, current_app, request

from service.core.database.database import db
from service.core.database.failures import (
    BUSY,
    DISK_ERROR,
    DISK_FULL,
    NO_PRIMARY,
    READ_ONLY,
    SchemaIsNewer,
)
from service.core.database.reading_from import has_read_primary
from service.core.database.schema import stop_writing
from service.core.readiness import checks
from service.core.runtime.units import MINUTE, SECOND
from service.web.http.caller.caller import SAFE_METHODS
from service.web.http.caller.context import current_services

_log = structlog.get_logger("tegami.web")
_OUTAGES = "tegami.outages"
_TASK = "web"
ASKS_NOBODY = {"whole_server.get_health"}
"""The endpoints that respond without the database, whatever its state."""
_OF_WRITING = {BUSY, DISK_FULL, DISK_ERROR, READ_ONLY, NO_PRIMARY}
"""The causes whose end is proven only by a request that has written to the database."""


class _Begun(NamedTuple):
    at: int
    failures: int


class Outages:
    """The present outages, by cause. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lasting: dict[str, _Begun] = {}
        self._looked_at: int | None = None

    def met(self, cause: str, now: int, **about: object) -> None:
        """Note that something has failed for this cause."""
        with self._lock:
            begun = self._lasting.get(cause)
            self._lasting[cause] = _Begun(begun.at, begun.failures + 1) if begun else _Begun(now, 1)
        if begun is None:
            _log.error("failing", task=_TASK, cause=cause, **about)

    def over(self, causes: Collection[str], now: int) -> None:
        """Note that something works again that failed for one of these causes."""
        with self._lock:
            ended = {each: self._lasting.pop(each) for each in causes if each in self._lasting}
        for cause, begun in ended.items():
            lasted = (now - begun.at) // SECOND
            failures = begun.failures
            _log.info("recovered", task=_TASK, cause=cause, failures=failures, seconds=lasted)

    @property
    def lasting(self) -> set[str]:
        """The causes of the present outages."""
        return set(self._lasting)

    def is_time_to_look(self, now: int) -> bool:
        """Whether a minute has passed on a steady clock (ms) since the last check; not at first, when worker and web
        start together.
        """
        before = self._looked_at
        if before is not None and now - before < MINUTE:
            return False
        self._looked_at = now
        return before is not None


def forget(app: Flask) -> None:
    """Forget the outages of `app`."""
    app.extensions[_OUTAGES] = Outages()


def current_outages() -> Outages:
    """The outages of the present application."""
    found: Outages = current_app.extensions[_OUTAGES]
    return found


def note(response: Response) -> Response:
    """Note what works again, and return the response; once a minute, check the whole server."""
    outages, services = current_outages(), current_services()
    if response.status_code < 500:
        if outages.lasting:
            outages.over(_proven(outages.lasting, response.status_code), services.now())
        if (
            request.endpoint not in ASKS_NOBODY
            and services.steady
            and outages.is_time_to_look(services.steady())
        ):
            look()
    return response


def look() -> list[checks.Check]:
    """Check everything that the server needs, log changes, and return the checks."""
    services, outages = current_services(), current_outages()
    services.look()
    now, found = services.now(), list(checks.ready(services.config, services))
    wrong = {each.cause: each for each in found if each.cause}
    outages.over({*checks.CAUSES} - wrong.keys(), now)
    for cause, check in wrong.items():
        outages.met(cause, now, told=check.told)
    if SchemaIsNewer.cause in wrong:
        stop_writing(db.engine)  # this also happens under a server that does not end the process
    return found


def _proven(lasting: set[str], status: int) -> set[str]:
    """The causes that the present response proves to be over."""
    if request.method not in SAFE_METHODS and status < 300:
        return lasting - checks.CAUSES
    return lasting - checks.CAUSES - _OF_WRITING if has_read_primary(db.session()) else set()
