"""The thread of the worker that answers for people, each at the very time at which the wait is over.

What the worker does in its rounds, such as playing for somebody whose time is over, comes together. If it answered for
people there too, a player at whose own tables time runs out again and again would know when its rounds are, and could
tell its answers from those of people.
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
"""How far (ms) the thread looks ahead, and how long it rests when there is nothing to do by then."""


class OwnAnswers:
    """Gives the answers of the application in context; whether that is allowed is for `deadlines` to say."""

    def __init__(self, services: Services, deadlines: Deadlines) -> None:
        self._now, self._deadlines = services.now, deadlines
        first = acting.due_seats(NOW).with_only_columns(acting.ACTS_AT).limit(1)
        self._first = QuickQuery(db.engines["polls"], first, kept_plan=False)
        self._rounds = Backoff("own answers", services.now, raised=())

    def step(self, wait: Callable[[float], object]) -> int:
        """Wait for what is due next, at most as long as it looks ahead, and do it; returns for how many seats."""
        at = self._rounds.attempt(self._due_next, None)
        if at is None:
            wait(AHEAD / SECOND)
            return 0
        if (left := at - self._now()) > 0:
            wait(left / SECOND)
        done = self._rounds.attempt(self._answer, 0)
        if not done:  # it waits for a heartbeat, for the end of an outage or of a failure
            wait(AHEAD / SECOND)
        return done

    def _due_next(self) -> int | None:
        found = self._first.all({"now": self._now() + AHEAD})
        return found[0][0] if found else None

    def _answer(self) -> int:
        with waiting(ROW_WAIT) if has_row_locks() else nullcontext():
            done = self._deadlines.answer_all()
        release_connection()  # the next look reads the present
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
