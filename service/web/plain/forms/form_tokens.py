"""Tokens in forms, which prove that the sender was shown the form in the same browser, with the same sign-in.

Browsers say from which site a request comes, but text browsers may not. A token is bound to the sign-in and ends with
it; before there is a sign-in, it is bound to a cookie that contains only random digits.
"""

from __future__ import annotations

import re

from flask import Response, g, request

from service.core.runtime.problems import WrongForm
from service.core.runtime.signatures import is_same, signature
from service.core.settings.config import Config
from service.web.http.caller.caller import identified
from service.web.http.caller.context import current_services

FIELD = "form"
"""The field of every form that holds its token."""
_DIGITS = re.compile("[0-9a-f]{32}", re.ASCII)


def form_token() -> str:
    """The token for the forms of the present page."""
    caller = identified()
    if caller:
        return _token("player", caller.credential)
    digits = _digits() or g.get("visitor")
    if digits is None:
        digits = g.visitor = current_services().entropy(16).hex()
    return _token("visitor", digits)


def check_token(token: str) -> None:
    """Raise WrongForm unless a form with this token was shown to the caller."""
    caller = identified()
    mine = caller.credential if caller else _digits()
    if mine is None or not is_same(token, _token("player" if caller else "visitor", mine)):
        raise WrongForm


def set_visitor_cookie(response: Response) -> Response:
    """`response`, which also gives a visitor the cookie to which the forms of the page are bound."""
    config, digits = current_services().config, g.get("visitor")
    if digits is not None:
        name = _cookie(config)
        response.set_cookie(name, digits, secure=config.secure, httponly=True, samesite="Lax")
    return response


def _token(kind: str, mine: str) -> str:
    return signature(current_services().config.secret_key, "form", kind, mine)


def _digits() -> str | None:
    """The digits in a visitor's cookie; None if there is none."""
    sent = request.cookies.get(_cookie(current_services().config), "")
    return sent if _DIGITS.fullmatch(sent) else None


def _cookie(config: Config) -> str:
    return f"{config.cookie}-form"
