"""What a browser keeps of a person goes with their sign-in: `Clear-Site-Data` (W3C), whoever ends or replaces it.

Whatever ends a sign-in, and every page of the server that finds it ended or replaced, has the browser empty all that
it keeps for this site. Answers of the API that find that say only "cache": the page, which asked, empties its storage
by itself and leaves what the next sign-in needs (web/people/sign_in/session.js), as the key of an invitation.

A browser is told once of each sign-in that has ended; a cookie says so. The sign-in's own cookie is not deleted then:
by the time of a late answer it may be somebody else's.
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
    """`response` to somebody who wants to leave nothing in this browser."""
    response.headers[HEADER] = EVERYTHING
    return response


def signed_in(response: Response, player_id: str) -> Response:
    """`response` to a player who has just signed in, where somebody else may have been."""
    before = identified() if _cookie() and not bearer_token() else None
    if _cookie() and (before is None or before.id != player_id):
        _clear(response)
    return response


def note(response: Response) -> Response:
    """Have the browser cleared if it turned out that its sign-in has ended."""
    if "caller" in g and g.caller is None and HEADER not in response.headers:
        _clear(response)
    return response


def is_untold(config: Config, cookies: Mapping[str, str], *, by_script: bool) -> bool:
    """Whether a browser with these cookies was not told yet of the end of the sign-in in them.

    A page has it clear more than an answer of the API does, `by_script`.
    """
    if not cookies.get(config.cookie):
        return False
    whole, in_part = _marks(cookies[config.cookie])
    return cookies.get(config.ended_cookie) not in ({whole, in_part} if by_script else {whole})


def _clear(response: Response) -> None:
    """Unless this browser was told before."""
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
    """What says of a sign-in that everything was cleared, and that the page was left to do it."""
    ended = credentials.digest(cookie).hex()[:16]
    return ended, f"{ended}-api"


def _cookie() -> str:
    return request.cookies.get(current_services().config.cookie, "")
