"""The entrance without scripts: entering a name, coming back with a password or a link, signing out."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotSignedIn
from service.core.runtime.time_and_random import rfc3339
from service.people.accounts import guests
from service.people.accounts.guests import GuestRequest
from service.people.credentials import credentials
from service.people.sign_ins import sign_ins
from service.web.http import audit_log
from service.web.http.bodies.body_and_query import load_body, parse_query
from service.web.http.caller import sign_in_cookie
from service.web.http.caller.caller import caller
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits import attempt_limits
from service.web.http.limits.mailing import ask_for_link
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import Entrance, EntranceQuery, Leaving, NewPasswordByKey
from service.web.plain.forms.pasted_links import page_of, read_key
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_entrance")

HOME = "/plain"


@bp.get("/enter")
@parse_query(EntranceQuery)
def get_plain_entrance(query: Json) -> Response:
    """Show the ways to sign in or, if somebody is signed in, send the browser to the page at which to continue."""
    invited = query.get("invited")
    then = f"/plain/invited/{invited}" if invited else query.get("then")
    return entrance_page(then) if caller() is None else see(then or HOME)


@bp.post("/enter")
@limited("sign-ins")
@parse_form(Entrance)
def enter_plain(body: Json) -> Response:
    """Become a guest, sign in, or have a link mailed."""
    then = body.get("then", HOME)
    if caller() is not None:
        return see(then)
    if body["do"] == "guest":
        return _welcome(body, then)
    if body["do"] == "mail":
        until = ask_for_link(body["kind"], body["who"])
        return entrance_page(body.get("then"), mailed=True, waits_until=until)
    if body["do"] == "password":
        found = sign_in_cookie.by_typed_password(body["who"], body["password"])
        return sign_in_cookie.with_sign_in(see(then), found)
    return _by_link(body, then)


@bp.post("/leave")
@parse_form(Leaving)
def leave_plain(_: Json) -> Response:
    """Sign out."""
    player = caller()
    if player is not None:
        credentials.sign_out(current_services(), player)
    response = sign_in_cookie.signed_out()
    response.status_code = 303
    response.headers["Location"] = HOME
    return response


def link_page(secret: str, then: str) -> Response:
    """The page with a new secret link, which is shown only on this page."""
    link = f"{current_services().config.public_url}/#back={secret}"
    return plain_page("secret_link.html", link=link, then=then)


def entrance_page(
    then: str | None, *, mailed: bool = False, waits_until: int | None = None, why: str = ""
) -> Response:
    """The page with the ways to sign in, which lead to the page `then`; `why` says for what a sign-in is needed."""
    needs_code = current_services().config.registration == "invited"
    return plain_page(
        "entrance.html",
        then=then,
        needs_code=needs_code,
        mailed=mailed,
        why=why,
        waits_until=waits_until and rfc3339(waits_until),
    )


def _welcome(body: Json, then: str) -> Response:
    """The page for a new guest, with the secret link, which is shown only on this page."""
    services, code = current_services(), body.get("invitation", "").rpartition("=")[2]
    config, browser = services.config, sign_in_cookie.browser_name()
    wish = GuestRequest(body["name"], preferred_language(), None, browser, code or None)
    with attempt_limits.counted(attempt_limits.guest()):
        guest = guests.create(services, wish, needs_code=config.registration == "invited")
    audit_log.about(guest.player.id)
    page = link_page(guest.link, then)
    return sign_in_cookie.set_cookie(page, guest.credential.secret, guest.player.id)


def _by_link(body: Json, then: str) -> Response:
    """Sign in with a pasted link, or send the browser to the link's page; a link for a new password also needs that
    password. Raises WrongKey, NotSignedIn.
    """
    services, browser = current_services(), sign_in_cookie.browser_name()
    page = page_of(body["link"])
    if page is not None:
        return see(page)
    purpose, key = read_key(body["link"])
    if purpose == "verify":
        raise NotSignedIn
    if purpose == "back":
        found = sign_ins.by_link(services, key, browser)
    elif purpose == "sign-in":
        found = sign_ins.by_mailed_key(services, services.config, key, browser)
    elif "password" not in body:
        return plain_page("new_password.html", link=body["link"], then=then)
    else:
        chosen = load_body(NewPasswordByKey(), {"password": body["password"]})["password"]
        found = sign_ins.reset_password(
            services, services.config, services.passwords, key, chosen, browser
        )
    return sign_in_cookie.with_sign_in(see(then), found)
