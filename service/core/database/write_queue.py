"""The queue in which the writers of a process wait for SQLite, which lets one write at a time.

Batches that wait at the same moment share one commit: a durable commit spends nearly all its time waiting for the
disk, however much it writes.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import Engine

from service.core.database.batches import PATIENCE, Text, send
from service.core.database.failures import DATABASE_FAILURES, CommitUnknown
from service.core.database.lock_patience import lock_seconds


class Place:
    """A writer's place in the queue."""

    def __init__(self, texts: Sequence[Text] | None = None) -> None:
        self.texts = texts
        """The statements that another writer may commit along with its own; None: a transaction, which writes alone."""
        self.is_first = False
        """Whether it is this writer's turn, so that it has to hand on the turn afterwards."""
        self.is_sent = False
        """Whether another writer has sent its statements."""
        self.failure: Exception | None = CommitUnknown()
        """Why the writer's changes are not committed; unknown if the writer that sends them breaks off."""
        self.turn = threading.Lock()
        """A lock that the waiting writer acquires; releasing it ends the wait."""
        self.turn.acquire()


class WriteQueue:
    """The writers of one database in this process.

    No writer waits for the others for longer than `patience` seconds.
    """

    def __init__(self, patience: float = PATIENCE) -> None:
        self.patience = patience
        self._lock = threading.Lock()
        self._is_taken = False
        self.waiting = deque[Place]()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """A block during which this transaction has its turn to write."""
        place = Place()
        self._wait(place)
        try:
            yield
        finally:
            self._hand_on(place)

    def send(self, engine: Engine, texts: Sequence[Text]) -> None:
        """Send statements like `batches.send`, possibly in one commit with those of others.

        If any of them fails, each writer gets a separate commit.
        """
        place = Place(texts)
        self._wait(place)
        if not place.is_sent:
            group = [place]
            try:
                self._send_together(engine, group)
            finally:
                for each in group[1:]:
                    each.is_sent = True
                    each.turn.release()
                self._hand_on(place)
        if place.failure:
            raise place.failure

    def _wait(self, place: Place) -> None:
        """Wait until it is this writer's turn, or another writer has sent its statements.

        A writer that has waited too long tries anyway, and learns from SQLite what is wrong.
        """
        with self._lock:
            if not self._is_taken:
                self._is_taken = place.is_first = True
                return
            self.waiting.append(place)
        if place.turn.acquire(timeout=lock_seconds(self.patience)):
            return
        with self._lock:
            if place in self.waiting:
                self.waiting.remove(place)
                return
        place.turn.acquire()  # it is being called at this moment, or was sent

    def _hand_on(self, place: Place) -> None:
        """Let the next writer write."""
        if not place.is_first:
            return
        with self._lock:
            following = self.waiting.popleft() if self.waiting else None
            self._is_taken = following is not None
        if following:
            following.is_first = True
            following.turn.release()

    def _send_together(self, engine: Engine, group: list[Place]) -> None:
        """Send the statements of the only writer in `group`, and of all batches that wait when it has SQLite's lock."""

        def texts() -> list[Text]:
            if group[0].is_first:
                with self._lock:
                    group.extend(each for each in self.waiting if each.texts is not None)
                    self.waiting = deque(each for each in self.waiting if each.texts is None)
            return [text for each in group for text in each.texts or ()]

        try:
            send(engine, texts)
        except DATABASE_FAILURES as error:  # it would fail again
            for each in group:
                each.failure = error
        except Exception as error:  # noqa: BLE001 - raised in the thread to which it belongs
            group[0].failure = error
            if len(group) > 1:
                _send_one_by_one(engine, group)
        else:
            for each in group:
                each.failure = None


def _send_one_by_one(engine: Engine, group: Sequence[Place]) -> None:
    """Send the statements of each writer in a separate commit, after one failure has undone those of all."""
    for each in group:
        texts, each.failure = each.texts or (), None
        try:
            send(engine, lambda: texts)  # noqa: B023 - called at once
        except Exception as error:  # noqa: BLE001 - raised in the thread to which it belongs
            each.failure = error
