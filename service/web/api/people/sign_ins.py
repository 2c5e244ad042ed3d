"""Sign-ins of browsers: beginning, listing and ending them."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service.core.models.people import Credential
from service.core.runtime.time_and_random import rfc3339
from service.people.accounts import accounts
from service.people.credentials import credentials
from service.people.sign_ins import sign_ins
from service.web.api.people.me import player_json
from service.web.api.people.people_schemas import NewLink, PasswordReset, SecretLink, SignIn
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller import sign_in_cookie
from service.web.http.caller.caller import (
    caller,
    caller_id,
    open_to_visitors,
    signed_in,
    signed_in_by_cookie,
    signed_in_caller,
)
from service.web.http.caller.context import current_services
from service.web.http.limits.mailing import ask_for_link
from service.web.http.limits.rate_limits import limited

bp = Blueprint("sign_ins", __name__, url_prefix="/api")


@bp.post("/sign-ins")
@limited("sign-ins")
@parse_body(SignIn)
def sign_in(body: Json) -> tuple[Response, int]:
    """Sign in: with the secret link, a password, or a mailed key."""
    services, browser = current_services(), sign_in_cookie.browser_name()
    if "key" in body:
        found = sign_ins.by_link(services, body["key"], browser)
    elif "mailed" in body:
        found = sign_ins.by_mailed_key(services, services.config, body["mailed"], browser)
    else:
        found = sign_in_cookie.by_typed_password(body["who"], body["password"])
    return _signed_in(found)


@bp.post("/sign-ins/preview")
@limited("sign-ins")
@open_to_visitors("read")
@parse_body(SecretLink)
def preview_sign_in(body: Json) -> Json:
    """Show to whom a secret link belongs, before it replaces the present sign-in."""
    owner, present = sign_ins.owner_of_link(current_services(), body["key"]), caller()
    return {"name": owner.name, "current": present is not None and present.id == owner.id}


@bp.post("/links")
@limited("sign-ins")
@parse_body(NewLink)
def mail_link(body: Json) -> tuple[Json, int]:
    """Mail a link for signing in or for choosing a new password. The response is the same for everybody."""
    until = ask_for_link(body["kind"], body["who"])
    return {"waits_until": until and rfc3339(until)}, 202


@bp.post("/password-resets")
@limited("sign-ins")
@parse_body(PasswordReset)
def reset_password(body: Json) -> tuple[Response, int]:
    """Choose a new password with a mailed key. This signs in, and ends all other sign-ins."""
    services, key, password = current_services(), body["key"], body["password"]
    made_with = services, services.config, services.passwords
    found = sign_ins.reset_password(*made_with, key, password, sign_in_cookie.browser_name())
    return _signed_in(found)


@bp.delete("/sign-ins/current")
@open_to_visitors("read")
def sign_out() -> Response:
    """End this sign-in; a bearer token stays valid."""
    player = caller()
    if player is not None:
        credentials.sign_out(current_services(), player)
    return sign_in_cookie.signed_out()


@bp.get("/me/sign-ins")
@signed_in("account")
def list_sign_ins() -> Json:
    """List the browsers in which the caller is signed in."""
    present = signed_in_caller().credential
    mine = credentials.active(current_services(), caller_id(), "cookie")
    return {"sign_ins": [sign_in_json(row, current=row.id == present) for row in mine]}


@bp.delete("/me/sign-ins")
@signed_in_by_cookie
def end_sign_ins() -> Response:
    """Sign out everywhere, including here."""
    link = accounts.can_sign_in(accounts.find(caller_id()))
    credentials.sign_out_everywhere(current_services(), caller_id(), link=link)
    return sign_in_cookie.signed_out()


@bp.delete("/me/sign-ins/<token:sign_in_id>")
@signed_in_by_cookie
def end_sign_in(sign_in_id: str) -> Response:
    """End one sign-in."""
    credentials.end(current_services(), caller_id(), sign_in_id, "cookie")
    is_here = sign_in_id == signed_in_caller().credential
    return sign_in_cookie.signed_out() if is_here else Response(status=204)


def sign_in_json(row: Credential, *, current: bool) -> Json:
    """A sign-in: the kind of browser and the times, but no address."""
    return {
        "id": row.id,
        "browser": row.label,
        "created_at": rfc3339(row.created_at),
        "seen_at": rfc3339(row.seen_at or row.created_at),
        "current": current,
    }


def _signed_in(found: sign_ins.SignedIn) -> tuple[Response, int]:
    """The response to a player with a new sign-in, which sets the cookie."""
    return sign_in_cookie.with_sign_in(jsonify({"player": player_json(found.player)}), found), 201
