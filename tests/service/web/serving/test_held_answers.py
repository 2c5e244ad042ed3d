"""Waiting requests are woken whatever happens in between: every interleaving is made, none is left to chance."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future

import pytest

from service.core.runtime import log_files
from service.web.http.polls.waiting import Subject, Wait
from service.web.serving.application import Serving
from service.web.serving.connections import Connection
from service.web.serving.held_answers import OF_PLAYER, HeldAnswers
from tests.support.interleaved import interleaved
from tests.support.servers.server import PATIENCE

ONE, TWO = Subject("game", "one"), Subject("game", "two")


class Questions:
    """Questions to the database; the test answers each when it likes."""

    def __init__(self):
        self.asked = asyncio.Queue()
        self._loop = asyncio.get_running_loop()

    def __call__(self, subjects):
        """Ask, in the thread of the caller."""
        answer = Future()
        self._loop.call_soon_threadsafe(self.asked.put_nowait, (set(subjects), answer))
        return answer.result(PATIENCE)

    async def next(self, *subjects):
        """The next question, which is about these; calling the result answers it."""
        found, answer = await asyncio.wait_for(self.asked.get(), PATIENCE)
        assert found == set(subjects)
        return answer.set_result


class Waiting:
    """Held responses, with version 1 of what they wait for."""

    def __init__(self, most=10):
        self.held, self.look = HeldAnswers(most, every=0, retry=0), Questions()

    def begin(self, subject=ONE, of="p", seconds=PATIENCE):
        """Begin to wait, as far as a coroutine gets in one step."""
        news = asyncio.Event()
        wait = Wait(subject, 1, seconds, of, self.look)
        return asyncio.ensure_future(self.held.hold(wait, news)), news


@interleaved
async def test_who_waits_is_woken_by_the_next_version():
    waiting = Waiting()
    one, _ = waiting.begin()
    (await waiting.look.next(ONE))({ONE: 1})
    answer = await waiting.look.next(ONE)
    assert not one.done()
    answer({ONE: 2})
    assert await one


@interleaved
async def test_what_is_gone_wakes_too():
    waiting = Waiting()
    one, _ = waiting.begin()
    (await waiting.look.next(ONE))({})
    assert await one


@interleaved
async def test_who_begins_during_a_question_is_in_the_next_one():
    """An answer that does not mention them does not wake them."""
    waiting = Waiting()
    one, _ = waiting.begin(ONE)
    answer = await waiting.look.next(ONE)
    two, _ = waiting.begin(TWO)
    await asyncio.sleep(0)
    answer({ONE: 2})
    assert await one
    answer = await waiting.look.next(TWO)
    assert not two.done()
    answer({TWO: 2})
    assert await two


@interleaved
async def test_who_begins_during_the_last_question_is_not_forgotten():
    """All others have gone when it is answered."""
    waiting = Waiting()
    one, news = waiting.begin()
    answer = await waiting.look.next(ONE)
    news.set()
    assert await one
    two, _ = waiting.begin()
    answer({ONE: 1})
    (await waiting.look.next(ONE))({ONE: 2})
    assert await two


@pytest.mark.parametrize("steps", range(12))
def test_who_begins_at_any_step_of_the_end_is_not_forgotten(steps):
    """The last one goes, the asking ends some steps of the loop later, and somebody begins in between or after."""

    @interleaved
    async def begin_after():
        waiting = Waiting()
        one, news = waiting.begin()
        answer = await waiting.look.next(ONE)
        news.set()
        assert await one
        answer({ONE: 1})
        for _ in range(steps):
            await asyncio.sleep(0)
        two, _ = waiting.begin()
        (await waiting.look.next(ONE))({ONE: 2})
        assert await two

    begin_after()


@pytest.mark.parametrize("happened", ["has_more", "has_ended"])
def test_what_happened_while_the_application_was_asked_ends_the_wait(happened):
    """There was nobody to wake yet: a client that has sent more, or nothing more, gets a response at once."""

    @interleaved
    async def hold():
        waiting = Waiting()
        serving, connection = object.__new__(Serving), object.__new__(Connection)
        serving._held, connection.wake = waiting.held, None
        connection.has_more = connection.has_ended = False
        setattr(connection, happened, True)
        wait = Wait(ONE, 1, PATIENCE, "p", waiting.look)
        assert not await asyncio.wait_for(serving._is_held(wait, connection), PATIENCE / 2)

    hold()


@interleaved
async def test_nothing_is_asked_while_nobody_waits():
    before, waiting = asyncio.all_tasks(), Waiting()
    one, _ = waiting.begin()
    (await waiting.look.next(ONE))({ONE: 2})
    assert await one
    for _ in range(50):
        await asyncio.sleep(0)
    assert waiting.look.asked.empty()
    assert asyncio.all_tasks() == before


@interleaved
async def test_without_news_the_time_ends_the_wait():
    waiting = Waiting()
    one, _ = waiting.begin(seconds=0.01)
    (await waiting.look.next(ONE))({ONE: 1})
    assert await one


@interleaved
async def test_a_process_holds_so_many_answers_and_not_more():
    waiting = Waiting(most=10)
    room = [waiting.held.has_room("x")]
    held = [waiting.begin(of=f"p{n}") for n in range(10)]
    await asyncio.sleep(0)
    room.append(waiting.held.has_room("x"))
    assert not await waiting.begin(of="x")[0]
    for one, news in held:
        news.set()
        assert await one
    room.append(waiting.held.has_room("x"))
    assert room == [True, False, True]
    (await waiting.look.next(ONE))({})


@interleaved
async def test_one_player_does_not_take_the_room_of_all():
    waiting = Waiting(most=100)
    held = [waiting.begin(of="p") for _ in range(OF_PLAYER)]
    await asyncio.sleep(0)
    assert (waiting.held.has_room("p"), waiting.held.has_room("q")) == (False, True)
    (await waiting.look.next(ONE))({ONE: 2})
    for one, _ in held:
        assert await one
    assert waiting.held.has_room("p")


def test_a_defect_in_looking_is_in_the_log_once(capfd):
    """No waiting client can tell: they would get their responses late, and nothing would say why."""
    log_files.set_up()
    looked = []

    def look(_):
        looked.append(1)
        raise LookupError

    @interleaved
    async def fail():
        held, news = HeldAnswers(10, every=0, retry=0), asyncio.Event()
        one = asyncio.ensure_future(held.hold(Wait(ONE, 1, 30, "p", look), news))
        while len(looked) < 3:
            await asyncio.sleep(0)
        news.set()
        assert await one

    fail()
    (line,) = map(json.loads, capfd.readouterr().err.splitlines())
    told = {name: line[name] for name in ("event", "task", "cause", "error")}
    assert told == {
        "event": "failing",
        "task": "held answers",
        "cause": "LookupError",
        "error": "LookupError",
    }
