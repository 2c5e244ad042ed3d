"""Answers without news that are held until there are some (polls/waiting.py), without a thread for each.

While anybody waits, the database is asked again and again, in one statement for all that is waited for, whether
anything has left the version in which it was answered. All but that question happens in the event loop, one step after
the other: nobody can begin to wait unseen between the last look at who waits and the end of the asking.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor

import structlog

from service.core.database.failures import DATABASE_FAILURES, cause_of
from service.core.runtime.log_files import places
from service.web.http.polls.waiting import Subject, Versions, Wait

OF_PLAYER = 8
"""Answers of one player that a process holds."""
ASK_EVERY = 0.08
"""Seconds between two questions to the database: how much later than its commit somebody learns of a change."""
RETRY = 2.0
"""The same when the database could not be asked."""

_log = structlog.get_logger("tegami.serving")


class HeldAnswers:
    """Who waits in this process."""

    def __init__(self, most: int, every: float = ASK_EVERY, retry: float = RETRY) -> None:
        self._most, self._every, self._retry = most, every, retry
        self._waits: dict[Subject, dict[asyncio.Event, Wait]] = {}
        self._of_player = Counter[str]()
        self._asking: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "held answers")
        self._told = set[tuple[str, ...]]()
        """The defects that are in the log."""

    def has_room(self, player_id: str) -> bool:
        """Whether another answer to this player can be held; threads may ask."""
        return self._of_player.total() < self._most and self._of_player[player_id] < OF_PLAYER

    async def hold(self, wait: Wait, news: asyncio.Event) -> bool:
        """Return when there are `news`, or when the time is over; at once, and false, if there is no room."""
        if not self.has_room(wait.of):
            return False
        self._waits.setdefault(wait.subject, {})[news] = wait
        self._of_player[wait.of] += 1
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask(wait.look))
        try:
            async with asyncio.timeout(wait.seconds):
                await news.wait()
        except TimeoutError:
            pass
        finally:
            self._remove(wait, news)
        return True

    def _remove(self, wait: Wait, news: asyncio.Event) -> None:
        alike = self._waits[wait.subject]
        del alike[news]
        if not alike:
            del self._waits[wait.subject]
        self._of_player[wait.of] -= 1
        if not self._of_player[wait.of]:
            del self._of_player[wait.of]

    async def _ask(self, look: Versions) -> None:
        """Ask again and again, until nobody waits."""
        loop = asyncio.get_running_loop()
        while self._waits:
            asked, pause = list(self._waits), self._every
            try:
                self._tell(asked, await loop.run_in_executor(self._thread, look, asked))
            except DATABASE_FAILURES:  # each request meets it again, and tells of it
                pause = self._retry
            except Exception as defect:  # noqa: BLE001 - whatever it is, the log says it once
                self._tell_of(defect)
                pause = self._retry
            await asyncio.sleep(pause)

    def _tell(self, asked: Iterable[Subject], versions: Mapping[Subject, int]) -> None:
        """Wake those that wait for something that has left the version in which it was answered, or is gone.

        Who began to wait for something else during the question is left to the next one.
        """
        for subject in asked:
            version = versions.get(subject)
            for news, wait in self._waits.get(subject, {}).items():
                if wait.version != version:
                    news.set()

    def _tell_of(self, defect: Exception) -> None:
        cause, at = cause_of(defect), places(defect)
        if (cause, *at) not in self._told:
            self._told.add((cause, *at))
            kind = type(defect).__name__
            _log.error("failing", task="held answers", cause=cause, error=kind, at=at)
