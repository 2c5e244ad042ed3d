"""The threads of the worker in which mails and webhooks leave: a slow server delays no move and no deadline.

Of webhooks, one thread looks for what is due and claims it; a few others send. Of a host, and for a player, one
delivery is under way at a time, so a slow receiver delays no other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from functools import partial

from flask import Flask

from service.core.models.receivers import Delivery
from service.core.runtime.backoff import Backoff
from service.notifications.mail_sending.sender import Sender
from service.notifications.receivers import deliveries
from service.notifications.receivers.courier import Courier
from service.operations.worker.glance import Glance
from service.outbox import queue
from service.tables.services import Services

IDLE_WAIT = 1.0
"""Seconds until the outbox, or the deliveries, are looked at again when nothing was due."""
AT_ONCE = 4
"""Deliveries that are under way at the same time."""
DUE = (deliveries.BEHIND, deliveries.DUE)
"""The queries for the deliveries that there are to make or to send at the time `now`."""


def send_mails(
    app: Flask, stop: threading.Event, sender: Sender, wait: Callable[[float], object]
) -> None:
    """Send until `stop` is set, and `wait` when there is nothing to send; a mail that is under way is finished."""
    services: Services = app.extensions["tegami"]
    rounds = Backoff("mail", services.now, raised=())
    with app.app_context():
        glance = Glance(services, queue.DUE)
        while not stop.is_set():
            if not rounds.attempt(sender.send_one, False):
                glance.rest(stop, partial(wait, IDLE_WAIT))
        sender.disconnect()


class Dispatcher:
    """Gives the deliveries that are due to the threads that send."""

    def __init__(self, app: Flask, courier: Courier, wait: Callable[[float], object]) -> None:
        self._app, self._courier, self._wait = app, courier, wait
        self._services: Services = app.extensions["tegami"]
        self._under_way: dict[Future[bool], set[str]] = {}
        """Each with whom it keeps busy."""

    def run(self, stop: threading.Event) -> None:
        """Send until `stop` is set, and wait when there is nothing to send."""
        rounds = Backoff("webhooks", self._services.now, raised=())
        with self._app.app_context(), ThreadPoolExecutor(AT_ONCE, "webhook") as pool:
            glance = Glance(self._services, *DUE)
            while not stop.is_set():
                for sent in [each for each in self._under_way if each.done()]:
                    del self._under_way[sent]
                if rounds.attempt(partial(self._round, pool), False):
                    continue
                if self._under_way:  # what has ended since the look above is in it, too
                    wait_for(self._under_way, IDLE_WAIT, FIRST_COMPLETED)
                else:
                    glance.rest(stop, partial(self._wait, IDLE_WAIT))

    def _round(self, pool: ThreadPoolExecutor) -> bool:
        """Begin what can be begun; whether there was something to do."""
        looked, before = self._courier.look(), len(self._under_way)
        busy = set[str]().union(*self._under_way.values())
        for row, kept in self._courier.due():
            if len(self._under_way) < AT_ONCE and busy.isdisjoint(kept):
                busy |= kept
                self._under_way[pool.submit(self._send, row)] = kept
        return looked or len(self._under_way) > before

    def _send(self, row: Delivery) -> bool:
        attempt = Backoff("webhook", self._services.now, raised=())
        with self._app.app_context():
            return attempt.attempt(partial(self._courier.claim_and_send, row), False)
