"""Messages to webhooks: signed, in order, without gaps, sent again after failures, but not forever."""

from __future__ import annotations

import json

import pytest

from service.core.counts.attempt_counts import Attempt
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND
from service.notifications.receivers import delivery_budgets as budgets
from service.notifications.receivers import receivers
from service.notifications.receivers.courier import FAILING_FOR
from service.notifications.receivers.guarded_post import PostOutcome
from service.notifications.retries import EXPIRY, RETRY_DELAYS
from service.operations.worker.daily_purge import purge
from tests.contract import errors
from tests.support.accounts import Bag, register, text_of
from tests.support.cast import CARAVAN
from tests.support.dump import dump
from tests.support.queueing import spent
from tests.support.receiving import DOWN, PATH, Receiver, deliveries, made, verified


@pytest.fixture
def receiver(app):
    return Receiver(app)


def ping(person, webhook):
    return person.post(f"{PATH}/{webhook['id']}/ping", status=202)["delivery"]


def redeliver(person, webhook, number):
    path = f"{PATH}/{webhook['id']}/deliveries/{number}/redelivery"
    return person.post(path, status=202)["delivery"]


def test_a_program_is_told_of_what_it_would_be_listed(cast, receiver):
    webhook = made(cast.bob)
    after = cast.bob.get("/api/me/changes")["next"]
    cast.start(CARAVAN)
    told = receiver.fetch()
    assert [each["type"] for each in told] == ["table", "started", "turn"]
    listed = cast.bob.get(f"/api/me/changes?after={after}")["changes"]
    assert [each["data"]["change"] for each in told] == listed
    assert [each["data"]["sequence"] for each in told] == [1, 2, 3]
    for request, message in zip(receiver.got, told, strict=True):
        assert verified(request, webhook["secret"])
        assert request.headers["webhook-id"] == f"{webhook['id']}.{message['data']['sequence']}"
        assert errors({"$ref": "#/components/schemas/WebhookMessage"}, message) == []
    assert receiver.fetch() == []


def test_it_says_what_the_subject_of_a_mail_says_and_nothing_secret(cast, receiver):
    made(cast.alice)
    made(cast.bob)
    game_id = cast.start(CARAVAN)
    for _ in range(6):
        person, shown = cast.asked(game_id)
        person.answer(shown)
    said = "Good luck with the nines"
    cast.alice.post(f"/api/games/{game_id}/messages", {"channel": "seats", "text": said})
    told = receiver.fetch()
    words = {each["data"]["words"].partition(" – ")[0] for each in told}
    assert words == {
        f"{kind}: Caravan with {name}"
        for kind in ("Your turn", "News from your table")
        for name in ("Alice", "Bob")
    }
    sent = json.dumps(told)
    assert said not in sent
    zones = cast.alice.game(game_id)["view"]["zones"]
    cards = {card for zone in zones for card in zone.get("cards") or [] if isinstance(card, str)}
    assert not [card for card in cards if f'"{card}"' in sent]


def test_it_is_worded_in_the_language_of_the_player(cast, receiver):
    made(cast.bob, kinds=["turn"])
    cast.bob.send("PATCH", "/api/me", json={"language": "ja"})
    cast.start(CARAVAN)
    (told,) = receiver.fetch()
    assert "あなたの手番" in told["data"]["words"]


def test_whoever_does_not_sit_there_is_told_no_names(cast, receiver):
    game_id = cast.open(CARAVAN, private=True)
    game = cast.alice.game(game_id)
    made(cast.bob, kinds=["removed", "handover"])
    seated = cast.bob.post(
        f"/api/games/{game_id}/seats", {}, headers={"Invitation": game["invitation"]["key"]}
    )
    (tenure,) = (each["tenure"] for each in seated["seats"] if each["name"] == "Bob")
    cast.alice.delete(f"/api/games/{game_id}/seats/{tenure}")
    (told,) = receiver.fetch()
    assert told["type"] == "removed"
    assert "Alice" not in json.dumps(told)
    assert "Caravan" in told["data"]["words"]


def test_at_a_table_of_ones_own_nobody_is_named(cast, receiver):
    cast.bob.send("PATCH", "/api/me", json={"language": "ja"})
    made(cast.alice)
    made(cast.bob)
    cast.alice.post("/api/games", {"ruleset": CARAVAN})
    cast.bob.post("/api/games", {"ruleset": CARAVAN})
    told = {each["data"]["words"] for each in receiver.fetch()}
    assert told == {"News from a Caravan table", "キャラバンのテーブルからのお知らせ"}


def test_only_what_is_wanted_is_sent_and_numbered(cast, receiver):
    made(cast.bob, kinds=["turn"])
    cast.start(CARAVAN)
    (told,) = receiver.fetch()
    assert (told["type"], told["data"]["sequence"]) == ("turn", 1)


def test_what_changed_before_is_not_sent(cast, receiver):
    cast.bob.get("/api/me/changes")
    cast.start(CARAVAN)
    made(cast.bob)
    assert receiver.fetch() == []


@pytest.mark.both_databases
def test_what_fails_is_sent_again_later_and_later_with_the_same_id(cast, receiver, clock):
    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    receiver.usually = DOWN
    assert len(receiver.fetch()) == 1
    for delay in RETRY_DELAYS:
        clock.forward(delay - SECOND)
        assert receiver.fetch() == []
        clock.forward(SECOND)
        assert len(receiver.fetch()) == 1
    assert len({each.headers["webhook-id"] for each in receiver.got}) == 1
    receiver.usually = PostOutcome(status=200)
    clock.forward(RETRY_DELAYS[-1])
    receiver.fetch()
    (shown,) = deliveries(cast.bob, webhook)
    assert (shown["state"], shown["next_at"]) == ("delivered", None)
    errors = [each["error"] for each in shown["attempts"]]
    assert errors == ["connection"] * (1 + len(RETRY_DELAYS)) + [None]
    assert shown["attempts"][-1]["status"] == 200
    assert cast.bob.get(f"{PATH}/{webhook['id']}")["webhook"]["failing_since"] is None


def test_a_receiver_that_is_down_is_asked_for_once_and_not_for_each_message(cast, receiver, clock):
    webhook = made(cast.bob)
    for _ in range(3):
        ping(cast.bob, webhook)
    receiver.usually = DOWN
    assert len(receiver.fetch()) == 1
    listed = deliveries(cast.bob, webhook)
    assert {each["next_at"] for each in listed} == {rfc3339(clock() + RETRY_DELAYS[0])}
    clock.forward(RETRY_DELAYS[0] - 1)
    assert receiver.fetch() == []
    clock.forward(1)
    receiver.usually = PostOutcome(status=204)
    told = receiver.fetch()
    assert [each["data"]["sequence"] for each in told] == [1, 2, 3]


def test_one_message_that_is_refused_holds_up_no_other(cast, receiver, clock):
    webhook = made(cast.bob)
    for _ in range(3):
        ping(cast.bob, webhook)
    receiver.answers.append(PostOutcome(status=500))
    assert [each["data"]["sequence"] for each in receiver.fetch()] == [1, 2, 3]
    clock.forward(RETRY_DELAYS[0])
    assert [each["data"]["sequence"] for each in receiver.fetch()] == [1]


@pytest.mark.parametrize("wish", [{"active": True}, {"url": "https://other.example/hook"}])
def test_what_waits_for_its_next_try_is_sent_when_it_is_switched_on_or_has_another_address(
    cast, receiver, clock, wish
):
    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    receiver.usually = PostOutcome(status=500)
    for delay in RETRY_DELAYS[:3]:
        receiver.fetch()
        clock.forward(delay)
    receiver.fetch()
    ping(cast.bob, webhook)
    if "active" in wish:
        cast.bob.send("PATCH", f"{PATH}/{webhook['id']}", json={"active": False})
    receiver.usually = PostOutcome(status=204)
    cast.bob.send("PATCH", f"{PATH}/{webhook['id']}", json=wish)
    assert [each["data"]["sequence"] for each in receiver.fetch()] == [1, 2]


def test_a_receiver_can_ask_to_be_left_alone(cast, receiver, clock):
    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    receiver.answers.append(PostOutcome(status=503, retry_after=3600))
    receiver.fetch()
    clock.forward(HOUR - SECOND)
    assert receiver.fetch() == []
    clock.forward(SECOND)
    assert len(receiver.fetch()) == 1


def test_after_three_days_of_failures_it_is_switched_off_and_its_owner_mailed(
    app, cast, receiver, clock
):
    bag = Bag(app)
    register(bag, cast.alice, "alice")
    webhook = made(cast.alice)
    ping(cast.alice, webhook)
    receiver.usually = PostOutcome(status=500)
    while cast.alice.get(f"{PATH}/{webhook['id']}")["webhook"]["active"]:
        receiver.fetch()
        clock.forward(HOUR)
        assert clock.at < 1_795_255_200_000 + FAILING_FOR + DAY
    shown = cast.alice.get(f"{PATH}/{webhook['id']}")["webhook"]
    assert shown["off_why"] == "failing"
    assert deliveries(cast.alice, webhook)[0]["state"] == "expired"
    (mail,) = bag.fetch()
    assert mail["To"] == "alice@example.org"
    assert "my bot" in str(mail["Subject"])
    assert "bot. example" in text_of(mail)  # as it stands in mails, where it becomes no link
    clock.forward(DAY)
    assert receiver.fetch() == []


def test_a_receiver_that_is_gone_is_switched_off_at_once(app, cast, receiver):
    bag = Bag(app)
    register(bag, cast.alice, "alice")
    webhook = made(cast.alice)
    ping(cast.alice, webhook)
    receiver.answers.append(PostOutcome(status=410))
    receiver.fetch()
    assert cast.alice.get(f"{PATH}/{webhook['id']}")["webhook"]["off_why"] == "gone"
    (told,) = deliveries(cast.alice, webhook)
    assert (told["state"], told["next_at"]) == ("refused", None)
    assert "410" in text_of(*bag.fetch())
    assert receiver.fetch() == []


def test_something_is_sent_again_on_demand(cast, receiver):
    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    receiver.fetch()
    assert redeliver(cast.bob, webhook, 1)["state"] == "pending"
    receiver.fetch()
    first, second = receiver.got
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.body == second.body
    assert len(deliveries(cast.bob, webhook)[0]["attempts"]) == 2
    path = f"{PATH}/{webhook['id']}/deliveries/2/redelivery"
    cast.bob.refused("POST", path, "not-found")


def test_what_waits_for_its_next_try_can_be_sent_now(cast, receiver):
    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    receiver.answers.append(DOWN)
    receiver.fetch()
    redeliver(cast.bob, webhook, 1)
    assert len(receiver.fetch()) == 1


@pytest.mark.both_databases
def test_deliveries_are_listed_newest_first_a_page_at_a_time(cast, receiver):
    webhook = made(cast.bob)
    for _ in range(3):
        ping(cast.bob, webhook)
    path = f"{PATH}/{webhook['id']}/deliveries"
    first = cast.bob.get(f"{path}?limit=2")["deliveries"]
    assert [each["sequence"] for each in first] == [3, 2]
    rest = cast.bob.get(f"{path}?before=2")["deliveries"]
    assert [each["sequence"] for each in rest] == [1]


def test_a_host_gets_so_much_in_an_hour_whoever_has_entered_it(app, cast, receiver, clock):
    mine, other = made(cast.alice), made(cast.bob, "https://BOT.example/other")
    spent(app, Attempt(budgets.HOST, "bot.example"), budgets.HOST.most - 2)
    for _ in range(2):
        ping(cast.alice, mine)
        ping(cast.bob, other)
    spent(app, Attempt(budgets.KEPT, f"{cast.alice.id} bot.example"), budgets.KEPT.most)
    spent(app, Attempt(budgets.KEPT, f"{cast.bob.id} bot.example"), budgets.KEPT.most)
    assert len(receiver.fetch()) == 2
    assert receiver.fetch() == []
    elsewhere = made(cast.carol, "https://else.example/")
    ping(cast.carol, elsewhere)
    assert len(receiver.fetch()) == 1
    clock.forward(budgets.HOST.window)
    assert len(receiver.fetch()) == 2


@pytest.mark.both_databases
def test_the_deliveries_of_a_player_have_a_budget(app, cast):
    services = app.extensions["tegami"]
    mine, other = (made(each)["id"] for each in (cast.alice, cast.bob))
    spent(app, Attempt(budgets.PLAYER, cast.alice.id), budgets.PLAYER.most)
    with app.app_context():
        until = budgets.spend(services, receivers.get(cast.alice.id, mine)).until
        assert until == services.now() + budgets.PLAYER.window
        assert budgets.spend(services, receivers.get(cast.bob.id, other)).until is None


@pytest.mark.both_databases
@pytest.mark.parametrize("killed_at", ["claimed", "sent"])
def test_a_worker_that_is_killed_loses_nothing(app, cast, receiver, clock, killed_at):
    class Killed(BaseException):
        pass

    def post(request):
        if killed_at == "sent":
            receiver.post(request)
        raise Killed

    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    dying = Receiver(app, post)
    with pytest.raises(Killed):
        dying.fetch()
    assert receiver.fetch() == []  # the claim still holds
    clock.forward(MINUTE)
    assert len(receiver.fetch()) == 1
    assert len({each.headers["webhook-id"] for each in receiver.got}) == 1
    assert deliveries(cast.bob, webhook)[0]["state"] == "delivered"


def test_a_defect_in_one_delivery_keeps_no_other_waiting(app, cast, receiver, clock):
    broken, good = made(cast.alice, "https://broken.example/"), made(cast.bob)
    ping(cast.alice, broken)
    ping(cast.bob, good)

    def post(request):
        if "broken" in request.url:
            raise ZeroDivisionError
        return receiver.post(request)

    other = Receiver(app, post)
    other.fetch()
    assert len(receiver.got) == 1
    clock.forward(RETRY_DELAYS[0])
    assert len(receiver.fetch()) == 1


@pytest.mark.both_databases
def test_two_couriers_send_each_message_once(app, cast, receiver):
    webhook = made(cast.bob)
    other = Receiver(app)

    def post(request):
        assert other.fetch() == []  # nothing of this webhook, while something is under way
        return receiver.post(request)

    third = Receiver(app, post)
    for _ in range(2):
        ping(cast.bob, webhook)
    third.fetch()
    assert [json.loads(each.body)["data"]["sequence"] for each in receiver.got] == [1, 2]


def test_changes_are_kept_for_whoever_has_a_webhook(app, cast, receiver, clock):
    made(cast.bob, kinds=["turn"])
    made(cast.alice)
    clock.forward(40 * DAY)
    with app.app_context():
        purge(clock.at)
    cast.start(CARAVAN)
    assert "turn" in receiver.kinds()


@pytest.mark.both_databases
def test_old_deliveries_are_deleted(app, cast, receiver, clock):
    webhook = made(cast.bob)
    ping(cast.bob, webhook)
    receiver.answers.append(DOWN)
    receiver.fetch()
    clock.forward(RETRY_DELAYS[0])
    receiver.fetch()
    clock.forward(30 * DAY + 1)
    with app.app_context():
        assert purge(clock.at)["deliveries"] == 1
    stored = dump(app)
    assert not stored["deliveries"]
    assert not stored["delivery_attempts"]


def test_nothing_is_made_known_by_what_is_kept(app, cast, receiver):
    """Neither names nor words of messages to others are kept."""
    made(cast.alice)
    cast.start(CARAVAN)
    receiver.fetch()
    assert "Bob" not in str(dump(app)["deliveries"])


def test_what_expires_was_tried_until_then():
    assert EXPIRY == FAILING_FOR == 3 * DAY
