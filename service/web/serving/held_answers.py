"""Answers without news that are held until there are some (service/web/http/polls/waiting.py), without a thread for each.

One thread asks the database, in one statement for all that is waited for, whether anything has left the version in
which it was answered; it asks nothing while nobody waits. Whoever waits is found by what they wait for, and counted,
so that one player cannot take the room of all.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping

import structlog

from service.core.database.failures import DATABASE_FAILURES, cause_of
from service.core.runtime.log_files import places
from service.web.http.polls.waiting import Subject, Wait
from service.web.serving.connection import Connection

OF_PLAYER = 8
"""Answers of one player that a process holds."""
ASK_EVERY = 0.25
"""Seconds between two questions to the database: how much later than its commit somebody learns of a change."""
RETRY = 2.0
"""The same when the database could not be asked."""

_log = structlog.get_logger("tegami.serving")

Tell = Callable[[Mapping[Subject, int]], None]


class HeldAnswers:
    """Who waits in this process. Only the main loop adds and removes; `tell` gets the versions in the other thread."""

    def __init__(self, most: int, tell: Tell, retry: float = RETRY) -> None:
        self._most, self._tell, self._retry = most, tell, retry
        self._waits: dict[Connection, Wait] = {}
        self._of_player = Counter[str]()
        self._somebody = threading.Event()
        self._thread: threading.Thread | None = None
        self._told = set[tuple[str, ...]]()
        """The defects that are in the log."""

    def __len__(self) -> int:
        return len(self._waits)

    def has_room(self, player_id: str) -> bool:
        """Whether another answer to this player can be held."""
        return len(self._waits) < self._most and self._of_player[player_id] < OF_PLAYER

    def add(self, connection: Connection, wait: Wait) -> bool:
        """Hold an answer, if there is room."""
        if not self.has_room(wait.of):
            return False
        self._waits[connection] = wait
        self._of_player[wait.of] += 1
        if self._thread is None:  # after the fork, and not before somebody waits
            self._thread = threading.Thread(target=self._ask, name="held answers", daemon=True)
            self._thread.start()
        self._somebody.set()
        return True

    def remove(self, connection: Connection) -> None:
        """Hold the answer no more; nothing happens if it was not held."""
        wait = self._waits.pop(connection, None)
        if wait is not None:
            self._of_player[wait.of] -= 1
            if not self._of_player[wait.of]:
                del self._of_player[wait.of]

    def with_news(self, versions: Mapping[Subject, int]) -> list[Connection]:
        """Those that wait for something that has left the version in which it was answered, or is gone."""
        return [
            connection
            for connection, wait in self._waits.items()
            if wait.subject in versions and versions[wait.subject] != wait.version
        ]

    def _ask(self) -> None:
        while True:
            self._somebody.wait()
            waits = list(dict(self._waits).values())
            if not waits:
                self._somebody.clear()
                continue
            try:
                subjects = {wait.subject for wait in waits}
                self._tell({**dict.fromkeys(subjects, GONE), **waits[0].look(subjects)})
            except DATABASE_FAILURES:  # each request meets it again, and tells of it
                time.sleep(self._retry)
            except Exception as defect:  # noqa: BLE001 - whatever it is, the log says it once
                self._tell_of(defect)
                time.sleep(self._retry)
            time.sleep(ASK_EVERY)

    def _tell_of(self, defect: Exception) -> None:
        cause, at = cause_of(defect), places(defect)
        if (cause, *at) not in self._told:
            self._told.add((cause, *at))
            kind = type(defect).__name__
            _log.error("failing", task="held answers", cause=cause, error=kind, at=at)


GONE = -1
"""The version of what is not there any more."""
