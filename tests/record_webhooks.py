"""The examples of webhooks: one that a receiver has taken something from, and what is refused."""

from __future__ import annotations

from typing import Any

from service.webhooks.courier import Courier
from service.webhooks.guarded_post import Outcome, Request
from service.webhooks.receivers import MOST

Json = dict[str, Any]
URL = "https://bot.example/tegami"


def about_webhooks(recorder: Any, who: Json) -> None:
    """A program is told of what it wants to know, and is tried out."""
    wish = {"url": URL, "label": "my bot", "kinds": ["turn", "ended"]}
    made = recorder.call("makeWebhook", who, wish)["webhook"]
    at = {"webhook_id": made["id"]}
    table = {"ruleset": "caravan", "house": 1, "start": "full", "nonce": None, "pace": "steady"}
    recorder.call("openGame", who, table, variant="webhooks")
    recorder.call("pingWebhook", who, **at)
    send(recorder, Outcome(status=204), Outcome(status=503))
    recorder.call("listDeliveries", who, **at)
    recorder.call("redeliver", who, number=1, **at)
    send(recorder, Outcome(status=204))
    recorder.call("rotateSecret", who, **at)
    recorder.call("changeWebhook", who, {"kinds": None}, **at)
    recorder.call("listWebhooks", who)
    recorder.call("getWebhook", who, **at)
    about_refusals(recorder, who, at)


def about_refusals(recorder: Any, who: Json, at: Json) -> None:
    """A private network, a webhook that is off, and one too many."""
    inside = {"url": "https://127.0.0.1:8000/", "label": "inside"}
    recorder.call("makeWebhook", who, inside, variant="refused")
    recorder.call("changeWebhook", who, {"active": False}, variant="off", **at)
    recorder.call("pingWebhook", who, variant="off", **at)
    for n in range(MOST):
        more = {"url": f"{URL}/{n}", "label": "more"}
        recorder.call("makeWebhook", who, more, variant="more")


def send(recorder: Any, *answers: Outcome) -> None:
    """Send what is due to a receiver that answers this, then 204."""
    left = list(answers)

    def post(_request: Request) -> Outcome:
        return left.pop(0) if left else Outcome(status=204)

    with recorder.app.app_context():
        Courier(recorder.app.extensions["tegami"], post).send_all()
