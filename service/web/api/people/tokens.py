"""Bearer tokens, with which programs sign in."""

from __future__ import annotations

from flask import Blueprint
from marshmallow import fields

from rules.kernel import Json
from service.core.models.people import Credential
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import DAY
from service.people.credentials import credentials, made_by_tokens
from service.people.credentials.made_by_tokens import Made
from service.web.api.people.people_schemas import NewToken
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import one_of
from service.web.http.caller.caller import caller_id, signed_in, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.http.idempotency.repeatable import repeatable
from service.web.http.limits.rate_limits import limited

bp = Blueprint("tokens", __name__, url_prefix="/api/me/tokens")


class RevocationQuery(Body):
    """The query of DELETE /me/tokens/{id}."""

    keep = fields.String(load_default="false", validate=one_of(("true", "false")))


@bp.get("")
@signed_in("account")
def list_tokens() -> Json:
    """List the caller's bearer tokens, without their secrets, with what was made with each."""
    services = current_services()
    tokens = credentials.active(services, caller_id(), "token")
    made = made_by_tokens.made(services, caller_id())
    return {
        "tokens": [
            token_json(token)
            | {"client": token.client, "made": made.get(token.id, Made())._asdict()}
            for token in tokens
        ]
    }


@bp.post("")
@limited("tokens")
@signed_in("account")
@repeatable
@parse_body(NewToken)
def make_token(body: Json) -> tuple[Json, int]:
    """Make a new bearer token; its secret is shown only in this response."""
    runtime = current_services()
    terms = credentials.TokenTerms(body["label"], body["scopes"], expiry(body))
    token, secret = credentials.delegate_token(runtime, signed_in_caller(), terms)
    return {"token": token_json(token, secret)}, 201


@bp.delete("/<token:token_id>")
@signed_in("account")
@parse_query(RevocationQuery)
def revoke_token(query: Json, token_id: str) -> tuple[str, int]:
    """Revoke a bearer token, together with everything that was made with it."""
    keep = query["keep"] == "true"
    made_by_tokens.revoke(current_services(), signed_in_caller(), token_id, keep=keep)
    return "", 204


def expiry(body: Json) -> int | None:
    """The time at which a requested token expires (ms UTC); None if it never does."""
    days = body.get("expires_in_days")
    return days and current_services().now() + days * DAY


def token_json(token: Credential, secret: str | None = None) -> Json:
    """A token, with its secret if it is new."""
    shown = {
        "id": token.id,
        "label": token.label,
        "created_at": rfc3339(token.created_at),
        "scopes": (token.scopes or "").split(),
        "expires_at": token.expires_at and rfc3339(token.expires_at),
        "used_at": token.seen_at and rfc3339(token.seen_at),
    }
    return {**shown, "secret": secret} if secret else shown
