"""The thread of the worker that answers for people, each time at the very moment at which the wait is over.

In its rounds, the worker does things together, such as playing for somebody whose time is over. If it also answered for
people there, a player at whose own tables time runs out again and again would learn when the rounds are, and could tell
the worker's answers from those of people.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext

from flask import Flask

from service.core.database.database import db, has_row_locks, release_connection
from service.core.database.lock_patience import ROW_WAIT, waiting
from service.core.database.quick_queries import QuickQuery
from service.core.runtime.backoff import Backoff
from service.core.runtime.units import SECOND
from service.operations.worker.deadlines import Deadlines
from service.operations.worker.glance import NOW
from service.tables.play.orders import acting
from service.tables.services import Services

AHEAD = SECOND
"""How far (ms) the thread looks ahead, and how long it rests if nothing is due by then."""


class OwnAnswers:
    """Answering for people in the application that is in context; `deadlines` says whether that is allowed."""

    def __init__(self, services: Services, deadlines: Deadlines) -> None:
        self._now, self._deadlines = services.now, deadlines
        first = acting.due_seats(NOW).with_only_columns(acting.ACTS_AT).limit(1)
        self._first = QuickQuery(db.engines["polls"], first, kept_plan=False)
        self._rounds = Backoff("own answers", services.now, raised=())

    def step(self, wait: Callable[[float], object]) -> int:
        """Wait for whatever is due next, at most as long as the thread looks ahead, and do it; returns the number of
        seats.
        """
        at = self._rounds.attempt(self._due_next, None)
        if at is None:
            wait(AHEAD / SECOND)
            return 0
        if (left := at - self._now()) > 0:
            wait(left / SECOND)
        done = self._rounds.attempt(self._answer, 0)
        if not done:  # the thread waits for a heartbeat, or for the end of an outage or failure
            wait(AHEAD / SECOND)
        return done

    def _due_next(self) -> int | None:
        found = self._first.all({"now": self._now() + AHEAD})
        return found[0][0] if found else None

    def _answer(self) -> int:
        with waiting(ROW_WAIT) if has_row_locks() else nullcontext():
            done = self._deadlines.answer_all()
        release_connection()  # the next look reads the present state
        return done


def answer_in_time(
    app: Flask, stop: threading.Event, deadlines: Deadlines, wait: Callable[[float], object]
) -> None:
    """Answer for people until `stop` is set; `wait` waits this number of seconds."""
    services: Services = app.extensions["tegami"]
    with app.app_context():
        answers = OwnAnswers(services, deadlines)
        while not stop.is_set():
            answers.step(wait)
