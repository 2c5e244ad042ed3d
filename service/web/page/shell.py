"""The page itself: the same few lines at every address, with a title, a description and a picture for messengers.

The script draws the screen that the address names. Nothing is revealed about a private table, not even whether it
exists.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

import rules
from service.core.runtime import days
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
"""The modules that the script loads later, but at once at the addresses that need them."""


@bp.get("/", endpoint="get_lobby_page")
def get_lobby_page() -> Response:
    """Show the lobby."""
    return _shell(first=first_answers.in_lobby())


@bp.get("/enter", endpoint="get_sign_in_page")
@bp.get("/arrived", endpoint="get_arrival_page")
@bp.get("/finished", endpoint="get_finished_page")
@bp.get("/people", endpoint="get_people_page")
@bp.get("/ratings", endpoint="get_ratings_page")
@bp.get("/daily", endpoint="get_daily_page")
@bp.get("/me", endpoint="get_settings_page")
@bp.get("/series", endpoint="get_series_list_page")
@bp.get("/me/<section>", endpoint="get_settings_section")
@bp.get("/players/<handle>", endpoint="get_player_page")
def get_page(section: str = "", handle: str = "") -> Response:
    """Show the page at one of these addresses: signing in, a link from an email, finished games, ratings, settings,
    people, series, or a player.

    The API, not the page, says whether there is such a player.
    """
    return _shell()


@bp.get("/new/<slug>")
def get_new_table_page(slug: str) -> Response:
    """Show the page for opening a table of a game. Raises NotFound."""
    if not rules.versions(slug):
        raise NotFound
    return _shell(slug, later=NEW_TABLE)


@bp.get("/daily/<day>")
def get_day_page(day: str) -> Response:
    """Show a day's deal. The script alone reads a friend's result in the query. Raises NotFound."""
    if not days.is_day(day):
        raise NotFound
    return _shell()


@bp.get("/ratings/<slug>")
def get_leaderboard_page(slug: str) -> Response:
    """Show the leaderboard of a game. Raises NotFound."""
    if not rules.versions(slug):
        raise NotFound
    return _shell(slug)


@bp.get("/puzzles/<slug>")
def get_puzzles_page(slug: str) -> Response:
    """Show the puzzles of a game, or one position, which the query names for the script alone. Raises NotFound."""
    if not rules.versions(slug):
        raise NotFound
    return _shell(slug)


@bp.get("/circles/<circle:circle_id>")
def get_circle_page(circle_id: str) -> Response:
    """Show a circle, or how to join it with its link."""
    return _shell()


@bp.get("/circles/<circle:circle_id>/series")
def get_circle_series_page(circle_id: str) -> Response:
    """Show the series of a circle, or the form for setting one up: the script reads the query."""
    return _shell()


@bp.get("/series/<series:series_id>")
def get_series_page(series_id: str) -> Response:
    """Show a series. The API, not the page, says whether there is one."""
    return _shell()


@bp.get("/games/<game:game_id>")
def get_table_page(game_id: str) -> Response:
    """Show a table. Only its own people can learn from the API whether a private table exists."""
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
    """Show a table to anybody who has a mailed key, which the script takes from the address.

    The page itself says nothing about the table.
    """
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
    """The address of the same screen without scripts, under /plain."""
    _, screen, *about = request.path.split("/")
    entrance = {"": "", "arrived": "/enter", "me": "/me"}
    return entrance.get(screen, "/".join(["", screen, *about]))
