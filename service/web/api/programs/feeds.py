"""Feeds at secret addresses, which show the games that wait for the player, and nothing else."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.models.people import Credential
from service.core.runtime.time_and_random import rfc3339
from service.people.credentials import credentials
from service.web.api.people.people_schemas import Labelled
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.http.idempotency.repeatable import repeatable
from service.web.http.limits.rate_limits import limited

bp = Blueprint("feed_addresses", __name__, url_prefix="/api/me/feeds")


@bp.get("")
@signed_in("account")
def list_feeds() -> Json:
    """List the caller's feeds, without their addresses."""
    found = credentials.active(current_services(), caller_id(), credentials.FEED)
    return {"feeds": [feed_json(each) for each in found]}


@bp.post("")
@limited("tokens")
@signed_in("account")
@repeatable
@parse_body(Labelled)
def make_feed(body: Json) -> tuple[Json, int]:
    """Make the addresses of a new feed; they are shown only in this response."""
    services = current_services()
    feed, secret = credentials.make_feed(services, signed_in_caller(), body["label"])
    address = f"{services.config.public_url}/feeds/{secret}"
    made = {"turns": f"{address}/turns.atom", "deadlines": f"{address}/deadlines.ics"}
    made["series"] = f"{address}/series/"
    return {"feed": feed_json(feed) | made}, 201


@bp.delete("/<token:feed_id>")
@signed_in("account")
def revoke_feed(feed_id: str) -> tuple[str, int]:
    """Revoke the addresses of a feed."""
    credentials.end(current_services(), caller_id(), feed_id, credentials.FEED)
    return "", 204


def feed_json(feed: Credential) -> Json:
    """A feed, without its addresses."""
    return {"id": feed.id, "label": feed.label, "created_at": rfc3339(feed.created_at)}
