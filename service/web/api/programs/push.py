"""Web Push: the browsers in which a player is notified, and the key with which a browser subscribes."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.models.receivers import PUSH, Receiver
from service.core.runtime.time_and_random import rfc3339
from service.notifications.receivers import browsers, receivers, web_push
from service.web.api.programs.webhook_schemas import NewBrowser
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import signed_in, signed_in_by_cookie, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.http.caller.sign_in_cookie import browser_name
from service.web.http.limits.rate_limits import limited

bp = Blueprint("push", __name__, url_prefix="/api/me/push")


@bp.get("")
@signed_in("account")
def list_browsers() -> Json:
    """List the browsers in which the caller is notified, and the key for subscribing; the key is null if nothing is
    pushed.
    """
    config, me = current_services().config, signed_in_caller()
    found = receivers.of_player(me.id, PUSH) if config.pushes else []
    known = [each for each in found if browsers.knows_us(config, each)]
    return {
        "key": web_push.public_key(config) if config.pushes else None,
        "browsers": [browser_json(each, here=me.credential) for each in known],
    }


@bp.post("")
@limited("push")
@signed_in_by_cookie
@parse_body(NewBrowser)
def subscribe_browser(body: Json) -> tuple[Json, int]:
    """Notify the caller in this browser from now on."""
    me, label = signed_in_caller(), browser_name() or ""
    made = browsers.subscribe(current_services(), me.id, me.credential, label, body)
    return {"browser": browser_json(made, here=me.credential)}, 201


@bp.delete("/<browser:browser_id>")
@signed_in("account")
def forget_browser(browser_id: str) -> tuple[str, int]:
    """End notifications in this browser."""
    receivers.remove(signed_in_caller().id, browser_id, PUSH)
    return "", 204


def browser_json(browser: Receiver, *, here: str) -> Json:
    """A browser for notifications; `here` is the id of the present sign-in."""
    return {
        "id": browser.id,
        "browser": browser.label or None,
        "created_at": rfc3339(browser.made_at),
        "delivered_at": browser.delivered_at and rfc3339(browser.delivered_at),
        "failing_since": browser.failing_since and rfc3339(browser.failing_since),
        "current": browser.credential_id == here,
    }
