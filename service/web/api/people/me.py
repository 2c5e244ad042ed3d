"""The caller: becoming a guest, name and language, the secret link, and the games that wait for them."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service.core.models.people import Account
from service.core.runtime.time_and_random import rfc3339
from service.notifications.mail_sending.waiting import verification_until
from service.outbox.addresses import undelivered
from service.people import players
from service.people.accounts import accounts, guests, proven_addresses
from service.people.credentials import credentials
from service.tables.views import game_lists
from service.web.api.people.people_schemas import ChangedPlayer, NewPlayer
from service.web.api.people.tokens import expiry, token_json
from service.web.http import audit_log
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import signed_in, signed_in_by_cookie, signed_in_caller
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.caller.sign_in_cookie import browser_name, set_cookie
from service.web.http.headers.cross_site import check_site, from_anywhere
from service.web.http.idempotency.repeatable import repeatable
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("me", __name__, url_prefix="/api")


@bp.post("/players")
@from_anywhere
@limited("players")
@repeatable
@parse_body(NewPlayer)
def make_player(body: Json) -> tuple[Response, int]:
    """Become a guest, who gets a cookie or, if the body has the label for one, a bearer token.

    Raises CrossSite for a cookie that another site requests.
    """
    services, token = current_services(), first_token(body)
    if token is None:
        check_site()
    language = body.get("language") or preferred_language()
    code, program = body.get("invitation"), body.get("program", False)
    request = guests.GuestRequest(body["name"], language, token, browser_name(), code, program)
    needs_code = services.config.registration == "invited"
    with attempt_limits.counted(attempt_limits.guest()):
        guest = guests.create(services, request, needs_code=needs_code)
    audit_log.about(guest.player.id)
    answer = {"player": player_json(guest.player), "link": link_json(guest.link)}
    if token is None:
        return set_cookie(jsonify(answer), guest.credential.secret, guest.player.id), 201
    return jsonify({**answer, "token": token_json(*guest.credential)}), 201


def first_token(body: Json) -> credentials.TokenTerms | None:
    """The terms of the token that a program asks for; None for a browser. Such a token can at least read and play."""
    if "token" not in body:
        return None
    scopes = {*credentials.DEFAULT_SCOPES, *body.get("scopes", ())}
    return credentials.TokenTerms(body["token"], scopes, expiry(body))


@bp.get("/me")
@signed_in("read")
def get_me() -> Json:
    """Show who the caller is."""
    return {"player": player_json(signed_in_caller())}


@bp.patch("/me")
@signed_in("account")
@parse_body(ChangedPlayer)
def change_me(body: Json) -> Json:
    """Change the caller's name or language."""
    if not body:
        return {"player": player_json(signed_in_caller())}
    now, me = current_services().now(), signed_in_caller().id
    return {"player": player_json(players.change_profile(now, me, body))}


@bp.post("/me/link")
@signed_in_by_cookie
def make_link() -> tuple[Json, int]:
    """Make a new secret link, with which the caller can come back; the old one ends."""
    secret = credentials.replace_link(current_services(), signed_in_caller().id)
    return {"link": link_json(secret)}, 201


@bp.get("/me/turns")
@signed_in("read")
def list_turns() -> Response:
    """List every game that waits for the caller, the most urgent first: a single poll for all games."""
    me, services = signed_in_caller().id, current_services()
    standing = game_lists.standing(me, services.now(), services.config.poll_after)
    turns = game_lists.turns(me, preferred_language())
    return with_content_etag({"turns": turns, **standing})


def player_json(player: players.PlayerRow) -> Json:
    """A player in the form in which players see themselves."""
    account, services = accounts.find(player.id), current_services()
    until = verification_until(services, account) if account else None
    number = accounts.verification_number(services.config, account) if account else None
    return {
        **({} if until is None else {"verification_waits_until": rfc3339(until)}),
        **(unverified_json(account) if account else {}),
        **({} if number is None else {"verification_number": number}),
        "id": player.id,
        "name": player.name,
        "guest": not accounts.can_sign_in(account),
        "language": player.language,
        "created_at": rfc3339(player.created_at),
        "handle": account and account.handle,
        "address": account and account.address,
        "unverified_address": account and account.pending,
        "has_password": bool(account and account.password),
        "undelivered": account and undelivered_json(account),
        "program": player.program,
        "proven_address": player.proven and proven_addresses.in_part(player.proven),
    }


def undelivered_json(account: Account) -> Json | None:
    """The reason why no mail reaches the player, and since when; None if no reason is known."""
    if account.undelivered is None or account.undelivered_at is None:
        return None
    return {"why": account.undelivered, "since": rfc3339(account.undelivered_at)}


def unverified_json(account: Account) -> Json:
    """A member with the reason why no mail reaches an address that is not verified yet; an empty object if no reason is
    known.
    """
    config = current_services().config
    known = account.pending and undelivered.known(config, account.pending)
    if not known or known.why is None:
        return {}
    return {"unverified_undelivered": {"why": known.why, "since": rfc3339(known.since)}}


def link_json(secret: str) -> Json:
    """The link with which a guest comes back. The secret is after `#`, so that no server or log file sees it."""
    return {"url": f"{current_services().config.public_url}/#back={secret}", "key": secret}
