"""Messages for chat services: the shape that an address takes, and that no typed text is markup."""

from __future__ import annotations

import json

import pytest

from service.core.counts.attempt_counts import Attempt
from service.core.models.receivers import PUSH, WEBHOOK
from service.notifications.receivers import delivery_budgets, receivers, shapes
from service.notifications.receivers.shapes import chat_message, of_address
from tests.support.cast import CARAVAN
from tests.support.queueing import players, spent, waiting
from tests.support.receiving import PATH, Receiver, deliveries, made

DISCORD = "https://discord.com/api/webhooks/123456789012345678/a-secret_of-theirs"
SLACK = "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX"
KEY = "/hooks/4k9w3mzq5fb8xq7yn1r6t2u3pa"
NASTY = "Your turn: **Bo** <!channel> @everyone <https://evil.example|Tegami> `x` [y](z) & ||w||\n# head"


@pytest.fixture
def receiver(app):
    return Receiver(app)


@pytest.mark.parametrize(
    ("url", "shape"),
    [
        (DISCORD, "discord"),
        ("https://DISCORD.com/api/v10/webhooks/1/x", "discord"),
        (SLACK, "slack"),
        (f"https://chat.club.example{KEY}", "mattermost"),
        (f"https://club.example/chat{KEY}", "mattermost"),
        ("https://bot.example/hook", "tegami"),
        ("https://bot.example/hooks/turns", "tegami"),
        ("https://discord.com.example/api/webhooks/1/x", "tegami"),
        ("https://bot.example/?at=discord.com", "tegami"),
    ],
)
def test_the_shape_follows_from_the_address(cast, url, shape):
    assert of_address(url) == shape
    assert made(cast.alice, url)["shape"] == shape


@pytest.mark.both_databases
def test_the_owner_may_choose_another_one_and_leave_it_to_the_address_again(cast):
    webhook = made(cast.alice, f"https://bot.example{KEY}", shape="tegami")
    path = f"{PATH}/{webhook['id']}"
    assert webhook["shape"] == "tegami"
    assert (
        cast.alice.send("PATCH", path, json={"shape": None}).json["webhook"]["shape"]
        == "mattermost"
    )
    moved = cast.alice.send("PATCH", path, json={"url": SLACK}).json["webhook"]
    assert moved["shape"] == "slack"
    chosen = cast.alice.send("PATCH", path, json={"shape": "discord"}).json["webhook"]
    assert chosen["shape"] == cast.alice.get(path)["webhook"]["shape"] == "discord"
    cast.alice.refused("PATCH", path, "invalid-body", {"shape": "fax"})


@pytest.mark.parametrize("url", [DISCORD, SLACK, f"https://chat.club.example{KEY}"])
def test_a_channel_is_told_what_has_happened_and_where(cast, receiver, url):
    webhook = made(cast.alice, url)
    game_id = cast.start(CARAVAN)
    found = receiver.fetch()
    assert found, "the game has begun"
    for message in found:
        said = json.dumps(message)
        assert f"/games/{game_id}" in said
        assert "Caravan" in said
        assert {"text", "content"} & message.keys()
        assert "webhook" not in message and "change" not in message
    assert {each["state"] for each in deliveries(cast.alice, webhook)} == {"delivered"}


def test_a_test_leads_to_the_first_page(cast, receiver, config):
    webhook = made(cast.alice, DISCORD)
    cast.alice.post(f"{PATH}/{webhook['id']}/ping", status=202)
    (message,) = receiver.fetch()
    assert message["content"] == f"A test from Tegami\n<{config.public_url}/>"


@pytest.mark.parametrize("shape", ["discord", "mattermost"])
def test_nothing_that_was_typed_is_markdown(shape):
    message = chat_message(shape, NASTY, "https://tegami.example/games/g_1")
    text = message.get("content") or message["text"]
    first, link = text.split("\n")
    assert link == "<https://tegami.example/games/g_1>"
    for mark in "*`[]()<>|#":
        assert first.count(mark) == first.count(f"\\{mark}") > 0, mark
    assert first.replace("\\", "").replace(shapes._APART, "") == " ".join(NASTY.split())


def test_nobody_is_called():
    discord = chat_message("discord", NASTY, "https://tegami.example/")
    assert discord["allowed_mentions"] == {"parse": []}
    assert "@everyone" not in chat_message("mattermost", NASTY, "https://tegami.example/")["text"]


def test_slack_reads_what_was_typed_as_plain_text():
    message = chat_message("slack", NASTY, "https://tegami.example/games/g_1")
    words, link = message["blocks"]
    assert words["text"] == {"type": "plain_text", "text": NASTY, "emoji": False}
    assert link["text"]["text"] == "<https://tegami.example/games/g_1>"
    assert "<" not in message["text"] and message["mrkdwn"] is False


@pytest.mark.parametrize(("kind", "goes"), [(WEBHOOK, True), (PUSH, False)])
def test_only_webhooks_of_a_chat_service_are_without_that_budget(app, kind, goes):
    """No browser's push service is at such a host."""
    (player,) = players(app, 1)
    receiver = waiting(app, player, DISCORD, kind=kind)
    spent(app, Attempt(delivery_budgets.HOST, "discord.com"), delivery_budgets.HOST.most)
    with app.app_context():
        found = delivery_budgets.spend(app.extensions["tegami"], receivers.find(receiver))
    assert (found.until is None) is goes


def test_the_host_of_a_chat_service_has_no_budget_for_all_players_together(app, cast, receiver):
    """Many people have channels there; each player's share stays, and so does that of new receivers."""
    made(cast.alice, DISCORD)
    made(cast.alice, "https://bot.example/hook")
    for host in ("discord.com", "bot.example"):
        spent(app, Attempt(delivery_budgets.HOST, host), delivery_budgets.HOST.most)
    cast.start(CARAVAN)
    receiver.fetch()
    assert {each.url for each in receiver.got} == {DISCORD}
