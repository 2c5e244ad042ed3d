"""Webhooks: made, listed, changed, switched off and on, deleted, given another secret."""

from __future__ import annotations

import pytest

from service.core.runtime.units import DAY
from service.notifications.receivers.receivers import MOST
from tests.support.accounts import PASSWORD, Bag, register
from tests.support.cast import CARAVAN
from tests.support.dump import dump
from tests.support.receiving import PATH, URL, Receiver, made, verified


@pytest.fixture
def receiver(app):
    return Receiver(app)


def test_a_webhook_is_shown_without_its_secret(app, cast):
    webhook = made(cast.alice, kinds=["ended", "turn"])
    secret = webhook.pop("secret")
    assert webhook["kinds"] == ["turn", "ended"]
    assert (webhook["url"], webhook["active"], webhook["sequence"]) == (URL, True, 0)
    assert cast.alice.get(PATH)["webhooks"] == [webhook]
    assert cast.alice.get(f"{PATH}/{webhook['id']}") == {"webhook": webhook}
    assert secret not in str(dump(app))
    assert secret.removeprefix("whsec_") not in str(dump(app))


@pytest.mark.parametrize(
    "url",
    [
        "http://bot.example/hook",
        "https://bot.example:8000/hook",
        "https://user:pw@bot.example/",
        "https://bot.example/#part",
        "https://localhost/hook",
        "https://[::1/hook",
        "https:///hook",
        "https://bot.example:99999/",
        "https://a_b.example/",
    ],
)
def test_to_some_addresses_nothing_is_ever_sent(cast, url):
    wish = {"url": url, "label": "my bot"}
    cast.alice.refused("POST", PATH, "forbidden-address", wish)
    webhook = made(cast.alice)
    cast.alice.refused("PATCH", f"{PATH}/{webhook['id']}", "forbidden-address", {"url": url})


@pytest.mark.parametrize(
    "wish",
    [
        {"url": "ftp://bot.example/", "label": "my bot"},
        {"url": "https://bot.exämple/", "label": "my bot"},
        {"url": f"https://bot.example/{'a' * 500}", "label": "my bot"},
        {"url": URL},
        {"url": URL, "label": "my bot", "kinds": []},
        {"url": URL, "label": "my bot", "kinds": ["turn", "turn"]},
        {"url": URL, "label": "my bot", "kinds": ["moon"]},
        {"url": URL, "label": "my bot", "secret": "whsec_mine"},
    ],
)
def test_what_is_no_webhook_is_refused(cast, wish):
    cast.alice.refused("POST", PATH, "invalid-body", wish)


@pytest.mark.both_databases
def test_somebody_has_so_many_webhooks_and_not_more(cast):
    first, *_ = [made(cast.alice) for _ in range(MOST)]
    problem = cast.alice.refused("POST", PATH, "too-many-webhooks", {"url": URL, "label": "more"})
    assert problem["most"] == MOST
    made(cast.bob)
    cast.alice.delete(f"{PATH}/{first['id']}")
    made(cast.alice)


def test_a_webhook_is_its_owners_alone(cast):
    webhook = made(cast.alice)
    path = f"{PATH}/{webhook['id']}"
    for method, more in (
        ("GET", ""),
        ("DELETE", ""),
        ("POST", "/secret"),
        ("POST", "/ping"),
        ("GET", "/deliveries"),
        ("POST", "/deliveries/1/redelivery"),
    ):
        cast.bob.refused(method, path + more, "not-found")
    cast.bob.refused("PATCH", path, "not-found", {"active": False})
    assert cast.bob.get(PATH) == {"webhooks": []}


@pytest.mark.both_databases
def test_a_repeated_request_makes_one_webhook(cast):
    sent = {"headers": {"Idempotency-Key": "0123456789abcdef"}}
    wish = {"url": URL, "label": "my bot"}
    answers = [cast.alice.post(PATH, wish, **sent) for _ in range(2)]
    assert answers[0] == answers[1]
    assert len(cast.alice.get(PATH)["webhooks"]) == 1


def test_what_changes_while_it_is_switched_off_is_not_sent_and_what_waits_is(cast, receiver):
    webhook = made(cast.bob)
    path = f"{PATH}/{webhook['id']}"
    cast.bob.post(f"{path}/ping", status=202)
    cast.bob.send("PATCH", path, json={"active": False})
    shown = cast.bob.get(path)["webhook"]
    assert (shown["active"], shown["off_why"]) == (False, "owner")
    cast.start(CARAVAN)
    assert receiver.fetch() == []
    cast.bob.refused("POST", f"{path}/ping", "webhooks-off")
    cast.bob.refused("POST", f"{path}/deliveries/1/redelivery", "webhooks-off")
    cast.bob.send("PATCH", path, json={"active": True})
    assert receiver.kinds() == ["ping"]
    cast.bob.post(f"{path}/ping", status=202)
    (again,) = receiver.fetch()
    assert again["data"]["sequence"] == 2


def test_a_deleted_webhook_gets_nothing_more(app, cast, receiver):
    webhook = made(cast.bob)
    cast.bob.post(f"{PATH}/{webhook['id']}/ping", status=202)
    cast.bob.delete(f"{PATH}/{webhook['id']}")
    assert receiver.fetch() == []
    assert webhook["id"] not in str(dump(app))


def test_another_address_gets_the_next_message(cast, receiver):
    webhook = made(cast.bob)
    changed = {"url": "https://other.example:8443/in?token=1", "label": "elsewhere"}
    path = f"{PATH}/{webhook['id']}"
    cast.bob.send("PATCH", path, json=changed)
    cast.bob.post(f"{path}/ping", status=202)
    assert receiver.kinds() == ["ping"]
    assert receiver.got[-1].url == changed["url"]


def test_both_secrets_sign_for_a_day(cast, receiver, clock):
    webhook = made(cast.bob)
    path = f"{PATH}/{webhook['id']}"
    rotated = cast.bob.post(f"{path}/secret", status=200)["webhook"]
    assert rotated["old_secret_until"] is not None
    old, new = webhook["secret"], rotated["secret"]
    cast.bob.post(f"{path}/ping", status=202)
    receiver.fetch()
    (request,) = receiver.got
    assert [verified(request, each) for each in (old, new)] == [True, True]
    clock.forward(DAY)
    assert cast.bob.get(path)["webhook"]["old_secret_until"] is None
    cast.bob.post(f"{path}/ping", status=202)
    receiver.fetch()
    assert [verified(receiver.got[-1], each) for each in (old, new)] == [False, True]


def test_a_second_replacement_ends_the_secret_before(cast, receiver, clock):
    webhook = made(cast.bob)
    path = f"{PATH}/{webhook['id']}"
    second = cast.bob.post(f"{path}/secret", status=200)["webhook"]["secret"]
    clock.forward(DAY // 2)
    third = cast.bob.post(f"{path}/secret", status=200)["webhook"]["secret"]
    cast.bob.post(f"{path}/ping", status=202)
    receiver.fetch()
    (request,) = receiver.got
    secrets = webhook["secret"], second, third
    assert [verified(request, each) for each in secrets] == [False, True, True]


def test_whoever_changes_how_to_sign_in_switches_webhooks_off(app, cast, receiver):
    webhook = made(cast.alice)
    register(Bag(app), cast.alice, "alice", PASSWORD)
    shown = cast.alice.get(f"{PATH}/{webhook['id']}")["webhook"]
    assert (shown["active"], shown["off_why"]) == (False, "account")
    cast.start(CARAVAN)
    assert receiver.fetch() == []


def test_the_export_holds_webhooks_and_erasure_deletes_them(app, cast, receiver):
    webhook = made(cast.alice)
    cast.alice.post(f"{PATH}/{webhook['id']}/ping", status=202)
    receiver.fetch()
    (exported,) = cast.alice.get("/api/me/export")["webhooks"]
    assert (exported["url"], exported["label"]) == (URL, "my bot")
    assert [each["type"] for each in exported["deliveries"]] == ["ping"]
    assert webhook["secret"] not in str(exported)
    cast.alice.post("/api/me/erasure", {}, 204)
    left = str(dump(app))
    assert webhook["id"] not in left
    assert "bot.example" not in left


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://bot.example/hook", "scheme"),
        ("https://bot.example:8000/hook", "port"),
        ("https://user:pw@bot.example/", "extras"),
        ("https://bot.example/#part", "extras"),
        ("https://localhost/hook", "host"),
        ("https://a_b.example/", "host"),
        ("https:///hook", "host"),
        ("https://[::1/hook", "malformed"),
        ("https://bot.example:99999/", "malformed"),
        ("https://127.0.0.1/", "network"),
        ("https://[fe80::1]/", "network"),
        ("https://169.254.169.254/latest", "network"),
        ("https://0x7f.1/", "network"),
    ],
)
def test_the_rule_that_forbids_an_address_is_named(cast, url, why):
    told = cast.alice.refused("POST", PATH, "forbidden-address", {"url": url, "label": "my bot"})
    assert told["why"] == why and told["detail"]
    ours = cast.alice.send(
        "POST", PATH, json={"url": url, "label": "x"}, headers={"Accept-Language": "ja"}
    )
    assert ours.json["detail"] != told["detail"]
