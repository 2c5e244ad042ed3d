"""Accounts: registering, changing the password or the address, exporting the data, erasing the account."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service import personal_data
from service.people import players
from service.people.accounts import accounts, proven_addresses
from service.web.api.people import people_schemas
from service.web.api.people.me import player_json
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import signed_in, signed_in_by_cookie, signed_in_caller
from service.web.http.caller.context import current_services
from service.web.http.caller.sign_in_cookie import remember_browser, signed_out
from service.web.http.limits import attempt_limits
from service.web.http.limits.mailing import register
from service.web.http.limits.rate_limits import limited

bp = Blueprint("accounts", __name__, url_prefix="/api")


@bp.post("/me/registration")
@limited("sign-ins")
@signed_in_by_cookie
@parse_body(people_schemas.Registration)
def register_me(body: Json) -> tuple[Response, int]:
    """Become a registered player, who keeps all seats; all other credentials end."""
    caller = signed_in_caller()
    register(caller, body)
    return remember_browser(jsonify(_me()), caller.id, caller.credential), 201


@bp.post("/me/proven-address")
@limited("sign-ins")
@signed_in_by_cookie
def adopt_proven_address() -> tuple[Response, int]:
    """Become a registered player with the address that the caller has proven by opening its invitation; all other
    credentials end.
    """
    services, caller = current_services(), signed_in_caller()
    proven_addresses.adopt(services, services.config, caller)
    return remember_browser(jsonify(_me()), caller.id, caller.credential), 201


@bp.delete("/me/proven-address")
@signed_in_by_cookie
def forget_proven_address() -> tuple[str, int]:
    """Forget the address that the caller has proven, to which nothing more is mailed."""
    proven_addresses.forget(signed_in_caller().id)
    return "", 204


@bp.put("/me/password")
@limited("passwords")
@signed_in_by_cookie
@parse_body(people_schemas.NewPassword)
def change_password(body: Json) -> tuple[str, int]:
    """Set or change the password; all other credentials end."""
    services, player = current_services(), signed_in_caller()
    accounts.check_new_password(player.id, body["password"])
    confirm_password(body)
    password_hash = services.passwords.hash(body["password"])
    accounts.change_password(services, player.id, password_hash, player.credential)
    return "", 204


@bp.put("/me/address")
@limited("passwords")
@signed_in_by_cookie
@parse_body(people_schemas.NewAddress)
def change_address(body: Json) -> tuple[Json, int]:
    """Request a change of address, which takes effect when the address is verified."""
    me, address = signed_in_caller().id, body["address"]
    accounts.get(me)
    confirm_password(body)
    attempt_limits.count(attempt_limits.mail(address))
    accounts.change_address(current_services(), me, address)
    return _me(), 202


@bp.post("/verifications")
@limited("sign-ins")
@signed_in_by_cookie
@parse_body(people_schemas.Verification)
def verify_address(body: Json) -> tuple[str, int]:
    """Verify an address of the caller with the key that was mailed to it."""
    services = current_services()
    accounts.verify_address(services, services.config, signed_in_caller(), body["key"])
    return "", 204


@bp.post("/address-rejections")
@limited("sign-ins")
@parse_body(people_schemas.Verification)
def reject_address(body: Json) -> tuple[str, int]:
    """Remove an address from the account for which somebody else typed it."""
    services = current_services()
    accounts.reject_address(services, services.config, body["key"])
    return "", 204


@bp.get("/me/export")
@limited("exports")
@signed_in("account")
def export_me() -> tuple[Json, Json]:
    """Return everything that is stored about the caller."""
    exported = personal_data.export(current_services(), signed_in_caller().id)
    return exported, {"Content-Disposition": 'attachment; filename="tegami.json"'}


@bp.post("/me/erasure")
@limited("passwords")
@signed_in_by_cookie
@parse_body(people_schemas.Confirmed)
def erase_me(body: Json) -> Response:
    """Erase the caller's account."""
    confirm_password(body)
    personal_data.erase(current_services(), signed_in_caller().id)
    return signed_out(forgotten=True)


def confirm_password(body: Json) -> None:
    """Check the password in the body, if the caller has a password. Raises WrongPassword, TooManyRequests."""
    player, password = signed_in_caller(), body.get("current_password")
    with attempt_limits.guessing(attempt_limits.confirmation(player.credential)):
        accounts.confirm_password(current_services().passwords, player.id, password)


def _me() -> Json:
    return {"player": player_json(players.get(signed_in_caller().id))}
