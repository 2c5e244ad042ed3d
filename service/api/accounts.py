"""Accounts: register, change password and address, take one's data along, go for good."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service import accounts, erasure, people
from service.accounts import Wish
from service.api import tries
from service.api.common import by_cookie, caller, player_id, signed_in, takes, tools
from service.api.limits import limited
from service.api.sign_ins import forgotten, shown
from service.export import export
from service.problems import AlreadyRegistered, HandleTaken
from service.schemas_people import Erasure, NewAddress, NewPassword, Registration, Verification

bp = Blueprint("accounts", __name__, url_prefix="/api")


@bp.post("/me/registration")
@limited("sign-ins")
@by_cookie
@takes(Registration)
def register_me(body: Json) -> tuple[Json, int]:
    """Become a registered player, with all seats, tokens and the secret link."""
    tried = tries.mailing(body["address"])
    tries.count(tried)
    password = body.get("password")
    kept = tools().passwords.keep(password) if password else None
    try:
        wish = Wish(body["handle"], body["address"], kept)
        accounts.register(tools().outside, player_id(), wish)
    except (AlreadyRegistered, HandleTaken):  # no mail was sent
        tries.forgive(tried)
        raise
    return me(), 201


@bp.put("/me/password")
@limited("passwords")
@by_cookie
@takes(NewPassword)
def change_password(body: Json) -> tuple[str, int]:
    """Set or change the password; all other sign-ins end."""
    accounts.registered(player_id())
    confirm(body)
    kept = tools().passwords.keep(body["password"])
    player: Any = caller()
    accounts.change_password(tools().outside, player.id, kept, player.credential)
    return "", 204


@bp.put("/me/address")
@limited("passwords")
@by_cookie
@takes(NewAddress)
def change_address(body: Json) -> tuple[Json, int]:
    """Ask for another address; it counts when it is verified."""
    accounts.registered(player_id())
    confirm(body)
    tries.count(tries.mailing(body["address"]))
    accounts.change_address(tools().outside, player_id(), body["address"])
    return me(), 202


@bp.post("/verifications")
@limited("sign-ins")
@takes(Verification)
def verify_address(body: Json) -> tuple[str, int]:
    """Verify an address with the key that was mailed there."""
    accounts.verify(tools().outside, tools().config, body["key"])
    return "", 204


@bp.get("/me/export")
@limited("exports")
@signed_in
def export_me() -> Response:
    """Everything that is kept about me."""
    response = jsonify(export(tools().outside, player_id()))
    response.headers["Content-Disposition"] = 'attachment; filename="tegami.json"'
    return response


@bp.post("/me/erasure")
@limited("passwords")
@by_cookie
@takes(Erasure)
def erase_me(body: Json) -> Response:
    """Go for good."""
    confirm(body)
    erasure.erase(tools().outside, tools().states, player_id())
    return forgotten()


def confirm(body: Json) -> None:
    """That it is the player who asks, if there is a password to ask for."""
    tried = tries.confirming(player_id())
    tries.count(tried)
    accounts.confirm(tools().passwords, player_id(), body.get("current_password"))
    tries.forgive(tried)


def me() -> Json:
    """Who I am now."""
    return {"player": shown(people.find(player_id()))}
