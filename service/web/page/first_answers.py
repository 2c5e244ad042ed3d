"""The API responses that the page needs first, which are sent with its document.

Each is the API's response to this very browser, made by the application itself. So it contains nothing that the API
would not show, counts for the same limits, and its ETag works for later polls. Parts that only programs read are left
out, and the page requests whatever is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from flask import current_app, g, request
from werkzeug.test import create_environ

from rules.kernel import Json
from service.web.http.caller.context import current_services, preferred_language

LATEST = 40
"""The number of events sent with the table; the page requests earlier ones when somebody wants to read them."""
LOBBY = (
    "/api/rulesets",
    "/api/games?status=open",
    "/api/games?status=running",
    "/api/games?status=over&limit=5",
)
MINE = (
    "/api/games?mine=true&limit=50",
    "/api/me/unread",
    "/api/me/invitations",
    "/api/me/turns",
)
"""The paths that the lobby requests for somebody who is signed in, besides the player."""


FOR_PROGRAMS = ("vocabulary",)
"""The members of responses that the page does not read."""


class FirstAnswer(NamedTuple):
    """The API's response to a GET of a path."""

    path: str
    etag: str | None
    body: Json


def in_lobby() -> list[FirstAnswer]:
    """The responses for the lobby: the games on offer, other people's tables and, if somebody is signed in, the
    player's own tables. Like `at_table`, it changes the language of the present request.
    """
    me, language = _me()
    return [*me, *_answers([*LOBBY, *(MINE if me else ())], language)]


def at_table(game_id: str) -> list[FirstAnswer]:
    """The responses that the page would request; none at tables that the caller may not see.

    From this call on, the present request is answered in the player's language, which may differ from the browser's. It
    has to be called before the request reads from the database, because each response is made in a session of its own.
    """
    me, language = _me()
    game = _ask(f"/api/games/{game_id}", language)
    if game is None:
        return []
    return [*me, game, *_answers(_beside(game.body, bool(me)), language)]


def of_rules(path: str, language: str) -> list[FirstAnswer]:
    """The response with the worked turn, in the language of the page."""
    return _answers([path], language)


def _me() -> tuple[list[FirstAnswer], str]:
    """The response that says who is signed in, if anybody is, and the language of the present request.

    From this call on, that is the player's language.
    """
    language = preferred_language()
    if current_services().config.cookie not in request.cookies:
        return [], language
    me = _ask("/api/me", language)
    if me is None:
        return [], language
    g.language = str(me.body["player"]["language"])
    return [me], g.language


def _beside(game: Json, signed_in: bool) -> Iterator[str]:
    """The paths that the page also requests once it has the game."""
    address, ruleset, number = f"/api/games/{game['id']}", game["ruleset"], game["number"]
    if signed_in:
        yield f"{address}/talk"
    yield "/api/key"
    yield f"/api/rulesets/{ruleset['slug']}?version={ruleset['version']}"
    if number:
        yield f"{address}/events?after={max(0, number - LATEST)}&limit={LATEST}"
    if signed_in and not game["legal"]:
        yield "/api/me/turns"


def _answers(paths: Iterable[str], language: str) -> list[FirstAnswer]:
    return [each for each in (_ask(path, language) for path in paths) if each]


def _ask(path: str, language: str) -> FirstAnswer | None:
    """This browser's response to a GET of a path; None if the page would get another response."""
    headers = {"Cookie": request.headers.get("Cookie", ""), "Accept-Language": language}
    environ = create_environ(
        path,
        base_url=request.url_root,
        headers=headers,
        environ_base={"REMOTE_ADDR": request.remote_addr or ""},
    )
    with current_app.app_context(), current_app.request_context(environ):
        response = current_app.full_dispatch_request()
        if response.status_code != 200:
            return None
        body = {
            name: each for name, each in response.get_json().items() if name not in FOR_PROGRAMS
        }
        return FirstAnswer(path, response.headers.get("ETag"), body)
