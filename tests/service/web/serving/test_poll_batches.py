"""Polls that come together are looked up together, and each gets its own response."""

from __future__ import annotations

import asyncio
import threading

import pytest

from service.web.serving.poll_batches import PollBatches
from tests.support.interleaved import run
from tests.support.servers.server import PATIENCE


class Polls:
    """Responds with what was asked, once the test lets it; a number below zero is a defect."""

    takes_no_time = False

    def __init__(self):
        self.gate, self.asked = threading.Semaphore(0), []

    def unchanged(self, environ):
        """The same as that of `IdlePolls`."""
        assert self.gate.acquire(timeout=PATIENCE)
        self.asked.append(environ["n"])
        if environ["n"] < 0:
            raise LookupError
        return environ["n"] and [("ETag", str(environ["n"]))]


def test_all_that_come_meanwhile_are_asked_for_in_one_go():
    async def ask():
        polls = Polls()
        batches = PollBatches(polls)
        asking = [asyncio.ensure_future(batches.unchanged({"n": n})) for n in range(3)]
        await asyncio.sleep(0)
        gone = asyncio.ensure_future(batches.unchanged({"n": 9}))
        await asyncio.sleep(0)
        gone.cancel()
        polls.gate.release(9)
        assert await asyncio.gather(*asking) == [0, [("ETag", "1")], [("ETag", "2")]]
        assert await batches.unchanged({"n": 4}) == [("ETag", "4")]
        with pytest.raises(LookupError):
            await batches.unchanged({"n": -1})
        assert await batches.unchanged({"n": 5}) == [("ETag", "5")]
        assert polls.asked == [0, 1, 2, 9, 4, -1, 5]

    run(ask)
