"""The answers of the API that the page asks for first at a table, for somebody who is signed in: they come with it.

Each is the answer of the API to this very browser, asked of the application itself. So there can be nothing in it that
the API would not tell them, it counts against the same limits, and news are asked for with its tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from flask import current_app, g, request
from werkzeug.test import create_environ

from rules.kernel import Json
from service.web.http.caller.context import current_services, preferred_language

LATEST = 60
"""How many events come with the table; the page asks for those before them when somebody wants to read them."""


class FirstAnswer(NamedTuple):
    """What the API answers to a GET of this path."""

    path: str
    etag: str | None
    body: Json


def at_table(game_id: str) -> list[FirstAnswer]:
    """What the page would ask for; nothing for visitors, and at tables that the caller may not see.

    From then on the present request is answered in the language of the player, which may be another one than the
    browser's. To be called before the request reads from the database: each answer is made in a session of its own.
    """
    if current_services().config.cookie not in request.cookies:
        return []
    me = _ask("/api/me", preferred_language())
    if me is None:
        return []
    language = me.body["player"]["language"]
    game = _ask(f"/api/games/{game_id}", language)
    if game is None:
        return []
    g.language = language
    return [me, game, *filter(None, (_ask(path, language) for path in _paths(game.body)))]


def _paths(game: Json) -> Iterator[str]:
    """What the page asks for besides once it has the game. What is missing here it asks for itself."""
    address, ruleset, number = f"/api/games/{game['id']}", game["ruleset"], game["number"]
    yield f"{address}/talk"
    yield "/api/key"
    if number:
        yield f"/api/rulesets/{ruleset['slug']}?version={ruleset['version']}"
        yield f"{address}/events?after={max(0, number - LATEST)}&limit={LATEST}"
    if not game["legal"]:
        yield "/api/me/turns"


def _ask(path: str, language: str) -> FirstAnswer | None:
    """What this browser is answered; None: something else than what it asks for."""
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
        return FirstAnswer(path, response.headers.get("ETag"), response.get_json())
