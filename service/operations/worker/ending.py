"""The reasons for which a worker ends itself: tables of a newer release, or keys of another server."""

from __future__ import annotations

import threading
from functools import partial

from flask import Flask

from service.core.database.database import db
from service.core.readiness import key_checks, newer_release
from service.tables.services import Services


class Ending:
    """The watch for these reasons: it sets `stop` when the worker has to end, and `code` is then its exit code."""

    def __init__(self, app: Flask, stop: threading.Event) -> None:
        self._app, self._stop, self.code = app, stop, 0
        with app.app_context():
            self._engine = db.engine

    def is_due(self) -> bool:
        """Whether the worker must not even begin."""
        if newer_release.notices_newer(self._engine):
            self._end(newer_release.EXIT_CODE)
        return self._stop.is_set()

    def watch(self) -> None:
        """Check for both reasons at regular intervals; returns once `stop` is set."""
        newer_release.watch(self._engine, self._rest, partial(self._end, newer_release.EXIT_CODE))

    def goodbye(self) -> int:
        """The exit code. It is returned only after web processes next to a worker of an earlier release have had time
        to notice the reason too.

        `serve` ends as soon as the first of its programs does, but the web processes still answer for a moment.
        """
        if self.code == newer_release.EXIT_CODE:
            beats = newer_release.beats_of(self._app.extensions)
            self._stop.clear()  # a signal ends this wait
            self._stop.wait(beats.every + beats.goodbye)
        return self.code

    def _rest(self) -> bool:
        """Wait until the next check, and check the keys; returns whether the worker has to end."""
        services: Services = self._app.extensions["tegami"]
        if not self._stop.wait(newer_release.beats_of(self._app.extensions).every):
            with self._app.app_context():
                if key_checks.notices_other_keys(services.config):
                    self._end(key_checks.EXIT_CODE)
        return self._stop.is_set()

    def _end(self, code: int) -> None:
        self.code = code
        self._stop.set()
