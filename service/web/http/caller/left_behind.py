"""Clearing a browser (`Clear-Site-Data`, W3C): a person's data in it are deleted together with their sign-in, whoever
ends that.

Every response that ends a sign-in, and every server page that finds it ended or replaced, makes the browser delete
everything that it keeps for this site. API responses that find it ended clear only "cache": the page, which sent the
request, empties its storage itself and keeps what the next sign-in needs (web/people/sign_in/session.js), such as the
key of an invitation.

A browser is told once of each ended sign-in, and a cookie records that. The cookie of the sign-in itself is not deleted
then: when a late response arrives, it may belong to somebody else.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, g, request

from service.core.settings.config import Config
from service.people.credentials import credentials
from service.web.http.caller.caller import bearer_token, identified
from service.web.http.caller.context import current_services

HEADER = "Clear-Site-Data"
EVERYTHING = '"cache", "storage"'
CACHE = '"cache"'


def signed_out(response: Response) -> Response:
    """`response`, which also makes the browser delete everything, for somebody who signs out."""
    response.headers[HEADER] = EVERYTHING
    return response


def signed_in(response: Response, player_id: str) -> Response:
    """`response` to a player who has just signed in, in a browser where somebody else may have been signed in
    before.
    """
    before = identified() if _cookie() and not bearer_token() else None
    if _cookie() and (before is None or before.id != player_id):
        _clear(response)
    return response


def note(response: Response) -> Response:
    """`response`, which also clears the browser if its sign-in turned out to have ended."""
    if "caller" in g and g.caller is None and HEADER not in response.headers:
        _clear(response)
    return response


def is_untold(config: Config, cookies: Mapping[str, str], *, by_script: bool) -> bool:
    """Whether a browser with these cookies has not been told that their sign-in has ended.

    Unless the request comes from a script (`by_script`), the browser has to be cleared completely.
    """
    if not cookies.get(config.cookie):
        return False
    whole, in_part = _marks(cookies[config.cookie])
    return cookies.get(config.ended_cookie) not in ({whole, in_part} if by_script else {whole})


def _clear(response: Response) -> None:
    """Clear the browser, unless it was told before."""
    config, by_script = current_services().config, request.path.startswith("/api/")
    if not is_untold(config, request.cookies, by_script=by_script):
        return
    whole, in_part = _marks(_cookie())
    response.headers[HEADER] = CACHE if by_script else EVERYTHING
    response.set_cookie(
        config.ended_cookie,
        in_part if by_script else whole,
        secure=config.secure,
        httponly=True,
        samesite="Lax",
    )


def _marks(cookie: str) -> tuple[str, str]:
    """The marks for a sign-in: one says that everything was cleared, the other that the clearing was left to
    the page.
    """
    ended = credentials.digest(cookie).hex()[:16]
    return ended, f"{ended}-api"


def _cookie() -> str:
    return request.cookies.get(current_services().config.cookie, "")
