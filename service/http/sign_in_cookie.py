"""The cookie by which a browser stays signed in."""

from __future__ import annotations

from flask import Response, request

from service.http.context import current_services
from service.people import browser_names, credentials


def browser_name() -> str | None:
    """What is stored about the caller's browser, to recognise the sign-in in a list."""
    return browser_names.describe(request.headers.get("User-Agent", ""))


def set_cookie(response: Response, secret: str) -> Response:
    """`response` with the cookie of a new sign-in."""
    config = current_services().config
    response.set_cookie(
        config.cookie,
        secret,
        max_age=credentials.COOKIE_MAX_AGE,
        secure=config.secure,
        httponly=True,
        samesite="Lax",
    )
    return response


def signed_out() -> Response:
    """An empty answer that deletes the cookie."""
    config = current_services().config
    response = Response(status=204)
    response.delete_cookie(config.cookie, secure=config.secure)
    return response
