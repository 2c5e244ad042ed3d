"""Idle polls whose statement takes a while, because the database is another process: many are asked together, in one
thread.

Handing each poll to a thread and back would cost more than answering it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from wsgiref.types import WSGIEnvironment

from service.web.http.polls.idle_poll import IdlePolls

Told = list[tuple[str, str]] | None
"""The result of `IdlePolls.unchanged`."""


class PollBatches:
    """The batches of idle polls: `polls` is asked for all requests that arrive while it is busy with others."""

    def __init__(self, polls: IdlePolls) -> None:
        self._polls = polls
        self._thread = ThreadPoolExecutor(1, "idle polls")
        self._waiting: list[tuple[WSGIEnvironment, asyncio.Future[Told]]] = []
        self._asking: asyncio.Task[None] | None = None

    async def unchanged(self, environ: WSGIEnvironment) -> Told:
        """The result of `IdlePolls.unchanged` for this request, at once if that takes no time."""
        if self._polls.takes_no_time:
            return self._polls.unchanged(environ)
        told: asyncio.Future[Told] = asyncio.get_running_loop().create_future()
        self._waiting.append((environ, told))
        if self._asking is None or self._asking.done():
            self._asking = asyncio.create_task(self._ask())
        return await told

    async def _ask(self) -> None:
        """Ask repeatedly, until nobody waits."""
        loop = asyncio.get_running_loop()
        while self._waiting:
            asked, self._waiting = self._waiting, []
            environs = [environ for environ, _ in asked]
            try:
                told = await loop.run_in_executor(self._thread, self._all, environs)
            except Exception as defect:  # noqa: BLE001 - whoever asked meets it
                told = [defect] * len(asked)
            for (_, future), each in zip(asked, told, strict=True):
                if future.done():
                    continue  # the client is gone
                if isinstance(each, Exception):
                    future.set_exception(each)
                else:
                    future.set_result(each)

    def _all(self, environs: list[WSGIEnvironment]) -> list[Told | Exception]:
        return [self._polls.unchanged(environ) for environ in environs]
