"""The threads of the worker in which webhooks leave: a slow receiver delays no mail, no deadline and no other receiver.

One thread looks for what is due and claims it; a few others send. Of a host, and for a player, one delivery is under
way at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from flask import Flask

from service.core.models.receivers import DeliveryRow
from service.core.runtime.backoff import Backoff
from service.notifications.receivers import deliveries
from service.notifications.receivers.courier import Courier
from service.operations.worker.glance import Glance
from service.tables.services import Services

AT_ONCE = 4
"""Deliveries that are under way at the same time."""
DUE = (deliveries.BEHIND, deliveries.DUE)
"""The queries for what there is to do at the time `now`."""
IDLE_WAIT = 1.0
"""Seconds until deliveries are looked for again when nothing was due."""


class Dispatcher:
    """Gives what is due to the threads that send."""

    def __init__(self, app: Flask, courier: Courier, wait: Callable[[float], object]) -> None:
        self._app, self._courier, self._wait = app, courier, wait
        self._services: Services = app.extensions["tegami"]
        self._busy = set[str]()
        self._under_way = self._ended = 0
        self._changed = threading.Condition()

    def run(self, stop: threading.Event) -> None:
        """Send until `stop` is set, and wait when there is nothing to send."""
        rounds = Backoff("webhooks", self._services.now, raised=())
        with self._app.app_context(), ThreadPoolExecutor(AT_ONCE, "webhook") as pool:
            glance = Glance(self._services, *DUE)
            while not stop.is_set():
                ended = self._ended
                if rounds.attempt(partial(self._round, pool), False):
                    continue
                if not self._await_an_end(ended):
                    glance.rest(stop, partial(self._wait, IDLE_WAIT))

    def _round(self, pool: ThreadPoolExecutor) -> bool:
        """Begin what can be begun; whether there was something to do."""
        looked = self._courier.look()
        begun = 0
        for row, kept in self._courier.due():
            if self._under_way >= AT_ONCE:
                break
            if self._busy.isdisjoint(kept):
                with self._changed:
                    self._busy |= kept
                    self._under_way += 1
                pool.submit(self._send, row, kept)
                begun += 1
        return looked or begun > 0

    def _send(self, row: DeliveryRow, kept: set[str]) -> None:
        attempt = Backoff("webhook", self._services.now, raised=())
        try:
            with self._app.app_context():
                attempt.attempt(partial(self._courier.claim_and_send, row), False)
        finally:
            with self._changed:
                self._busy -= kept
                self._under_way -= 1
                self._ended += 1
                self._changed.notify()

    def _await_an_end(self, before: int) -> bool:
        """Wait for something that is under way to end, or for a while, since something else may have become due.

        `before`: how many had ended before the last round, which left alone what they kept busy. False: nothing was
        under way since then.
        """
        with self._changed:
            if self._under_way and self._ended == before:
                self._changed.wait(IDLE_WAIT)
                return True
            return self._ended != before
