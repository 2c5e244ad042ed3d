"""One entry of a queue that is wrong, or slow, holds up none of the good ones: every queue of the server.

The bad ones are the oldest, and more than are looked at in one go. A new queue belongs here.
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from contextlib import ExitStack
from functools import partial
from typing import Any

import pytest

from service.core.models.receivers import PUSH, WEBHOOK
from service.core.runtime.units import DAY, MINUTE, SECOND
from service.notifications.mail_sending.sender import Sender, Shared
from service.notifications.receivers.courier import Courier
from service.operations.worker.daily_purge import DailyPurge
from service.operations.worker.deadlines import Deadlines
from service.operations.worker.loop import Worker, beside
from service.operations.worker.sending import Dispatcher, send_mails
from service.people.accounts.guests import GUESTS_KEPT
from tests.support.browsers import CREATED, Browser
from tests.support.cast import CARAVAN, Cast, Clock, sqlite_only
from tests.support.dump import execute
from tests.support.mail_kinds import KINDS, outcomes, write
from tests.support.post_office import HeldLetters, Letters
from tests.support.queueing import players, waiting_all
from tests.support.receiving import OK
from tests.support.rounds import alone
from tests.support.sending import deliver_all, send_all
from tests.support.servers.server import PATIENCE, wait_until
from tests.support.thinking import in_turn


class Queue(ABC):
    """One of the server's."""

    bad, good = 60, 20

    def __init__(self, cast: Cast, clock: Clock) -> None:
        self.app, self.cast, self.clock = cast.app, cast, clock
        self.services = cast.app.extensions["tegami"]

    @abstractmethod
    def fill(self) -> None:
        """The bad entries come first."""

    @abstractmethod
    def work(self) -> None:
        """Do what is due, while the bad ones are bad; return when the good ones are done, or nothing else can be."""

    @abstractmethod
    def done(self) -> int:
        """How many of the good ones are done."""


class WrongMails(Queue):
    """The renderer has a defect."""

    def fill(self) -> None:
        for number in range(self.bad):
            write(self.app, self.services, f"bad{number}", "broken", run_at=self.clock() - MINUTE)
        for number in range(self.good):
            write(self.app, self.services, f"good{number}")

    def work(self) -> None:
        with self.app.app_context():
            send_all(Sender(self.services, Letters(), KINDS))

    def done(self) -> int:
        found = outcomes(self.app).items()
        return sum(outcome == "sent" for key, outcome in found if key.startswith("good"))


class SlowMails(WrongMails):
    """The server of one domain does not take them, and does not refuse them."""

    def fill(self) -> None:
        for number in range(self.bad):
            to = {"address": f"bad{number}@slow.example", "run_at": self.clock() - MINUTE}
            write(self.app, self.services, f"bad{number}", **to)
        for number in range(self.good):
            write(self.app, self.services, f"good{number}", address=f"a@{number % 9}.example")

    def work(self) -> None:
        stop, go, shared = threading.Event(), threading.Event(), Shared(self.services, 4)
        with ExitStack() as threads:
            for _ in range(4):
                sender = Sender(
                    self.services, HeldLetters("@slow.example", go), KINDS, shared=shared
                )
                run = partial(send_mails, self.app, stop, sender, stop.wait)
                threads.enter_context(beside(stop, "sender", run))
            threads.callback(go.set)
            wait_until(lambda: self.done() == self.good, "the others to be sent")


class WrongWebhooks(Queue):
    """A message that cannot be worded, in each of them."""

    kind = WEBHOOK

    def fill(self) -> None:
        hosts = [f"https://bad{n}.example/" for n in range(self.bad)]
        bad = waiting_all(self.app, players(self.app, 12, "bad"), hosts)
        wrong = "UPDATE deliveries SET at = -62135596801000000 WHERE receiver_id = :of"
        for each in bad:
            execute(self.app, wrong, of=each)
        self.clock.forward(MINUTE)
        hosts = [f"https://good{n}.example/" for n in range(self.good)]
        waiting_all(self.app, players(self.app, 20, "good"), hosts)

    def work(self) -> None:
        with self.app.app_context():
            deliver_all(Courier(self.services, {self.kind: lambda _request: OK}))

    def done(self) -> int:
        query = (
            "SELECT count(*) FROM deliveries JOIN receivers ON id = receiver_id"
            " WHERE outcome = 'delivered' AND url LIKE '%good%'"
        )
        return int(execute(self.app, query)[0][0])


class SlowWebhooks(WrongWebhooks):
    """Hosts that accept everything and answer nothing."""

    def fill(self) -> None:
        super().fill()
        execute(self.app, "UPDATE deliveries SET at = 0")

    def work(self) -> None:
        stop, go = threading.Event(), threading.Event()

        def post(request: Any) -> Any:
            if "bad" in request.url:
                assert go.wait(PATIENCE)
            return OK

        courier = Courier(self.services, {self.kind: post})
        execute(self.app, "UPDATE receivers SET quick = (url LIKE 'https://good%')")
        run = partial(Dispatcher(self.app, courier, stop.wait).run, stop)
        with beside(stop, "courier", run):
            wait_until(lambda: self.done() == self.good, "the others to arrive")
            go.set()


class WrongBrowsers(WrongWebhooks):
    """Browsers for which nothing can be encrypted."""

    kind = PUSH
    good = 30

    def fill(self) -> None:
        Browser().subscribe(self.cast.alice)
        game_id = self.cast.start(CARAVAN)
        person, shown = self.cast.asked(game_id)
        while person is not self.cast.alice:
            person.answer(shown)
            person, shown = self.cast.asked(game_id)
        of = self.cast.alice.id
        query = "SELECT id FROM outbox WHERE kind = 'turn' AND done_at IS NULL AND player_id = :of"
        (mail,) = execute(self.app, query, of=of)
        same = {"kind": PUSH, "news": {"kind": "turn", "change": mail.id}}
        alice = [self.cast.alice.id]
        hosts = [f"https://push.example/{n}" for n in range(self.bad)]
        waiting_all(self.app, alice, hosts, keys={"p256dh": "x", "auth": "y"}, **same)
        self.clock.forward(SECOND)
        keys = Browser().subscription["keys"]
        hosts = [f"https://fcm.googleapis.com/good{n}" for n in range(self.good)]
        waiting_all(self.app, alice, hosts, keys=keys, **same)

    def work(self) -> None:
        with self.app.app_context():
            deliver_all(Courier(self.services, {self.kind: lambda _request: CREATED}))


class Games(Queue):
    """Games of which one has an event that collides with the next."""

    bad, good = 1, 8

    def fill(self) -> None:
        self.games = [self.open() for _ in range(self.bad + self.good)]
        broken = (
            "INSERT INTO events (game_key, number, body, digest, at)"
            " SELECT key, number + 1, '', seed, 0 FROM games WHERE id = :game"
        )
        for game in self.games[: self.bad]:
            execute(self.app, broken, game=game)

    @abstractmethod
    def open(self) -> str:
        """A new game."""


class HousePlayers(Games):
    """They are to move."""

    def open(self) -> str:
        return str(alone(self.cast)["id"])

    def work(self) -> None:
        worker = Worker(self.services, random.Random(3), in_turn())
        with self.app.app_context():
            for _ in range(3):
                worker.run_once()

    def done(self) -> int:
        shown = [self.cast.alice.game(each)["seats"] for each in self.games[self.bad :]]
        return sum(not any(each["house"] and each["waiting"] for each in seats) for seats in shown)


class TimeOuts(Games):
    """Time is over."""

    def open(self) -> str:
        return self.cast.start(CARAVAN, pace={"kind": "decision", "seconds": 60})

    def fill(self) -> None:
        super().fill()
        self.before = {each: self.numbers(each) for each in self.games}

    def numbers(self, game: str) -> int:
        return int(execute(self.app, "SELECT number FROM games WHERE id = :game", game=game)[0][0])

    def work(self) -> None:
        with self.app.app_context():
            deadlines = Deadlines(self.services)
            deadlines.beat()
            self.clock.forward(61 * SECOND)
            deadlines.meet_all()

    def done(self) -> int:
        return sum(self.numbers(each) > self.before[each] for each in self.games[self.bad :])


class Purge(Queue):
    """One kind of what expires cannot be deleted, and one guest."""

    good = 5

    def fill(self) -> None:
        bad, *good = players(self.app, 1 + self.good)
        refuse = "BEGIN SELECT RAISE(ABORT, 'no'); END"
        execute(self.app, f"CREATE TRIGGER a BEFORE DELETE ON outbox {refuse}")
        execute(
            self.app, f"CREATE TRIGGER b BEFORE UPDATE ON players WHEN old.id = '{bad}' {refuse}"
        )
        write(self.app, self.services, "old", run_at=0)
        self.guests = good

    def work(self) -> None:
        self.clock.forward(GUESTS_KEPT + DAY)
        execute(self.app, "INSERT INTO tallies (digest, count, ends_at) VALUES ('', 1, 0)")
        with self.app.app_context():
            DailyPurge(self.services).step()

    def done(self) -> int:
        assert execute(self.app, "SELECT 1 FROM tallies") == []
        assert len(execute(self.app, "SELECT 1 FROM outbox")) == 1
        left = {each.id for each in execute(self.app, "SELECT id FROM players")}
        return len(set(self.guests) - left)


QUEUES = [WrongMails, SlowMails, WrongWebhooks, SlowWebhooks, WrongBrowsers, HousePlayers, TimeOuts]


@pytest.mark.parametrize("kind", [*QUEUES, pytest.param(Purge, marks=sqlite_only)])
def test_bad_entries_hold_up_none_of_the_good_ones(cast, clock, kind):
    queue = kind(cast, clock)
    queue.fill()
    assert queue.done() == 0 or kind is Purge
    queue.work()
    assert queue.done() == queue.good
