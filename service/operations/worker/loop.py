"""The loop of the worker: house players, deadlines and the daily purge, with mails and webhooks in threads beside it.

Thinkers are processes beside it, which wake it when they have an answer.

One process or several: the log refuses a second answer by itself, and the outbox gives a mail to one of them.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from functools import partial

from flask import Flask

from service.core.counts import prometheus
from service.core.database.database import has_row_locks, release_connection
from service.core.database.lock_patience import waiting
from service.core.runtime.backoff import Backoff
from service.core.settings.config import Config
from service.notifications.mail_sending.sender import Sender, senders_of
from service.notifications.receivers import browsers
from service.notifications.receivers.courier import Courier, courier_of
from service.operations.thinking.processes import Processes
from service.operations.worker.cold_games import move_games
from service.operations.worker.daily_purge import DailyPurge
from service.operations.worker.deadlines import LATE, Deadlines
from service.operations.worker.ending import Ending
from service.operations.worker.glance import NOW, Glance
from service.operations.worker.half_new_rows import Repairs
from service.operations.worker.house_players import HousePlayers
from service.operations.worker.nightly_check import check_logs
from service.operations.worker.process_beats import ProcessBeats
from service.operations.worker.sending import Dispatcher, send_mails
from service.tables.play.house_players import waiting_seats
from service.tables.services import Services

IDLE_WAIT = 0.15
"""Seconds between two glances at the database when there is nothing to do."""
ROW_WAIT = 0.25
"""Seconds that the worker waits for a row that somebody else holds: it comes back, and others wait for it meanwhile."""


class Worker:
    """The tasks of one process; `rng` makes the seeds of `thinking`, `services` is the application's."""

    def __init__(self, services: Services, rng: random.Random, thinking: Processes) -> None:
        now, time = services.now, services.config.thinking_time
        self._look = services.look
        self._beats = ProcessBeats(services, thinking, services.config.thinkers)
        self._tasks = {
            "house players": HousePlayers(services, rng, thinking, time).move_all,
            "heartbeats": self._beats.beat,
            "deadlines": Deadlines(services).meet_all,
            "repairs": Repairs(services).step,
            "purge": DailyPurge(services).step,
        }
        self._each, self._all = Backoff("worker", now), Backoff("worker", now, raised=())

    def run_once(self) -> int:
        """Do what is due; how many things that were.

        A task that fails keeps no other waiting; if it is the database that fails, all of them wait.
        """
        return self._all.attempt(self._run_tasks, 0)

    def end(self) -> None:
        """It ends as it should."""
        self._all.attempt(self._beats.end, None)

    def _run_tasks(self) -> int:
        self._look()
        with waiting(ROW_WAIT) if has_row_locks() else nullcontext():
            done = sum(self._each.attempt(run, 0, task) for task, run in self._tasks.items())
        release_connection()  # the next round reads the present
        return done


def work(
    app: Flask,
    stop: threading.Event,
    wait: Callable[[float], object] | None = None,
    sender: Sender | None = None,
    thinking: Processes | None = None,
    courier: Courier | None = None,
) -> int:
    """Work until `stop` is set; sender, thinkers and courier are those of the settings unless given.

    `wait` waits so many seconds when there is nothing to do, the threads of sender and courier too; they wait for
    `stop` unless it is given, and finish what they have in hand. Returns the exit code: not 0 if it has ended because
    the tables are those of a newer release, or the keys those of another server.
    """
    services: Services = app.extensions["tegami"]
    now, pushes = services.now, services.config.pushes
    told = partial(browsers.tell, services) if pushes else None
    post = [sender] if sender else senders_of(services, told)
    hooks, pause = courier or courier_of(services), wait or stop.wait
    mails_leave = [partial(send_mails, app, stop, each, pause) for each in post]
    hooks_leave = partial(Dispatcher(app, hooks, pause).run, stop) if hooks else None
    cold = partial(move_games, app, stop, stop.wait) if services.config.cold_storage else None
    _begin_to_count(services.config)
    ending = Ending(app, stop)
    if ending.is_due():
        return ending.code
    with (
        beside(stop, "updates", ending.watch),
        ExitStack() as threads,
        beside(stop, "courier", hooks_leave),
        beside(stop, "check", partial(check_logs, app, stop, stop.wait)),
        beside(stop, "cold storage", cold),
        app.app_context(),
    ):
        for leave in mails_leave:
            threads.enter_context(beside(stop, "sender", leave))
        thinking = thinking or Processes(services.config.thinkers, now)
        with closing(thinking):
            worker = Worker(services, random.SystemRandom(), thinking)
            glance = Glance(services, waiting_seats(), *(late(NOW) for late in LATE))
            rest = wait or thinking.wait
            while not stop.is_set():
                if not worker.run_once():
                    glance.rest(stop, partial(rest, IDLE_WAIT))
            worker.end()
    return ending.goodbye()


@contextmanager
def beside(stop: threading.Event, name: str, run: Callable[[], None] | None) -> Iterator[None]:
    """Meanwhile `run`, if it is given, runs in a thread of this name, which waits for `stop` if it waits.

    At the end `stop` is set, and the thread finishes what it has.
    """
    if run is None:
        yield
        return
    thread = threading.Thread(target=run, name=name)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _begin_to_count(config: Config) -> None:
    """From now on this process counts what it does, if the web processes show it to somebody."""
    if config.metrics is not None:
        prometheus.forget_ended_workers(config)
        prometheus.set_folder(config)
        prometheus.begin()


def stop_on_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set, so that a move under way is finished."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    return stop
