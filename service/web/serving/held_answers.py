"""Responses without news that are held until there is news (polls/waiting.py), without a thread for each.

While anybody waits, the database is asked repeatedly, in one statement for all subjects, whether any of them has left
the version of its response. Apart from that query, everything happens in the event loop, step by step, so nobody can
begin to wait unnoticed between the last query and the end of the asking.
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
"""The most responses of one player that a process holds."""
ASK_EVERY = 0.08
"""The interval (seconds) of the query; a change is noticed at most so long after its commit."""
RETRY = 2.0
"""The interval (seconds) after a failed query."""

_log = structlog.get_logger("tegami.serving")


class HeldAnswers:
    """The held responses of this process."""

    def __init__(self, most: int, every: float = ASK_EVERY, retry: float = RETRY) -> None:
        self._most, self._every, self._retry = most, every, retry
        self._waits: dict[Subject, dict[asyncio.Event, Wait]] = {}
        self._of_player = Counter[str]()
        self._asking: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "held answers")
        self._told = set[tuple[str, ...]]()
        """The kinds of errors that have been logged."""

    def has_room(self, player_id: str) -> bool:
        """Whether another response to this player can be held; other threads may call this."""
        return self._of_player.total() < self._most and self._of_player[player_id] < OF_PLAYER

    async def hold(self, wait: Wait, news: asyncio.Event) -> bool:
        """Hold a response; returns True when there is news, or when the time is up, and False at once if there is no
        room.
        """
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
        """Ask repeatedly, until nobody waits."""
        loop = asyncio.get_running_loop()
        while self._waits:
            asked, pause = list(self._waits), self._every
            try:
                self._tell(asked, await loop.run_in_executor(self._thread, look, asked))
            except DATABASE_FAILURES:  # each request meets the error again, and reports it
                pause = self._retry
            except Exception as defect:  # noqa: BLE001 - whatever it is, the log says it once
                self._tell_of(defect)
                pause = self._retry
            await asyncio.sleep(pause)

    def _tell(self, asked: Iterable[Subject], versions: Mapping[Subject, int]) -> None:
        """Wake the requests whose subject has left the version of their response, or is gone.

        Requests that began to wait for another subject during the query are left to the next one.
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
