"""The cookie that keeps a browser signed in."""

from __future__ import annotations

from flask import Response, request

from service.people.accounts import accounts
from service.people.credentials import credentials
from service.people.sign_ins import browser_names, known_browsers, sign_ins
from service.web.http import audit_log
from service.web.http.caller import left_behind
from service.web.http.caller.context import current_services
from service.web.http.limits import attempt_limits, rate_limits


def browser_name() -> str | None:
    """The stored description of the caller's browser, by which people recognise the sign-in in a list; None if the
    browser sends none.
    """
    return browser_names.describe(request.headers.get("User-Agent", ""))


def set_cookie(response: Response, secret: str, player_id: str) -> Response:
    """`response` with the cookie of a new sign-in of this player."""
    left_behind.signed_in(response, player_id)
    return _with_cookie(response, current_services().config.cookie, secret, "Lax")


def with_sign_in(response: Response, found: sign_ins.SignedIn) -> Response:
    """`response` to a player with a new sign-in, with its cookies."""
    audit_log.about(found.player.id)
    rate_limits.count_for_player(found.player.id)
    set_cookie(response, found.secret, found.player.id)
    return remember_browser(response, found.player.id, found.credential)


def remember_browser(response: Response, player_id: str, credential_id: str) -> Response:
    """`response` with a cookie that marks that this player has signed in here."""
    services, known = current_services(), known_browsers.Known(player_id, credential_id)
    value = known_browsers.remember(services.config, services, _browser_cookie(), known)
    return _with_cookie(response, services.config.browser_cookie, value, "Strict")


def _with_cookie(response: Response, name: str, value: str, samesite: str) -> Response:
    response.set_cookie(
        name,
        value,
        max_age=credentials.COOKIE_MAX_AGE,
        secure=current_services().config.secure,
        httponly=True,
        samesite=samesite,
    )
    return response


def _browser_cookie() -> str | None:
    return request.cookies.get(current_services().config.browser_cookie)


def by_typed_password(who: str, password: str) -> sign_ins.SignedIn:
    """The sign-in of a person who has typed a handle or an address, and a password.

    Raises WrongPassword, TooManyRequests, Unavailable.
    """
    services = current_services()
    with attempt_limits.guessing(attempt_limits.sign_in(who, known_browser(who))):
        return sign_ins.by_password(services, services.passwords, who, password, browser_name())


def known_browser(who: str) -> str | None:
    """The id of this browser for the account with this handle or address; None if its owner has not signed in here."""
    services, account = current_services(), accounts.find_by_login(who)
    if account is None:
        return None
    found = services.config, services, _browser_cookie()
    return known_browsers.find(*found, account.player_id)


def signed_out(*, forgotten: bool = False) -> Response:
    """An empty response that deletes the cookie and stored data; with `forgotten`, also every other cookie about the
    player.
    """
    config = current_services().config
    response = left_behind.signed_out(Response(status=204))
    response.delete_cookie(config.cookie, secure=config.secure)
    if forgotten:
        response.delete_cookie(config.browser_cookie, secure=config.secure)
    return response
