"""Notifications in browsers: who gets them, about what, when and how often, by the decision that holds for mails."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt
from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND
from service.notifications.mail_sending.sender import Sender
from service.notifications.receivers import delivery_budgets as budgets
from service.notifications.receivers.browsers import MOST
from service.notifications.receivers.courier import BROWSER_FAILING_FOR
from service.notifications.receivers.guarded_post import GuardedPost, PostOutcome
from service.notifications.receivers.web_push import KEPT
from service.notifications.retries import RETRY_DELAYS
from service.operations.worker.daily_purge import purge
from service.web.app import create_app
from tests.support.browsers import CREATED, PATH, Browser, PushService
from tests.support.cast import CARAVAN, Cast, sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office
from tests.support.talking import say

DOWN = PostOutcome(error="connection")
TURN = "Your turn: Caravan with Bob – Choose a number card for each of your three lanes"
LATER = "Your turn: Caravan with Bob – Play a card, start a row again, discard a card, or sell"
WEEK = {"kind": "decision", "seconds": 7 * 24 * 3600}


@pytest.fixture
def browser():
    return Browser()


@pytest.fixture
def service(app, browser):
    return PushService(app, browser)


@pytest.fixture
def told(cast, browser):
    """Alice is notified in a browser."""
    return browser.subscribe(cast.alice)


def asked(cast, **options):
    """A game in which alice is asked; its id."""
    game_id = cast.start(CARAVAN, **options)
    person, shown = cast.asked(game_id)
    while person is not cast.alice:
        person.answer(shown)
        person, shown = cast.asked(game_id)
    return game_id


def browsers(person):
    return person.get(PATH)["browsers"]


def wish(person, **settings):
    assert person.send("PATCH", "/api/me/settings", json=settings).status_code == 200


def test_it_says_what_the_subject_of_a_mail_says_and_nothing_secret(cast, service, told):
    game_id = cast.start(CARAVAN)
    for _ in range(8):
        service.fetch()
        person, shown = cast.asked(game_id)
        person.answer(shown)
    said = "Good luck with the nines"
    say(cast.alice, game_id, said)
    messages = [service.read(each) for each in service.got]
    assert {each["words"] for each in messages} == {TURN, LATER}
    zones = cast.alice.game(game_id)["view"]["zones"]
    cards = {card for zone in zones for card in zone.get("cards") or [] if isinstance(card, str)}
    sent = json.dumps(messages)
    assert said not in sent and not [card for card in cards if f'"{card}"' in sent]


def test_it_is_worded_in_the_language_of_the_player(cast, service, told):
    cast.alice.send("PATCH", "/api/me", json={"language": "ja"})
    asked(cast)
    (message,) = service.fetch()
    assert "あなたの手番" in message["words"] and message["language"] == "ja"


def test_a_player_without_an_address_is_told_and_no_mail_leaves(app, cast, service, told):
    asked(cast)
    assert service.words() == [TURN]
    assert service.post.sent == []
    assert {row.outcome for row in execute(app, "SELECT outcome FROM outbox")} == {"sent"}
    assert service.words() == []


def test_whoever_has_an_address_gets_both_and_each_once(app, cast, service, told):
    Office(app).address(cast.alice)
    asked(cast)
    assert service.words() == [TURN]
    assert [each["Subject"] for each in service.post.sent] == [TURN]
    assert service.words() == []
    assert len(service.post.sent) == 1


def test_whoever_wants_no_mail_at_all_is_told_in_browsers(app, cast, service, told):
    Office(app).address(cast.alice)
    execute(
        app,
        "INSERT INTO unsubscribed (player_id, kind, game_key, at) VALUES (:of, '', 0, 0)",
        of=cast.alice.id,
    )
    asked(cast)
    assert service.words() == [TURN]
    assert service.post.sent == []


@pytest.mark.parametrize("kind", ["turn", "reminder"])
def test_a_kind_that_was_turned_off_is_not_told(cast, service, told, kind):
    wish(cast.alice, unwanted=[kind])
    asked(cast)
    assert service.words() == ([] if kind == "turn" else [TURN])


def test_a_turn_that_was_taken_meanwhile_is_not_told(cast, service, told):
    game_id = asked(cast)
    service.usually = DOWN
    assert len(service.fetch()) == 1
    _, shown = cast.asked(game_id)
    cast.alice.answer(shown)
    service.usually = CREATED
    execute(service.app, "UPDATE receivers SET held_until = 0")
    execute(service.app, "UPDATE deliveries SET run_at = 0")
    assert service.fetch(now=False) == []


def test_it_is_told_while_the_mail_server_is_out_of_reach(app, cast, service, told):
    class Away:
        def connect(self):
            raise ConnectionError

        def disconnect(self):
            pass

    Office(app).address(cast.alice)
    services, tell = app.extensions["tegami"], service.sender._browsers
    service.sender = Sender(services, Away(), browsers=tell)
    asked(cast)
    assert service.words() == [TURN]
    assert service.words() == []
    service.sender = Sender(services, service.post, browsers=tell)
    assert service.words() == []
    assert [each["Subject"] for each in service.post.sent] == [TURN]


def test_it_is_told_without_a_mail_server(app, cast, service, told):
    service.sender = Sender(app.extensions["tegami"], None, browsers=service.sender._browsers)
    asked(cast)
    assert service.words() == [TURN]
    assert service.words() == []


def test_in_quiet_hours_nothing_is_told_and_afterwards_only_the_newest_of_a_game(
    app, cast, service, told, clock
):
    wish(cast.alice, time_zone="UTC", quiet="10:00-12:00")
    game_id = asked(cast, pace=WEEK)
    same = "player_id, game_key, tenure_id, number, run_at, created_at, lease_until, attempts"
    nudge = f"SELECT 'nudge', 'nudge', {same} FROM outbox WHERE kind = 'turn' AND player_id = :of"
    execute(app, f"INSERT INTO outbox (key, kind, {same}) {nudge}", of=cast.alice.id)
    assert service.words() == []
    clock.forward(2 * HOUR + SECOND)
    words = service.words(now=False)
    assert len(words) == 1 and words != [TURN] and "Caravan" in words[0]
    assert cast.alice.game(game_id)["asked"]


def test_with_a_digest_there_is_one_notification_a_day(app, cast, service, told, clock):
    execute(app, "UPDATE credentials SET seen_at = NULL")
    wish(cast.alice, time_zone="UTC", digest="12:00")
    asked(cast, pace=WEEK)
    asked(cast, pace=WEEK)
    found = []
    for _ in range(8):
        clock.forward(30 * MINUTE)
        found += service.words(now=False)
    assert len(found) == 1 and "2" in found[0]
    clock.forward(HOUR)
    assert service.words(now=False) == []


def test_the_push_service_learns_how_urgent_it_is_and_what_it_replaces(cast, service, told):
    asked(cast)
    game_id = asked(cast)
    service.fetch()
    first, second = (each.headers for each in service.got)
    assert first["Topic"] != second["Topic"] and len(first["Topic"]) == 32
    assert game_id not in str(second)
    assert (first["Urgency"], first["TTL"]) == ("normal", str(KEPT // SECOND))


def test_it_is_not_kept_longer_than_there_is_time_to_play(cast, service, told):
    asked(cast, pace={"kind": "decision", "seconds": 3600})
    service.fetch()
    assert 0 < int(service.got[0].headers["TTL"]) <= 3600


def test_every_browser_of_a_player_is_told(app, cast):
    both = [Browser("one"), Browser("two")]
    service = PushService(app, *both)
    for each in both:
        each.subscribe(cast.alice)
    asked(cast)
    assert service.words() == [TURN, TURN]
    assert {each.url for each in service.got} == {each.endpoint for each in both}


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_its_push_service_forgot_is_forgotten(cast, service, told, status):
    asked(cast)
    service.answers.append(PostOutcome(status=status))
    assert len(service.fetch()) == 1
    assert browsers(cast.alice) == []


@pytest.mark.both_databases
@pytest.mark.parametrize("answer", [DOWN, PostOutcome(status=403), PostOutcome(status=503)])
def test_what_fails_is_sent_again_later_and_later(cast, service, told, clock, answer):
    asked(cast, pace=WEEK)
    service.usually = answer
    assert len(service.fetch()) == 1
    for delay in RETRY_DELAYS[:3]:
        clock.forward(delay - SECOND)
        assert service.fetch(now=False) == []
        clock.forward(SECOND)
        assert len(service.fetch(now=False)) == 1
    (shown,) = browsers(cast.alice)
    assert shown["failing_since"] is not None and shown["delivered_at"] is None
    service.usually = CREATED
    clock.forward(RETRY_DELAYS[3])
    assert len(service.fetch(now=False)) == 1
    (shown,) = browsers(cast.alice)
    assert shown["failing_since"] is None and shown["delivered_at"] is not None


def test_a_browser_that_nothing_has_reached_for_weeks_is_forgotten(cast, service, told, clock):
    service.usually = DOWN
    asked(cast)
    service.fetch()
    clock.forward(BROWSER_FAILING_FOR - DAY)
    asked(cast)
    service.fetch()
    assert len(browsers(cast.alice)) == 1
    clock.forward(2 * DAY)
    asked(cast)
    service.fetch()
    assert browsers(cast.alice) == []


def test_what_it_has_subscribed_with_has_to_be_a_browsers(cast, browser):
    other = {**browser.subscription, "endpoint": "http://push.example/send"}
    keys = {**browser.subscription["keys"], "p256dh": "A" * 87}
    for each in (other, {**browser.subscription, "keys": keys}):
        cast.alice.refused("POST", PATH, "invalid-subscription", each)
    cast.alice.refused("POST", PATH, "invalid-body", {**browser.subscription, "keys": {}})
    assert browsers(cast.alice) == []


def test_a_push_service_is_never_in_a_network_that_is_not_everybodys(cast, app, clock):
    """The name is looked up whenever something is sent, and the address that was looked at is dialled."""
    inside = Browser("x", "https://inside.example/")
    inside.subscribe(cast.alice)
    asked(cast, pace=WEEK)
    guarded = GuardedPost(resolver=lambda _host, _port: ["10.0.0.7"])
    PushService(app, inside, post=guarded).send()
    (attempt,) = execute(app, "SELECT status, error FROM delivery_attempts")
    assert tuple(attempt) == (None, "address")


def test_somebody_has_so_many_browsers_and_not_more(cast):
    for number in range(MOST):
        Browser(str(number)).subscribe(cast.alice)
    problem = cast.alice.refused("POST", PATH, "too-many-browsers", Browser("x").subscription)
    assert problem["most"] == MOST
    Browser("3").subscribe(cast.alice)
    assert len(browsers(cast.alice)) == MOST


@pytest.mark.both_databases
def test_a_browser_tells_one_person(cast, browser):
    browser.subscribe(cast.alice)
    browser.subscribe(cast.carol)
    assert browsers(cast.alice) == []
    assert len(browsers(cast.carol)) == 1


@pytest.mark.both_databases
def test_nobody_takes_a_browser_from_its_owner_by_its_address(cast, service, browser, told):
    """Somebody who knows only the address gets nothing there, and the owner is notified as before."""
    other = Browser()
    assert other.endpoint == browser.endpoint
    other.subscribe(cast.carol)
    assert len(browsers(cast.alice)) == 1
    asked(cast)
    assert service.words() == [TURN]


def test_who_was_first_to_know_an_address_does_not_keep_its_owner_out(cast, browser):
    Browser().subscribe(cast.carol)
    browser.subscribe(cast.alice)
    assert len(browsers(cast.alice)) == 1


def test_a_browser_of_ones_own_can_have_new_keys(cast, browser):
    browser.subscribe(cast.alice)
    Browser().subscribe(cast.alice)
    assert len(browsers(cast.alice)) == 1


def test_it_is_listed_and_ended(cast, service, told):
    (shown,) = browsers(cast.alice)
    assert shown == told and shown["current"]
    cast.carol.refused("DELETE", f"{PATH}/{told['id']}", "not-found")
    cast.alice.delete(f"{PATH}/{told['id']}")
    assert browsers(cast.alice) == []
    cast.alice.refused("DELETE", f"{PATH}/{told['id']}", "not-found")
    asked(cast)
    assert service.fetch() == []


def test_a_program_subscribes_no_browser(cast):
    assert browsers(cast.bob) == []
    cast.bob.refused("POST", PATH, "cookie-only", Browser().subscription)


def test_it_ends_with_its_sign_in(app, cast, service, told):
    cast.alice.delete("/api/sign-ins/current")
    assert list(execute(app, "SELECT id FROM receivers")) == []


def test_signing_out_everywhere_ends_all(app, cast, told):
    cast.alice.delete("/api/me/sign-ins")
    assert list(execute(app, "SELECT id FROM receivers")) == []


def test_a_sign_in_that_was_deleted_takes_its_browser_along(app, cast, told, clock):
    execute(
        app, "DELETE FROM credentials WHERE player_id = :of AND kind = 'cookie'", of=cast.alice.id
    )
    with app.app_context():
        assert purge(clock())["browsers"] == 1
    assert list(execute(app, "SELECT id FROM receivers")) == []


@pytest.mark.both_databases
@pytest.mark.parametrize("budget", [budgets.BROWSER_HOUR, budgets.BROWSER_DAY, budgets.PUSHED])
def test_what_is_over_a_budget_waits(cast, service, told, app, clock, budget):
    subject = cast.alice.id if budget is budgets.PUSHED else told["id"]
    secret = service.services.config.secret_key
    with app.app_context():
        attempt_counts.count(service.services, secret, [Attempt(budget, subject)])
    execute(app, "UPDATE tallies SET count = :most", most=budget.most)
    asked(cast, pace=WEEK)
    clock.forward(6 * MINUTE)
    assert service.words(now=False) == []
    clock.forward(budget.window)
    assert service.words(now=False)[:1] != []


def test_nobody_is_told_of_what_they_only_watch(cast, service, browser):
    browser.subscribe(cast.mallory)
    game_id = asked(cast)
    cast.mallory.game(game_id)
    assert service.fetch() == []


def test_of_a_table_that_was_deleted_nothing_is_told(app, cast, service, told):
    asked(cast)
    execute(app, "UPDATE outbox SET game_key = 4711")
    assert service.fetch() == []
    assert {row.outcome for row in execute(app, "SELECT outcome FROM outbox")} == {"dropped"}


def test_whoever_lost_the_key_is_told_no_more_and_can_subscribe_again(app, cast, config, runtime):
    browser = Browser()
    browser.subscribe(cast.alice)
    asked(cast)
    other = create_app(replace(config, push_key=bytes(32)), runtime)
    service = PushService(other, browser)
    assert service.fetch() == []
    assert list(execute(app, "SELECT id FROM receivers")) == []


@sqlite_only
def test_the_operator_can_switch_it_off(config, runtime):
    app = create_app(replace(config, push="off"), runtime)
    cast = Cast(app)
    assert cast.alice.get(PATH) == {"key": None, "browsers": []}
    cast.alice.refused("POST", PATH, "push-off", Browser().subscription)


def test_the_export_names_browsers_and_erasure_forgets_them(app, cast, browser, told):
    exported = cast.alice.send("GET", "/api/me/export").json
    assert exported["browsers"] == [
        {
            "id": told["id"],
            "browser": told["browser"],
            "endpoint": browser.endpoint,
            "created_at": told["created_at"],
            "delivered_at": None,
        }
    ]
    cast.alice.send("POST", "/api/me/erasure", json={})
    assert browser.endpoint not in dump(app)


def test_the_key_is_in_no_answer_and_no_table(app, cast, config, service, told):
    asked(cast)
    service.fetch()
    assert config.push_key.hex() not in dump(app)
