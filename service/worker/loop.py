"""The loop of the worker: house players, deadlines and the daily purge, with the mail sender in a thread beside it.

One process or several: the log refuses a second answer by itself, and the outbox gives a mail to one of them.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType

from flask import Flask

from service.core.backoff import Backoff
from service.core.database import release_connection
from service.delivery.sender import Sender, sender_of
from service.privacy.purge import DailyPurge
from service.shared_services import Services
from service.worker.deadlines import LATE, Deadlines
from service.worker.glance import NOW, Glance
from service.worker.house_players import HousePlayers, waiting_seats
from service.worker.sending import sending

IDLE_WAIT = 0.15
"""Seconds between two glances at the database when there is nothing to do."""


class Worker:
    """The tasks of one process; `rng` chooses for house players, `services` is the application's."""

    def __init__(self, services: Services, rng: random.Random) -> None:
        now = services.runtime.now
        self._tasks = {
            "house players": HousePlayers(services, rng).move_all,
            "deadlines": Deadlines(services.runtime, services.states).meet_all,
            "purge": DailyPurge(services.runtime).step,
        }
        self._each, self._all = Backoff("worker", now), Backoff("worker", now, raised=())

    def run_once(self) -> int:
        """Do what is due; how many things that were.

        A task that fails keeps no other waiting; if it is the database that fails, all of them wait.
        """
        return self._all.attempt(self._run_tasks, 0)

    def _run_tasks(self) -> int:
        done = sum(self._each.attempt(run, 0, task) for task, run in self._tasks.items())
        release_connection()  # the next round reads the present
        return done


def work(
    app: Flask,
    stop: threading.Event,
    wait: Callable[[float], object] | None = None,
    sender: Sender | None = None,
) -> None:
    """Work until `stop` is set; the sender is that of the settings unless given.

    `wait` waits so many seconds when there is nothing to do, the sender's thread too.
    """
    services: Services = app.extensions["tegami"]
    worker, wait = Worker(services, random.SystemRandom()), wait or stop.wait
    with sending(app, stop, sender or sender_of(services), wait), app.app_context():
        queries = (waiting_seats(), *(late(NOW) for late in LATE))
        glance = Glance(services.runtime, *queries)
        while not stop.is_set():
            if not worker.run_once():
                glance.rest(stop, partial(wait, IDLE_WAIT))


def stop_on_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set, so that a move under way is finished."""
    stop = threading.Event()

    def set_it(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, set_it)
    return stop
