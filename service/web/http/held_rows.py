"""Rows that somebody else holds for long: after one request has waited for such a row without success, others fail at
once.

A request waits for a row as long as the settings say, and then gets 503. Until the row has been changed once, later
requests for it hardly wait. Otherwise, requests for one game would occupy all threads, and block all other games. The
log says once for each game that it is held, and once that it no longer is.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

import structlog
from flask import Flask, Response, current_app, request

from service.core.database import lock_patience
from service.core.database.failures import HELD
from service.core.runtime.units import MINUTE, SECOND
from service.web.http.caller.caller import SAFE_METHODS
from service.web.http.caller.context import current_services
from service.web.http.routes import rule

KEPT = 5 * MINUTE
"""How long (ms) after the last request for a row it takes until the row is waited for as usual again."""
MOST = 1000
"""The most subjects that are remembered."""
WHOLE = ""
"""The subject that represents SQLite's single lock."""
_HELD = "tegami.held"

_log = structlog.get_logger("tegami.web")


class _Since(NamedTuple):
    first: int
    last: int
    times: int


class HeldRows:
    """The rows for which requests have recently waited without success, by game, or by path for requests without a
    game. Thread-safe.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._held: dict[str, _Since] = {}

    def has(self, subject: str, now: int) -> bool:
        """Whether a request has recently waited for `subject` without success."""
        found = self._held.get(subject)
        return found is not None and abs(now - found.last) < KEPT

    def met(self, subject: str, now: int) -> bool:
        """Note that a request has waited for `subject` without success; returns False if another one did recently."""
        with self._lock:
            known = self._held.pop(subject, None)
            before = known if known and abs(now - known.last) < KEPT else _Since(now, now, 0)
            self._held[subject] = before._replace(last=now, times=before.times + 1)
            while len(self._held) > MOST:
                del self._held[next(iter(self._held))]
        return before.times == 0

    def over(self, subject: str) -> _Since | None:
        """Note that the row was changed; returns since when requests had waited for it without success, or None."""
        with self._lock:
            return self._held.pop(subject, None)


def register(app: Flask) -> None:
    """Have the requests of `app` wait for rows in this way."""
    forget(app)
    app.before_request(_wait)
    app.after_request(_note)
    app.teardown_request(lambda _error: lock_patience.wait_little(little=False))


def forget(app: Flask) -> None:
    """Forget the rows for which the requests of `app` have waited."""
    app.extensions[_HELD] = HeldRows()


def met() -> None:
    """Note that the present request has waited for a row without success."""
    if _rows().met(_subject(), current_services().now()):
        _log.error("failing", task="web", cause=HELD, route=rule(), **_about())


def met_whole() -> None:
    """Note, and log, that the present request has waited without success for the lock that keeps out all other
    writers.
    """
    _rows().met(WHOLE, current_services().now())


def _wait() -> None:
    now = current_services().now()
    if _rows().has(_subject(), now) or _rows().has(WHOLE, now):
        lock_patience.wait_little(little=True)


def _note(response: Response) -> Response:
    if response.status_code < 400 and request.method not in SAFE_METHODS:
        _rows().over(WHOLE)
        held = _rows().over(_subject())
        if held:
            lasted = (current_services().now() - held.first) // SECOND
            told = {**_about(), "failures": held.times, "seconds": lasted}
            _log.info("recovered", task="web", cause=HELD, route=rule(), **told)
    return response


def _rows() -> HeldRows:
    found: HeldRows = current_app.extensions[_HELD]
    return found


def _subject() -> str:
    """The subject that a request changes: a game, or what its path names."""
    return _about().get("subject") or request.path


def _about() -> dict[str, str]:
    game_id = (request.view_args or {}).get("game_id")
    return {"subject": game_id} if game_id else {}
