"""The examples of webhooks and of Web Push: a receiver that has accepted something, and the refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from service.core.models.receivers import WEBHOOK
from service.notifications.receivers.browsers import MOST as MOST_BROWSERS
from service.notifications.receivers.courier import Courier
from service.notifications.receivers.guarded_post import PostOutcome, Request
from service.notifications.receivers.receivers import MOST
from service.notifications.receivers.web_push import encoded
from tests.record_people import newcomer
from tests.support.sending import deliver_all

Json = dict[str, Any]
URL = "https://bot.example/tegami"
PUSH_SERVICE = "https://push.example/send"


def about_webhooks(recorder: Any, who: Json) -> None:
    """Let a program be told of the changes that it wants to know, and be tried out."""
    wish = {"url": URL, "label": "my bot", "kinds": ["turn", "ended"]}
    made = recorder.call("makeWebhook", who, wish)["webhook"]
    at = {"webhook_id": made["id"]}
    table = {"ruleset": "caravan", "house": 1, "start": "full", "nonce": None, "pace": "steady"}
    recorder.call("openGame", who, table, variant="webhooks")
    recorder.call("pingWebhook", who, **at)
    send(recorder, PostOutcome(status=204), PostOutcome(status=503))
    recorder.call("listDeliveries", who, **at)
    recorder.call("redeliver", who, number=1, **at)
    send(recorder, PostOutcome(status=204))
    recorder.call("rotateSecret", who, **at)
    recorder.call("changeWebhook", who, {"kinds": None}, **at)
    recorder.call("listWebhooks", who)
    recorder.call("getWebhook", who, **at)
    about_refusals(recorder, who, at)


def about_push(recorder: Any) -> None:
    """Let somebody be notified in browsers: the requests, and the refusals."""
    who = newcomer(recorder, "Mio")
    made = recorder.call("subscribeBrowser", who, subscription("1"))["browser"]
    recorder.call("listBrowsers", who)
    keys = {"p256dh": "A" * 87, "auth": "A" * 22}
    wrong = {"endpoint": f"{PUSH_SERVICE}/1", "keys": keys}
    recorder.call("subscribeBrowser", who, wrong, variant="wrong")
    for number in range(MOST_BROWSERS):
        recorder.call("subscribeBrowser", who, subscription(f"more/{number}"), variant="more")
    recorder.call("forgetBrowser", who, browser_id=made["id"])
    services = recorder.app.extensions["tegami"]
    off = replace(services.config, push="off")
    recorder.app.extensions["tegami"] = replace(services, config=off)
    recorder.call("subscribeBrowser", who, subscription("1"), variant="off")
    recorder.app.extensions["tegami"] = services


def subscription(path: str) -> Json:
    """The subscription of a browser whose private key is 1, so that it is always the same."""
    point = ec.derive_private_key(1, ec.SECP256R1()).public_key()
    public = point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    keys = {"p256dh": encoded(public), "auth": encoded(bytes(range(16)))}
    return {"endpoint": f"{PUSH_SERVICE}/{path}", "keys": keys}


def about_refusals(recorder: Any, who: Json, at: Json) -> None:
    """A private network, a webhook that is off, and one too many."""
    inside = {"url": "https://127.0.0.1:8000/", "label": "inside"}
    recorder.call("makeWebhook", who, inside, variant="refused")
    recorder.call("changeWebhook", who, {"active": False}, variant="off", **at)
    recorder.call("pingWebhook", who, variant="off", **at)
    for n in range(MOST):
        more = {"url": f"{URL}/{n}", "label": "more"}
        recorder.call("makeWebhook", who, more, variant="more")


def send(recorder: Any, *answers: PostOutcome) -> None:
    """Send the due messages to a receiver that responds with this status, then with 204."""
    left = list(answers)

    def post(_request: Request) -> PostOutcome:
        return left.pop(0) if left else PostOutcome(status=204)

    with recorder.app.app_context():
        deliver_all(Courier(recorder.app.extensions["tegami"], {WEBHOOK: post}))
