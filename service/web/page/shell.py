"""The page itself: the same few lines at every address, with a title, a description and a picture for messengers.

The script draws the screen that the address names. Of a private table, and of one that does not exist, nothing is told.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

import rules
from service.core.runtime.problems import NoSuchTable, NotFound
from service.core.words.words import phrases
from service.log.table_rows.table import find
from service.web.http.caller.context import preferred_language
from service.web.page import first_answers
from service.web.page.first_answers import FirstAnswer
from service.web.page.rendering import scripted

bp = Blueprint("shell", __name__)
TABLE = "table_page.js"
NEW_TABLE = "new_table_page.js"
"""Modules that the script loads later, but at these addresses at once."""


@bp.get("/", endpoint="get_lobby_page")
def get_lobby_page() -> Response:
    """The lobby."""
    return _shell(first=first_answers.in_lobby())


@bp.get("/enter", endpoint="get_sign_in_page")
@bp.get("/arrived", endpoint="get_arrival_page")
@bp.get("/finished", endpoint="get_finished_page")
@bp.get("/me", endpoint="get_settings_page")
@bp.get("/me/<section>", endpoint="get_settings_section")
def get_page(section: str = "") -> Response:
    """Signing in, after a link from a mail, the reader's finished games, and the settings."""
    return _shell()


@bp.get("/new/<slug>")
def get_new_table_page(slug: str) -> Response:
    """Opening a table of a game."""
    if not rules.versions(slug):
        raise NotFound
    return _shell(slug, later=NEW_TABLE)


@bp.get("/games/<game:game_id>")
def get_table_page(game_id: str) -> Response:
    """A table. Whether there is a private one is for its own people to learn, from the API."""
    first = first_answers.at_table(game_id)
    try:
        game = find(game_id).game
    except NoSuchTable:
        return _shell(later=TABLE)
    if game.private:
        return _shell(first=first, later=TABLE)
    return _shell(game.ruleset, game.version, first, TABLE)


@bp.get("/invited/<game:game_id>/<mailed:token>")
def get_invited_page(game_id: str, token: str) -> Response:
    """A table for whoever has the mailed key: the script takes it from the address. Nothing is told of the table."""
    return _shell()


def _shell(
    slug: str | None = None,
    version: int | None = None,
    first: list[FirstAnswer] | None = None,
    later: str | None = None,
) -> Response:
    """The page about a game, or about Tegami itself."""
    words = phrases(preferred_language(), slug, version)
    response = scripted(
        "shell.html",
        words,
        title=f"{words.say('name')} – Tegami" if slug else "Tegami",
        description=words.say("summary" if slug else "shell.about"),
        picture=slug or "tegami",
        plain=_without_scripts(),
        first=first or [],
        later=later,
    )
    response.headers["Cache-Control"] = "private, no-store" if first else "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def _without_scripts() -> str:
    """Where the same screen is that needs no script, below /plain."""
    _, screen, *about = request.path.split("/")
    entrance = {"": "", "arrived": "/enter", "me": "/me"}
    return entrance.get(screen, "/".join(["", screen, *about]))
