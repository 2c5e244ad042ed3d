"""The worker's threads for webhooks: a slow receiver delays nobody else."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from service.notifications.receivers.guarded_post import PostOutcome
from service.operations.worker.loop import beside
from service.operations.worker.sending import AT_ONCE, IDLE_WAIT, Dispatcher
from tests.support.cast import CARAVAN
from tests.support.receiving import PATH, Receiver, deliveries, made
from tests.support.servers.server import PATIENCE, wait_until


def sending_webhooks(app, stop, receiver):
    """The worker's threads send to this receiver during this context."""
    dispatcher = Dispatcher(app, receiver.courier, stop.wait)
    return beside(stop, "courier", partial(dispatcher.run, stop))


class Slow(Receiver):
    """Some hosts respond only when they are told to."""

    def __init__(self, app, slow):
        super().__init__(app)
        self.slow, self.go, self.lock = slow, threading.Event(), threading.Lock()
        self.waiting = 0
        self.most = 0

    def post(self, request):
        if self.slow in request.url:
            with self.lock:
                self.waiting += 1
                self.most = max(self.most, self.waiting)
            assert self.go.wait(PATIENCE)
            with self.lock:
                self.waiting -= 1
        self.got.append(request)
        return PostOutcome(status=204)


def test_slow_hosts_hold_up_no_other(app, cast):
    receiver, stop = Slow(app, "slow"), threading.Event()
    slow = [made(cast.alice, f"https://slow{n}.example/") for n in range(3)]
    quick = [made(cast.bob, "https://quick.example/"), made(cast.carol, "https://fast.example/")]
    for person, each in [(cast.alice, each) for each in slow] + [(cast.bob, quick[0])]:
        cast_path = f"{PATH}/{each['id']}/ping"
        person.post(cast_path, status=202)
    with sending_webhooks(app, stop, receiver):
        wait_until(lambda: receiver.waiting and receiver.got, "quick ones to arrive")
        cast.carol.post(f"{PATH}/{quick[1]['id']}/ping", status=202)
        wait_until(lambda: len(receiver.got) == 2, "the other one")
        assert receiver.most == 1  # one player's slow hosts take one thread
        receiver.go.set()
        wait_until(lambda: len(receiver.got) == 5, "all")
    assert [deliveries(cast.alice, each)[0]["state"] for each in slow] == ["delivered"] * 3


@pytest.mark.both_databases
def test_a_change_is_sent_without_being_asked_for(app, cast):
    receiver, stop = Receiver(app), threading.Event()
    made(cast.bob, kinds=["turn"])
    with sending_webhooks(app, stop, receiver):
        cast.start(CARAVAN)
        wait_until(lambda: receiver.got, "the message")


def test_what_is_under_way_is_finished_at_the_end(app, cast):
    receiver, stop = Slow(app, "slow"), threading.Event()
    webhook = made(cast.bob, "https://slow.example/")
    cast.bob.post(f"{PATH}/{webhook['id']}/ping", status=202)
    with sending_webhooks(app, stop, receiver):
        wait_until(lambda: receiver.waiting, "the receiver to be asked")
        stop.set()
        receiver.go.set()
    assert deliveries(cast.bob, webhook)[0]["state"] == "delivered"


def test_without_a_courier_there_is_no_thread():
    before = threading.active_count()
    with beside(threading.Event(), "courier", None):
        assert threading.active_count() == before
    assert AT_ONCE > 1 and IDLE_WAIT <= 1
