"""The order in which receivers are served: no slow, silent or wrong host, player, name or message delays others."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from functools import partial

import pytest

from service.core.counts.attempt_counts import Attempt
from service.core.models.receivers import PUSH, WEBHOOK
from service.core.runtime.units import HOUR, MINUTE, SECOND
from service.notifications.receivers import delivery_budgets as budgets
from service.notifications.receivers import next_deliveries, receivers
from service.notifications.receivers.courier import AT_AN_ADDRESS, LEFT_ALONE, Courier
from service.notifications.receivers.deliveries import DOWN_AFTER
from service.notifications.receivers.guarded_post import PostOutcome, Request
from service.notifications.retries import RETRY_DELAYS
from service.operations.worker.loop import beside
from service.operations.worker.sending import AT_ONCE, Dispatcher
from tests.support.cast import CARAVAN
from tests.support.dump import execute
from tests.support.queueing import add, players, spent, waiting
from tests.support.receiving import DOWN, OK, Receiver, made
from tests.support.servers.server import PATIENCE, wait_until

REFUSED = PostOutcome(status=500)
CUT = PostOutcome(error="timeout", cut=True)
QUICK = {"quick": True, "delivered_at": 1}
KNOWN = {"delivered_at": 1}


class Silent(Receiver):
    """Some of its hosts do not respond before they are told to."""

    def __init__(self, app, *kinds):
        super().__init__(app)
        self.courier = Courier(
            app.extensions["tegami"], dict.fromkeys(kinds or (WEBHOOK,), self.post)
        )
        self.go, self.waiting = threading.Event(), set()

    def post(self, request: Request) -> PostOutcome:
        request.begin("93.184.215.14" if "same" in request.url else "93.184.215.15")
        if "silent" in request.url:
            self.waiting.add(request.url)
            assert self.go.wait(PATIENCE)
        self.got.append(request)
        return OK

    @contextmanager
    def sending(self):
        stop = threading.Event()
        run = partial(Dispatcher(self.app, self.courier, stop.wait).run, stop)
        with beside(stop, "courier", run):
            try:
                yield
            finally:
                self.go.set()


def urls(receiver):
    return [each.url for each in receiver.got]


def due(app, *, quick=False, most=50, busy=()):
    with app.app_context():
        now = app.extensions["tegami"].now()
        return next_deliveries.due(now, [WEBHOOK, PUSH], quick=quick, most=most, busy=busy)


@pytest.fixture
def crowd(app, clock):
    """More deliveries to one silent host than any query finds at a time, all of which have waited longer."""
    for player in players(app, 24):
        for number in range(5):
            waiting(app, player, f"https://silent.example/{number}")
    clock.forward(MINUTE)
    waiting(app, *players(app, 1, "good"), "https://good.example/")


@pytest.mark.both_databases
def test_a_silent_host_holds_up_no_other_however_many_wait_for_it(app, crowd):
    receiver = Silent(app)
    with receiver.sending():
        wait_until(lambda: urls(receiver) == ["https://good.example/"], "the good one")
        wait_until(lambda: len(receiver.waiting) == 1, "one at the silent host")


@pytest.mark.parametrize("kind", [WEBHOOK, PUSH])
def test_what_is_busy_is_left_out_before_anything_is_counted_off(app, crowd, kind):
    execute(app, "UPDATE receivers SET kind = :kind", kind=kind)
    found = due(app, most=2)
    assert sorted(each.host for each in found) == ["good.example:443", "silent.example:443"]
    busy = [each for each in found if each.host.startswith("silent")]
    assert [each.host for each in due(app, most=1, busy=busy)] == ["good.example:443"]


def test_silent_hosts_of_all_kinds_leave_threads_to_those_that_answer(app, clock):
    """There are at least as many such hosts and players as there are threads."""
    receiver = Silent(app)
    for number, player in enumerate(players(app, 3 * AT_ONCE)):
        waiting(app, player, f"https://silent{number}.example/")
    clock.forward(MINUTE)
    waiting(app, *players(app, 1, "good"), "https://good.example/", **QUICK)
    with receiver.sending():
        wait_until(lambda: urls(receiver) == ["https://good.example/"], "the good one")
        assert len(receiver.waiting) <= AT_ONCE


def test_an_address_is_dialled_a_few_times_at_once_whatever_its_names_are(app, clock):
    receiver = Silent(app)
    for number, player in enumerate(players(app, 12)):
        waiting(app, player, f"https://silent-same{number}.example/", **QUICK)
    clock.forward(MINUTE)
    waiting(app, *players(app, 1, "good"), "https://good.example/", **QUICK)
    with receiver.sending():
        wait_until(lambda: urls(receiver) == ["https://good.example/"], "the good one")
        wait_until(lambda: len(receiver.waiting) == AT_AN_ADDRESS, "as many as may")
    clock.forward(LEFT_ALONE)
    receiver.fetch()
    assert len(set(urls(receiver))) == 13


@pytest.mark.both_databases
def test_players_take_turns(app, clock):
    """A player with twenty waiting messages is not served a second time before a player with one."""
    receiver = Receiver(app)
    many, few = players(app, 2)
    waiting(app, many, "https://many.example/", *[{}] * 20)
    clock.forward(MINUTE)
    waiting(app, few, "https://few.example/")
    order = []
    for _ in range(3):
        found = next(each for quick in (True, False) for each in due(app, quick=quick, most=1))
        with app.app_context():
            receiver.courier.claim_and_send(found.delivery)
        execute(app, "UPDATE receivers SET quick = false")
        order.append(found.player_id)
        clock.forward(SECOND)
    assert order == [many, few, many]


@pytest.mark.both_databases
def test_of_a_host_and_for_a_player_one_is_under_way_in_all_workers_together(app):
    one, two, three = players(app, 3)
    waiting(app, one, "https://a.example/", {}, {})
    waiting(app, two, "https://A.example:443/")
    waiting(app, two, "https://b.example/")
    waiting(app, three, "https://c.example/")
    found = {each.host: each for each in due(app)}
    assert len({each.player_id for each in found.values()}) == len(due(app)) == len(found)
    assert {"a.example:443", "c.example:443"} <= found.keys()
    taken = found["a.example:443"]
    claimed = "UPDATE deliveries SET lease_until = 9999999999999 WHERE receiver_id = :of"
    execute(app, claimed, of=taken.delivery.receiver_id)
    left = due(app)
    assert "a.example:443" not in {each.host for each in left}
    assert taken.player_id not in {each.player_id for each in left}


@pytest.mark.both_databases
@pytest.mark.parametrize("answer", [REFUSED, CUT], ids=["refused", "cut"])
def test_a_message_that_always_fails_holds_back_only_itself(app, clock, answer):
    receiver = Receiver(app)
    (player,) = players(app, 1)
    games = [None, *(f"g_{n:020}" for n in range(9))]
    bot = waiting(app, player, "https://bot.example/", *({"game": each} for each in games))
    receiver.post = lambda request: poison(receiver, request, answer)
    receiver.courier = Courier(app.extensions["tegami"], {WEBHOOK: receiver.post})
    receiver.fetch()
    assert numbers(receiver) == [1, *range(2, 11)]
    for tries, delay in enumerate(RETRY_DELAYS, 2):
        clock.forward(delay)
        receiver.fetch()
        assert numbers(receiver).count(1) == tries
        add(app, bot, {})
        receiver.fetch()
        assert numbers(receiver)[-1] == 9 + tries


def poison(receiver, request, answer):
    """A receiver that never accepts the first message."""
    receiver.got.append(request)
    return answer if json.loads(request.body)["data"]["sequence"] == 1 else OK


def numbers(receiver):
    return [json.loads(each.body)["data"]["sequence"] for each in receiver.got]


@pytest.mark.both_databases
def test_within_a_game_order_is_kept_until_something_has_failed_twice(app, clock):
    receiver = Receiver(app)
    (player,) = players(app, 1)
    same, other = {"game": "g_same"}, {"game": "g_other"}
    waiting(app, player, "https://bot.example/", same, same, other)
    receiver.answers.append(REFUSED)
    receiver.fetch()
    assert numbers(receiver) == [1, 3]
    receiver.answers.append(REFUSED)
    clock.forward(RETRY_DELAYS[0])
    receiver.fetch()
    assert numbers(receiver) == [1, 3, 1, 2]


def test_whoever_refuses_everything_is_asked_for_a_few_and_left_alone(app, clock):
    receiver = Receiver(app)
    (player,) = players(app, 1)
    waiting(app, player, "https://bot.example/", *[{}] * 20)
    receiver.usually = REFUSED
    receiver.fetch()
    assert len(receiver.got) == DOWN_AFTER
    clock.forward(RETRY_DELAYS[0])
    receiver.fetch()
    assert len(receiver.got) == DOWN_AFTER + 1
    receiver.usually = OK
    clock.forward(HOUR)
    receiver.fetch()
    assert len(set(numbers(receiver))) == 20


def test_whoever_is_out_of_reach_is_asked_for_one(app, clock):
    receiver = Receiver(app)
    (player,) = players(app, 1)
    waiting(app, player, "https://bot.example/", *[{}] * 20)
    receiver.usually = DOWN
    receiver.fetch()
    assert len(receiver.got) == 1


def test_a_defect_in_a_message_is_no_failure_of_its_receiver(app, clock):
    receiver = Receiver(app)
    (player,) = players(app, 1)
    waiting(
        app, player, "https://bot.example/", {"kind": "turn", "game": "g", "change": 2**31 - 1}, {}
    )
    execute(app, "UPDATE deliveries SET at = -62135596801000000 WHERE sequence = 1")
    receiver.fetch()
    assert numbers(receiver) == [2]
    assert [
        tuple(each) for each in execute(app, "SELECT failures, failing_since FROM receivers")
    ] == [(0, None)]


@pytest.mark.both_databases
def test_changes_that_cannot_be_spread_hold_up_no_other_receiver(app, cast):
    """The row of one receiver contradicts itself: the others are notified as usual."""
    receiver = Receiver(app)
    webhooks = sorted(
        (made(each, f"https://{each.name.lower()}.example/") for each in (cast.alice, cast.bob)),
        key=lambda each: each["id"],
    )
    execute(
        app,
        "INSERT INTO deliveries (receiver_id, sequence, kind, at, since, run_at, lease_until,"
        " claims, tries) VALUES (:id, 1, 'ping', 0, 0, 9999999999999, 0, 0, 0)",
        id=webhooks[0]["id"],
    )
    cast.start(CARAVAN)
    receiver.fetch()
    assert {each.url for each in receiver.got} == {webhooks[1]["url"]}


def spend(app, receiver_id):
    """Whether something may be sent to it."""
    services = app.extensions["tegami"]
    with app.app_context():
        found = receivers.find(receiver_id)
        return budgets.spend(services, found).until is None


@pytest.mark.both_databases
def test_what_one_player_has_sent_to_a_host_uses_up_nobody_elses_share(app):
    greedy, other = players(app, 2)
    mine = waiting(app, greedy, "https://bot.example/", **KNOWN)
    theirs = waiting(app, other, "https://bot.example/b", **KNOWN)
    spent(app, Attempt(budgets.SHARE, f"{greedy} bot.example"), budgets.SHARE.most)
    assert (spend(app, mine), spend(app, theirs)) == (False, True)


@pytest.mark.both_databases
def test_where_others_have_used_up_all_who_was_reached_keeps_a_little(app):
    new, known = players(app, 2)
    ours = [
        waiting(app, new, "https://bot.example/"),
        waiting(app, known, "https://bot.example/", **KNOWN),
    ]
    spent(app, Attempt(budgets.HOST, "bot.example"), budgets.HOST.most)
    assert [spend(app, each) for each in ours] == [False, True]
    assert sum(spend(app, ours[1]) for _ in range(budgets.KEPT.most)) == budgets.KEPT.most - 1


@pytest.mark.parametrize("kind", [WEBHOOK, PUSH])
def test_new_receivers_of_a_player_at_a_host_get_less(app, kind):
    """The receivers of another player there are notified in any case."""
    eager, other = players(app, 2)
    mine = [
        waiting(app, eager, f"https://bot.example/{n}", kind=kind, keys={})
        for n in range(budgets.UNKNOWN_SHARE.most + 3)
    ]
    theirs = waiting(app, other, "https://bot.example/b", kind=kind, keys={})
    assert sum(spend(app, each) for each in mine) == budgets.UNKNOWN_SHARE.most
    assert spend(app, theirs)


def test_one_proposal_is_not_told_to_ninety_browsers_of_a_host(app):
    """Nine people with ten browsers each, at a host that is no push service."""
    ids = [
        waiting(app, each, f"https://victim.example/{n}", kind=PUSH, keys={})
        for each in players(app, 9)
        for n in range(10)
    ]
    assert sum(spend(app, each) for each in ids) == budgets.UNKNOWN_PUSHED.most < len(ids)


@pytest.mark.parametrize("host", ["fcm.googleapis.com", "wns2-db5p.notify.windows.com"])
def test_the_push_services_of_everybody_have_no_budget_of_a_host(app, host):
    (player,) = players(app, 1)
    browser = waiting(app, player, f"https://{host}/x", kind=PUSH, keys={})
    webhook = waiting(app, player, f"https://{host}/x")
    spent(app, Attempt(budgets.HOST, host), budgets.HOST.most)
    assert (spend(app, browser), spend(app, webhook)) == (True, False)


@pytest.mark.both_databases
def test_an_address_has_a_budget_whatever_its_names_are(app, clock):
    """The count for the name is given back, and the receiver waits until the hour is over."""
    receiver = Silent(app)
    (player,) = players(app, 1)
    one = waiting(app, player, "https://one.example/", **KNOWN)
    spent(app, Attempt(budgets.SHARE, f"{player} address 93.184.215.15"), budgets.SHARE.most)
    receiver.fetch()
    assert receiver.got == []
    (held,) = execute(app, "SELECT held_until FROM receivers WHERE id = :id", id=one)
    assert held.held_until == clock() + budgets.SHARE.window
    counted = execute(
        app, "SELECT count FROM tallies WHERE count NOT IN (0, :n)", n=budgets.SHARE.most
    )
    assert counted == []
    clock.forward(budgets.SHARE.window)
    receiver.fetch()
    assert len(receiver.got) == 1


def test_an_ipv6_network_is_one_address(app):
    """Somebody who has one address of such a network has countless ones."""
    (player,) = players(app, 1)
    found = waiting(app, player, "https://one.example/", **KNOWN)
    services = app.extensions["tegami"]
    spent(app, Attempt(budgets.SHARE, f"{player} address 2001:db8:1::/56"), budgets.SHARE.most)
    with app.app_context():
        receiver = receivers.find(found)
        assert budgets.spend_at(services, receiver, "2001:db8:1:2:3::4") is not None
        assert budgets.spend_at(services, receiver, "2001:db8:2:2:3::4") is None


@pytest.mark.parametrize(("address", "back"), [("93.184.215.15", True), ("93.184.215.14", False)])
def test_what_was_not_counted_is_not_given_back(app, address, back):
    """If others have used up the host, receivers that were reached before are counted separately, and the host is not
    counted again.
    """
    (player,) = players(app, 1)
    receiver_id = waiting(app, player, "https://bot.example/", **QUICK)
    spent(app, Attempt(budgets.HOST, "bot.example"), budgets.HOST.most)
    if back:
        at = Attempt(budgets.SHARE, f"{player} address 93.184.215.15")
        spent(app, at, budgets.SHARE.most)
    before = counts(app)

    def post(request):
        request.begin(address)
        return OK

    courier = Courier(app.extensions["tegami"], {WEBHOOK: post})
    with app.app_context():
        (ready,) = courier.due(quick=True)
        courier.claim_and_send(ready.delivery)
    if back:
        assert counts(app) == before, "nothing was sent"
    else:
        assert sum(counts(app)) > sum(before)
    assert budgets.HOST.most in counts(app)
    assert execute(app, "SELECT url FROM receivers WHERE id = :id", id=receiver_id)


def counts(app):
    found = execute(app, "SELECT count FROM tallies WHERE count > 0 ORDER BY count")
    return [each.count for each in found]


@pytest.mark.parametrize("answer", [OK, DOWN, PostOutcome(status=410), PostOutcome(status=500)])
def test_an_answer_of_the_old_address_says_nothing_about_the_new_one(app, cast, answer):
    """It arrives while the owner changes the address."""
    webhook = made(cast.alice)
    add(app, webhook["id"], {})

    def post(_request):
        new = {"url": "https://elsewhere.example/"}
        changed = cast.alice.send("PATCH", f"/api/me/webhooks/{webhook['id']}", json=new)
        assert changed.status_code == 200
        return answer

    with app.app_context():
        courier = Courier(app.extensions["tegami"], {WEBHOOK: post})
        (ready,) = courier.due(quick=True) or courier.due(quick=False)
        courier.claim_and_send(ready.delivery)
    names = "delivered_at, failures, failing_since, held_until, off_at"
    (now,) = execute(app, f"SELECT {names} FROM receivers")
    assert tuple(now) == (None, 0, None, 0, None)
    (sent,) = execute(app, "SELECT outcome FROM deliveries")
    assert sent.outcome == ("delivered" if answer is OK else None), "it is tried there, too"


def test_players_take_turns_whatever_of_theirs_was_sent_to(app, clock):
    """A player who was just served by a receiver with nothing more to send comes after one who was not."""
    served, other = players(app, 2)
    waiting(app, served, "https://first.example/", **QUICK)
    courier = Courier(app.extensions["tegami"], {WEBHOOK: lambda _request: OK})
    with app.app_context():
        (ready,) = courier.due(quick=True)
        courier.claim_and_send(ready.delivery)
    clock.forward(SECOND)
    waiting(app, served, "https://one.example/", **QUICK)
    waiting(app, other, "https://two.example/", **QUICK)
    with app.app_context():
        found = [each.player_id for each in courier.due(quick=True)]
    assert found == [other, served]
