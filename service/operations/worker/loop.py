"""The loop of the worker: house players, deadlines and the daily purge; and the threads for emails, deliveries, and
answers for people.

Thinkers are separate processes, which wake the worker when they have an answer.

Any number of workers can run: the log refuses a second answer, and the outbox gives each email to only one of them.
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
from service.core.database.lock_patience import ROW_WAIT, waiting
from service.core.runtime.backoff import Backoff
from service.core.settings.config import Config
from service.notifications.mail_sending.sender import Sender, senders_of
from service.notifications.receivers import browsers
from service.notifications.receivers.courier import Courier, courier_of
from service.operations.thinking.processes import BEHIND, Processes
from service.operations.worker.analyses import Analyses
from service.operations.worker.cold_games import move_games
from service.operations.worker.daily_deals import DailyPreparation
from service.operations.worker.daily_purge import DailyPurge
from service.operations.worker.deadlines import LATE, Deadlines, SeriesRounds, WeeklyTables
from service.operations.worker.ending import Ending
from service.operations.worker.glance import NOW, Glance
from service.operations.worker.half_new_rows import Repairs
from service.operations.worker.house_players import HousePlayers
from service.operations.worker.nightly_check import check_logs
from service.operations.worker.own_answers import answer_in_time
from service.operations.worker.process_beats import ProcessBeats
from service.operations.worker.ratings import PlayedGames, Ratings
from service.operations.worker.sending import Dispatcher, send_mails
from service.people.circles import weeklies
from service.people.circles.series import rounds, series
from service.people.ratings.played.counting import waiting_games
from service.people.ratings.ratings import waiting_rulesets
from service.tables.play.analyses.analyses import waiting_analyses
from service.tables.play.house_players import waiting_seats
from service.tables.services import Services

IDLE_WAIT = 0.18
"""The interval (seconds) between two glances at the database when there is nothing to do."""


class Worker:
    """The tasks of one process; `rng` makes the seeds of `thinking`, and `services` are those of the application.

    `behind` starts a thinker that gives way to all other processes. If `answers` is true, the worker also answers for
    people in its rounds.
    """

    def __init__(
        self,
        services: Services,
        rng: random.Random,
        thinking: Processes,
        behind: Callable[[], Processes] | None = None,
        *,
        answers: bool = True,
    ) -> None:
        now, time = services.now, services.config.thinking_time
        self._look = services.look
        self._beats = ProcessBeats(services, thinking, services.config.thinkers)
        self._analyses = Analyses(services, behind or partial(start_behind, thinking, now))
        self.deadlines = Deadlines(services, answers=answers)
        self._tasks = {
            "house players": HousePlayers(services, rng, thinking, time).move_all,
            "heartbeats": self._beats.beat,
            "deadlines": self.deadlines.meet_all,
            "ratings": Ratings(services).rate_some,
            "weekly tables": WeeklyTables(services).open_all,
            "series": SeriesRounds(services).step,
            "daily deals": DailyPreparation(services).step,
            "analyses": self._analyses.step,
            "played games": PlayedGames(services).count_some,
            "repairs": Repairs(services).step,
            "purge": DailyPurge(services).step,
        }
        self._each, self._all = Backoff("worker", now), Backoff("worker", now, raised=())

    def run_once(self) -> int:
        """Do everything that is due; returns the number of things done.

        A task that fails delays no other; if the database fails, all of them wait.
        """
        return self._all.attempt(self._run_tasks, 0)

    def end(self) -> None:
        """End the worker properly."""
        for end in self._analyses.end, self._beats.end:
            self._all.attempt(end, None)

    def _run_tasks(self) -> int:
        self._look()
        with waiting(ROW_WAIT) if has_row_locks() else nullcontext():
            done = sum(self._each.attempt(run, 0, task) for task, run in self._tasks.items())
        release_connection()  # the next round reads the present state
        return done


def start_behind(thinking: Processes, now: Callable[[], int]) -> Processes:
    """A thinker that gives way to all other processes; its answers also wake the threads that wait for answers of
    `thinking`.
    """
    return Processes(1, now, BEHIND, wakes=thinking.wake)


def work(
    app: Flask,
    stop: threading.Event,
    wait: Callable[[float], object] | None = None,
    sender: Sender | None = None,
    thinking: Processes | None = None,
    courier: Courier | None = None,
) -> int:
    """Work until `stop` is set; the sender, the thinkers and the courier are those of the settings unless they are
    given.

    `wait` waits this number of seconds when there is nothing to do, even in the threads of the sender and the courier;
    by default they wait for `stop`, and finish what they have begun. Returns the exit code, which is not 0 if the
    tables are those of a newer release or the keys are those of another server.
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
            worker = Worker(services, random.SystemRandom(), thinking, answers=False)
            answer = partial(answer_in_time, app, stop, worker.deadlines, pause)
            threads.enter_context(beside(stop, "own answers", answer))
            seldom = *(late(NOW) for late in LATE), waiting_rulesets(), waiting_analyses(NOW)
            often = waiting_games(), weeklies.due(NOW), series.due(NOW), rounds.ready(NOW)
            glance = Glance(services, waiting_seats(), *seldom, *often)
            rest = wait or thinking.wait
            while not stop.is_set():
                if not worker.run_once():
                    glance.rest(stop, partial(rest, IDLE_WAIT))
            worker.end()
    return ending.goodbye()


@contextmanager
def beside(stop: threading.Event, name: str, run: Callable[[], None] | None) -> Iterator[None]:
    """A block during which `run`, if it is given, runs in a thread of this name.

    At the end, `stop` is set, and the thread finishes what it has begun.
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
    """Begin to count this process's work, if the web processes publish counts."""
    if config.metrics is not None:
        prometheus.forget_ended_workers(config)
        prometheus.set_folder(config)
        prometheus.begin()


def stop_on_signals() -> threading.Event:
    """An event that SIGTERM and SIGINT set, so that a move that has begun is finished."""
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    return stop
