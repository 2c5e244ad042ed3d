"""Sign-ins of browsers: begin, list, end; and how a player is shown to themselves."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify, request

from rules.kernel import Json
from service import accounts, browsers, people, sign_ins
from service.api import tries
from service.api.common import by_cookie, caller, player_id, signed_in, takes, tools
from service.api.limits import limited
from service.outside import rfc3339
from service.schemas_people import NewLink, PasswordReset, SignIn

bp = Blueprint("sign_ins", __name__, url_prefix="/api")


@bp.post("/sign-ins")
@limited("sign-ins")
@takes(SignIn)
def sign_in(body: Json) -> tuple[Response, int]:
    """Come back: by the secret link, by password, or by a mailed key."""
    kit = tools()
    if "key" in body:
        return welcomed(people.sign_in(kit.outside, body["key"], browser()))
    if "mailed" in body:
        return welcomed(sign_ins.by_mail(kit.outside, kit.config, body["mailed"], browser()))
    tried = tries.signing_in(body["who"])
    tries.count(tried)
    password = body["password"]
    found = sign_ins.by_password(kit.outside, kit.passwords, body["who"], password, browser())
    tries.forgive(tried)
    return welcomed(found)


@bp.post("/links")
@limited("sign-ins")
@takes(NewLink)
def mail_link(body: Json) -> tuple[str, int]:
    """Let a link be mailed, to sign in or to choose a new password. The answer is the same for everybody."""
    tries.count(tries.mailing(body["who"]))
    accounts.ask_for_link(tools().outside, body["kind"], body["who"])
    return "", 202


@bp.post("/password-resets")
@limited("sign-ins")
@takes(PasswordReset)
def reset_password(body: Json) -> tuple[Response, int]:
    """Choose a new password with a mailed key; that signs in, and ends all other sign-ins."""
    kit = tools()
    return welcomed(
        sign_ins.reset(
            kit.outside, kit.config, kit.passwords, body["key"], body["password"], browser()
        )
    )


@bp.delete("/sign-ins/current")
def sign_out() -> Response:
    """End this sign-in; a bearer token stays."""
    player = caller()
    if player is not None:
        people.end_sign_in(tools().outside, player.credential)
    return forgotten()


@bp.get("/me/sign-ins")
@signed_in
def list_sign_ins() -> Json:
    """Where I am signed in."""
    mine = people.credentials(player_id(), "cookie")
    return {"sign_ins": [sign_in_shown(each) for each in mine]}


@bp.delete("/me/sign-ins")
@by_cookie
def end_sign_ins() -> Response:
    """Sign out everywhere, here too."""
    link = accounts.comes_back(accounts.find(player_id()))
    people.sign_out_everywhere(tools().outside, player_id(), link=link)
    return forgotten()


@bp.delete("/me/sign-ins/<token:sign_in_id>")
@by_cookie
def end_sign_in(sign_in_id: str) -> tuple[str, int]:
    """End one sign-in."""
    people.end_credential(tools().outside, player_id(), sign_in_id, "cookie")
    return "", 204


def sign_in_shown(row: Any) -> Json:
    """A sign-in: the kind of browser, and when; no address."""
    player: Any = caller()
    return {
        "id": row.id,
        "browser": row.label,
        "created_at": rfc3339(row.created_at),
        "seen_at": rfc3339(row.seen_at or row.created_at),
        "current": row.id == player.credential,
    }


def shown(player: Any) -> Json:
    """A player as they see themselves."""
    account = accounts.find(player.id)
    return {
        "id": player.id,
        "name": player.name,
        "guest": not accounts.comes_back(account),
        "language": player.language,
        "created_at": rfc3339(player.created_at),
        "handle": account and account.handle,
        "address": account and account.address,
        "unverified_address": account and account.pending,
        "has_password": bool(account and account.password),
    }


def browser() -> str | None:
    """What is kept of the caller's browser."""
    return browsers.label(request.headers.get("User-Agent", ""))


def welcomed(found: tuple[Any, str]) -> tuple[Response, int]:
    """The answer to a player with a new sign-in."""
    player, secret = found
    return signing_in(jsonify({"player": shown(player)}), secret), 201


def signing_in(response: Response, secret: str) -> Response:
    """`response` with the cookie of a sign-in."""
    config = tools().config
    response.set_cookie(
        config.cookie,
        secret,
        max_age=people.COOKIE_AGE,
        secure=config.secure,
        httponly=True,
        samesite="Lax",
    )
    return response


def forgotten() -> Response:
    """The answer that takes the cookie away."""
    response = Response(status=204)
    response.delete_cookie(tools().config.cookie, secure=tools().config.secure)
    return response
