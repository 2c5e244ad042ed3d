"""The thread of the worker in which mails leave: a slow mail server delays nobody's move."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from flask import Flask

from service.core.runtime.backoff import Backoff
from service.notifications.mail_sending.sender import Sender
from service.operations.worker.glance import Glance
from service.outbox import queue
from service.tables.services import Services

IDLE_WAIT = 1.0
"""Seconds until the outbox is looked at again when nothing was due: a mail leaves about that long after its time."""


def send(
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
