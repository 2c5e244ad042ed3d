"""The caller: signed in with a bearer token or a cookie, or not at all; and the scopes of a token.

Every endpoint that depends on the caller declares the scope that a token needs there: `signed_in`, `open_to_visitors`.
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
"""The schemes with which a proxy in front of the server may ask for a password, and the empty one."""
READ_ALONE = {"play.get_game"}
"""The endpoints that usually need only the caller and the table. If they need more, they read both again, because a
session costs more.
"""
SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def refuse_wrong_tokens() -> None:
    """Raise NotSignedIn for a token that is unknown or has ended, wherever it is sent below /api.

    A method that a path does not support is refused before that, because there is no such operation for anybody.
    """
    if isinstance(request.routing_exception, MethodNotAllowed):
        return
    if request.path.startswith("/api/") and bearer_token() is not None:
        identified()


class Presented(NamedTuple):
    """The token or cookie with which a request identifies its caller."""

    kind: CredentialKind
    """`token` or `cookie`."""
    secret: str


def presented(authorization: str, cookie: str | None) -> Presented | None:
    """The token or cookie of a request with this header and this cookie; None if it has neither. A token takes
    precedence.

    A header without the word Bearer counts as a wrong token.
    """
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() == "bearer":
        return Presented("token", secret.strip())
    if scheme.lower() not in _OF_PROXIES:
        return Presented("token", "")
    return Presented("cookie", cookie) if cookie else None


def bearer_token() -> str | None:
    """The token of this request; None if it has none."""
    found = _presented()
    return found.secret if found and found.kind == "token" else None


def _presented() -> Presented | None:
    cookie = request.cookies.get(current_services().config.cookie)
    return presented(request.headers.get("Authorization", ""), cookie)


def caller() -> Caller | None:
    """The player who is calling; None for a visitor.

    Raises NotSignedIn for a token that has ended, and MissingScope for a token that may not do this.
    """
    found = identified()
    if bearer_token() is not None:
        needed = g.get("scope")
        if found is None or not credentials.may(found.scopes, needed):
            raise MissingScope(scope=needed)
    return found


def identified() -> Caller | None:
    """The player who is calling, or None, regardless of a token's scopes.

    Raises NotSignedIn for a token that has ended.
    """
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
        return None  # this sign-in has ended: the caller is a visitor again


def _authenticated(by: Presented) -> Caller:
    """The caller who presents this token or cookie. The table of the request is read in the same statement."""
    services, game_id = current_services(), (request.view_args or {}).get("game_id")
    if game_id is None:
        return credentials.authenticate(services, by.secret, by.kind)
    alone = request.method not in SAFE_METHODS or request.endpoint in READ_ALONE
    found, g.table = credentials.authenticate_at_table(
        services, by.secret, by.kind, game_id, alone=alone
    )
    return found


def table_with_caller() -> Table | None:
    """The table that was read with the caller. It is returned only once: a later call has to read it again."""
    found: Table | None = g.pop("table", None)
    return found


def signed_in_caller() -> Caller:
    """The player who is calling. Raises NotSignedIn for a visitor, and whatever `caller` raises."""
    player = caller()
    if player is None:
        raise NotSignedIn
    return player


def caller_id() -> str:
    """The id of the player who is calling. Raises NotSignedIn and MissingScope."""
    return signed_in_caller().id


def signed_in(scope: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for endpoints that only people who are signed in may use; a token needs `scope`."""
    return _declared(scope, signed_in_caller)


def open_to_visitors(scope: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator for endpoints that everybody may use but whose response depends on the caller, so a token needs
    `scope`.
    """
    return _declared(scope, caller)


def _declared(scope: str, ask: Callable[[], object]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    if scope not in SCOPES:
        raise ValueError(f"not a scope: {scope}")

    def check() -> None:
        g.scope = scope
        ask()

    return checked_by(check)


def signed_in_by_cookie(endpoint: Callable[P, R]) -> Callable[P, R]:
    """A decorator for endpoints that need a cookie, because a token may not change how its player signs in."""

    def check() -> None:
        if identified() is None:
            raise NotSignedIn
        if bearer_token() is not None:
            raise CookieOnly

    return checked_by(check)(endpoint)


def checked_by(check: Callable[[], object]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator that lets `check` refuse a request, by raising, before the endpoint runs."""

    def decorated(endpoint: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(endpoint)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            check()
            return endpoint(*args, **kwargs)

        return checked

    return decorated


def refuse_silent_guests() -> None:
    """Raise NotForGuests for a guest, if the operator lets only registered players talk."""
    if not current_services().config.guests_talk and accounts.find(caller_id()) is None:
        raise NotForGuests
