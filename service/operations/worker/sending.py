"""The threads of the worker that send emails and deliveries, so that a slow server delays no move and no deadline.

For webhooks and browsers, one thread looks for what is due, and a few others claim and send it. At any time, one
delivery is under way to each host, and one for each player. Receivers that are new or slow to respond have their own
threads, so that they delay no other.
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
from service.notifications.receivers import deliveries, next_deliveries
from service.notifications.receivers.courier import Courier
from service.notifications.receivers.next_deliveries import Ready
from service.operations.worker.glance import Glance
from service.outbox import queue
from service.tables.services import Services

IDLE_WAIT = 1.0
"""How long (seconds) to wait before the outbox or the deliveries are read again when nothing was due."""
AT_ONCE = 4
"""The most simultaneous deliveries to quick receivers, and to all others."""
DUE = (deliveries.NEWS, next_deliveries.DUE)
"""The queries for the deliveries to make, or to send, at the time `now`."""


def send_mails(
    app: Flask, stop: threading.Event, sender: Sender, wait: Callable[[float], object]
) -> None:
    """Send emails until `stop` is set, with a `wait` when there is nothing to send; an email that is being sent is
    finished.
    """
    services: Services = app.extensions["tegami"]
    rounds = Backoff("mail", services.now, raised=())
    with app.app_context():
        glance = Glance(services, queue.DUE)
        while not stop.is_set():
            if not rounds.attempt(sender.send_one, False):
                glance.rest(stop, partial(wait, IDLE_WAIT))
        sender.disconnect()


class Dispatcher:
    """Giving due deliveries to the threads that send them."""

    def __init__(self, app: Flask, courier: Courier, wait: Callable[[float], object]) -> None:
        self._app, self._courier, self._wait = app, courier, wait
        self._services: Services = app.extensions["tegami"]
        self._under_way: dict[bool, dict[Future[bool], Ready]] = {True: {}, False: {}}
        """The deliveries under way to quick receivers (True) and to all others (False)."""

    def run(self, stop: threading.Event) -> None:
        """Send until `stop` is set, and wait when there is nothing to send."""
        rounds = Backoff("webhooks", self._services.now, raised=())
        with self._app.app_context(), ThreadPoolExecutor(2 * AT_ONCE, "webhook") as pool:
            glance = Glance(self._services, *DUE)
            while not stop.is_set():
                for under_way in self._under_way.values():
                    for sent in [each for each in under_way if each.done()]:
                        del under_way[sent]
                if rounds.attempt(partial(self._round, pool), False):
                    continue
                sending = [each for some in self._under_way.values() for each in some]
                if sending:  # a delivery that has ended since the look above is in it, too
                    wait_for(sending, IDLE_WAIT, FIRST_COMPLETED)
                else:
                    glance.rest(stop, partial(self._wait, IDLE_WAIT))

    def _round(self, pool: ThreadPoolExecutor) -> bool:
        """Begin the deliveries that can be begun; returns whether there were any."""
        looked, begun = self._courier.look(), False
        for quick, under_way in self._under_way.items():
            busy = [each for some in self._under_way.values() for each in some.values()]
            free = AT_ONCE - len(under_way)
            for each in self._courier.due(quick=quick, most=free, busy=busy) if free else []:
                under_way[pool.submit(self._send, each.delivery)] = each
                begun = True
        return looked or begun

    def _send(self, row: Delivery) -> bool:
        attempt = Backoff("webhook", self._services.now, raised=())
        with self._app.app_context():
            return attempt.attempt(partial(self._courier.claim_and_send, row), False)
