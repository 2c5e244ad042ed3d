"""Queues of messages whose oldest entries are bad: wrong, or slow. Other queues with bad entries are made like them."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from contextlib import ExitStack
from functools import partial
from typing import Any

from service.core.models.receivers import PUSH, WEBHOOK
from service.core.runtime.units import MINUTE, SECOND
from service.notifications.mail_sending.sender import Sender, Shared
from service.notifications.receivers.courier import Courier
from service.operations.worker.loop import beside
from service.operations.worker.sending import Dispatcher, send_mails
from tests.support.browsers import CREATED, Browser
from tests.support.cast import CARAVAN, Cast, Clock
from tests.support.dump import execute
from tests.support.mail_kinds import KINDS, outcomes, write
from tests.support.post_office import HeldLetters, Letters
from tests.support.queueing import players, waiting_all
from tests.support.receiving import OK
from tests.support.sending import deliver_all, send_all
from tests.support.servers.server import PATIENCE, wait_until


class Queue(ABC):
    """A queue of the server."""

    bad, good = 60, 20

    def __init__(self, cast: Cast, clock: Clock) -> None:
        self.app, self.cast, self.clock = cast.app, cast, clock
        self.services = cast.app.extensions["tegami"]

    @abstractmethod
    def fill(self) -> None:
        """Add entries, the bad ones first."""

    @abstractmethod
    def work(self) -> None:
        """Do what is due while the bad entries are bad; return when the good ones are done, or nothing else can be."""

    @abstractmethod
    def done(self) -> int:
        """The number of good entries that are done."""


class WrongMails(Queue):
    """Mails with a defect in the renderer."""

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
    """Mails to a domain whose server neither accepts nor refuses them."""

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
    """Webhooks, each with a message that cannot be worded."""

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
