"""Who is calling: signed in by a bearer token or by a cookie, or not at all; and what a token may do.

Every endpoint that asks who is calling declares the scope that a token needs there: `signed_in`, `open_to_visitors`.
An endpoint that declares none refuses all tokens.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple, ParamSpec, TypeVar

from flask import g, request
from werkzeug.exceptions import MethodNotAllowed

from service.core.models.people import CredentialKind
from service.core.runtime.problems import CookieOnly, MissingScope, NotForGuests, NotSignedIn
from service.log.table_rows.table import Table
from service.people.accounts import accounts
from service.people.credentials import credentials
from service.people.credentials.credentials import SCOPES, Caller
from service.web.http.caller.context import current_services

P = ParamSpec("P")
R = TypeVar("R")
_OF_PROXIES = {"", "basic", "digest", "negotiate"}
"""Schemes by which a proxy in front may ask for a password, besides none at all."""
READ_ALONE = {"play.get_game"}
"""Endpoints that mostly need nothing but the caller and the table, and else read both anew: a session costs more."""
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def refuse_wrong_tokens() -> None:
    """A token that is unknown or has ended is refused wherever it is sent below /api. Raises NotSignedIn.

    Only what no method is for is refused for that first: it is no operation, whoever asks.
    """
    if isinstance(request.routing_exception, MethodNotAllowed):
        return
    if request.path.startswith("/api/") and bearer_token() is not None:
        identified()


class Presented(NamedTuple):
    """By what a request shows who is calling."""

    kind: CredentialKind
    """`token` or `cookie`."""
    secret: str


def presented(authorization: str, cookie: str | None) -> Presented | None:
    """By what a request with this header and this cookie shows who is calling: a token goes before a cookie.

    What stands in the header without the word Bearer is meant as a token, and is a wrong one.
    """
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return Presented("token", secret.strip())
    if scheme.lower() not in _OF_PROXIES:
        return Presented("token", "")
    return Presented("cookie", cookie) if cookie else None


def bearer_token() -> str | None:
    """The token of this request, if it has one."""
    found = _presented()
    return found.secret if found and found.kind == "token" else None


def _presented() -> Presented | None:
    cookie = request.cookies.get(current_services().config.cookie)
    return presented(request.headers.get("Authorization", ""), cookie)


def caller() -> Caller | None:
    """The player who is calling, or None.

    Raises NotSignedIn for a token that has ended, and MissingScope for one that may not do this.
    """
    found = identified()
    if bearer_token() is not None:
        needed = g.get("scope")
        if found is None or not credentials.may(found.scopes, needed):
            raise MissingScope(scope=needed)
    return found


def identified() -> Caller | None:
    """The player who is calling, or None, whatever a token may do. Raises NotSignedIn for a token that has ended."""
    if "caller" not in g:
        g.caller = _find_caller()
    found: Caller | None = g.caller
    return found


def _find_caller() -> Caller | None:
    found = _presented()
    try:
        return _authenticated(found) if found else None
    except NotSignedIn:
        if found and found.kind == "token":
            raise NotSignedIn(credentials.why_refused(found.secret)) from None
        return None  # a sign-in that has ended: a visitor again


def _authenticated(by: Presented) -> Caller:
    """The caller; the table that the request is about is read with them."""
    services, game_id = current_services(), (request.view_args or {}).get("game_id")
    if game_id is None:
        return credentials.authenticate(services, by.secret, by.kind)
    alone = request.method not in SAFE_METHODS or request.endpoint in READ_ALONE
    found, g.table = credentials.authenticate_at_table(
        services, by.secret, by.kind, game_id, alone=alone
    )
    return found


def table_with_caller() -> Table | None:
    """The table that was read with the caller, once: whoever asks again wants to know what has become of it."""
    found: Table | None = g.pop("table", None)
    return found


def signed_in_caller() -> Caller:
    """The player who is calling. Raises NotSignedIn."""
    player = caller()
    if player is None:
        raise NotSignedIn
    return player


def caller_id() -> str:
    """The id of the player who is calling. Raises NotSignedIn."""
    return signed_in_caller().id


def signed_in(scope: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Only for people who are signed in; a token needs `scope`."""
    return _declared(scope, signed_in_caller)


def open_to_visitors(scope: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """For everybody; a token needs `scope`, because the answer depends on who is calling."""
    return _declared(scope, caller)


def _declared(scope: str, ask: Callable[[], object]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    if scope not in SCOPES:
        raise ValueError(f"not a scope: {scope}")

    def check() -> None:
        g.scope = scope
        ask()

    return checked_by(check)


def signed_in_by_cookie(endpoint: Callable[P, R]) -> Callable[P, R]:
    """Only for people who are signed in by cookie: a token may not change how its player signs in."""

    def check() -> None:
        if identified() is None:
            raise NotSignedIn
        if bearer_token() is not None:
            raise CookieOnly

    return checked_by(check)(endpoint)


def checked_by(check: Callable[[], object]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let `check` refuse a request, by what it raises, before the endpoint is asked."""

    def decorated(endpoint: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(endpoint)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            check()
            return endpoint(*args, **kwargs)

        return checked

    return decorated


def refuse_silent_guests() -> None:
    """Raises NotForGuests for a guest, if the operator lets only registered players talk."""
    if not current_services().config.guests_talk and accounts.find(caller_id()) is None:
        raise NotForGuests
