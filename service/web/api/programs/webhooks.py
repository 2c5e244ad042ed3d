"""Webhooks: addresses of programs to which a player's changes are sent."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.models.receivers import WEBHOOK, Delivery, DeliveryAttempt, Receiver
from service.core.runtime.problems import WebhooksOff
from service.core.runtime.time_and_random import rfc3339
from service.notifications.receivers import contents, deliveries, receivers
from service.web.api.programs.webhook_schemas import ChangedWebhook, NewWebhook
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, QueryInteger, page_size
from service.web.http.bodies.wrong_members import between
from service.web.http.caller.caller import caller_id, signed_in, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.http.idempotency.repeatable import repeatable
from service.web.http.limits.rate_limits import MOST_ENTRIES, USUAL_ENTRIES, limited

bp = Blueprint("webhooks", __name__, url_prefix="/api/me/webhooks")


class DeliveriesQuery(Body):
    """The query of GET /me/webhooks/{id}/deliveries."""

    before = QueryInteger(validate=between(1, MAX_EVENT_NUMBER))
    limit = page_size(MOST_ENTRIES, USUAL_ENTRIES)


@bp.get("")
@signed_in("account")
def list_webhooks() -> Json:
    """List the caller's webhooks, without their secrets."""
    return {"webhooks": [webhook_json(each) for each in receivers.of_player(caller_id(), WEBHOOK)]}


@bp.post("")
@limited("webhooks")
@signed_in("account")
@repeatable
@parse_body(NewWebhook)
def make_webhook(body: Json) -> tuple[Json, int]:
    """Make a new webhook; its secret is shown only in this response."""
    services = current_services()
    _refuse_unless_on()
    made = receivers.make(services, caller_id(), body, signed_in_caller().token)
    return {
        "webhook": webhook_json(made) | {"secret": receivers.secret(services.config, made)}
    }, 201


@bp.get("/<webhook:webhook_id>")
@signed_in("account")
def get_webhook(webhook_id: str) -> Json:
    """Show one of the caller's webhooks."""
    return {"webhook": webhook_json(receivers.get(caller_id(), webhook_id))}


@bp.patch("/<webhook:webhook_id>")
@limited("webhooks")
@signed_in("account")
@parse_body(ChangedWebhook)
def change_webhook(body: Json, webhook_id: str) -> Json:
    """Change a webhook, or switch it on or off."""
    by = signed_in_caller().token
    changed = receivers.change(current_services(), caller_id(), webhook_id, body, by)
    return {"webhook": webhook_json(changed)}


@bp.delete("/<webhook:webhook_id>")
@signed_in("account")
def delete_webhook(webhook_id: str) -> tuple[str, int]:
    """Delete a webhook."""
    receivers.remove(caller_id(), webhook_id, WEBHOOK)
    return "", 204


@bp.post("/<webhook:webhook_id>/secret")
@limited("webhooks")
@signed_in("account")
def rotate_secret(webhook_id: str) -> Json:
    """Make a new secret; the previous one also signs for a while."""
    services = current_services()
    mine = receivers.rotate(services, caller_id(), webhook_id, signed_in_caller().token)
    return {"webhook": webhook_json(mine) | {"secret": receivers.secret(services.config, mine)}}


@bp.post("/<webhook:webhook_id>/ping")
@limited("webhooks")
@signed_in("account")
def ping_webhook(webhook_id: str) -> tuple[Json, int]:
    """Send a test message to a webhook."""
    _refuse_unless_on(receivers.get(caller_id(), webhook_id))
    sent = deliveries.ping(current_services(), caller_id(), webhook_id)
    return {"delivery": delivery_json(sent, [], sent.run_at)}, 202


@bp.get("/<webhook:webhook_id>/deliveries")
@signed_in("account")
@parse_query(DeliveriesQuery)
def list_deliveries(query: Json, webhook_id: str) -> Json:
    """List the deliveries to a webhook and their outcomes."""
    mine = receivers.get(caller_id(), webhook_id)
    found = deliveries.page(mine.id, query.get("before"), query["limit"])
    return {"deliveries": _with_attempts(mine, found)}


@bp.post("/<webhook:webhook_id>/deliveries/<int(max=2147483647):number>/redelivery")
@limited("webhooks")
@signed_in("account")
def redeliver(webhook_id: str, number: int) -> tuple[Json, int]:
    """Send a delivery again."""
    _refuse_unless_on(receivers.get(caller_id(), webhook_id))
    sent = deliveries.redeliver(current_services(), caller_id(), webhook_id, number)
    (shown,) = _with_attempts(receivers.get(caller_id(), webhook_id), [sent])
    return {"delivery": shown}, 202


def _refuse_unless_on(webhook: Receiver | None = None) -> None:
    """Raise WebhooksOff if this webhook, or all webhooks, are switched off."""
    if current_services().config.webhooks == "off" or (webhook and webhook.off_at is not None):
        raise WebhooksOff


def _with_attempts(webhook: Receiver, found: list[Delivery]) -> list[Json]:
    made = deliveries.attempts(webhook.id, [each.sequence for each in found])
    return [delivery_json(each, made, max(each.run_at, webhook.held_until)) for each in found]


def webhook_json(webhook: Receiver) -> Json:
    """A webhook, without its secret."""
    both_until = (webhook.rotated_at or 0) + receivers.BOTH_SIGN
    both_sign = current_services().now() < both_until
    return {
        "id": webhook.id,
        "url": webhook.url,
        "label": webhook.label,
        "kinds": webhook.wanted,
        "shape": receivers.shape(webhook),
        "created_at": rfc3339(webhook.made_at),
        "active": webhook.off_at is None,
        "off_at": webhook.off_at and rfc3339(webhook.off_at),
        "off_why": webhook.off_why,
        "failing_since": webhook.failing_since and rfc3339(webhook.failing_since),
        "old_secret_until": rfc3339(both_until) if both_sign else None,
        "sequence": webhook.sequence,
    }


def delivery_json(delivery: Delivery, attempts: list[DeliveryAttempt], next_at: int) -> Json:
    """A delivery, with its own attempts among `attempts`; unless it was sent, it is tried at `next_at` (ms UTC)."""
    return {
        "sequence": delivery.sequence,
        "type": delivery.kind,
        "at": rfc3339(delivery.at),
        "change": contents.change_of(delivery),
        "state": delivery.outcome or "pending",
        "next_at": None if delivery.outcome else rfc3339(next_at),
        "attempts": [
            {
                "at": rfc3339(each.at),
                "milliseconds": each.took,
                "status": each.status,
                "error": each.error,
            }
            for each in attempts
            if each.sequence == delivery.sequence
        ],
    }
