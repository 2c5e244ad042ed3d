"""The page itself: the same few lines at every address, with a title, a description and a picture for messengers.

The script draws the screen that the address names. Of a private table, and of one that does not exist, nothing is told.
"""

from __future__ import annotations

import re

from flask import Blueprint, Response, g, request

import rules
from service.core.runtime.problems import NoSuchTable, NotFound
from service.core.settings.release import release
from service.core.words.words import phrases
from service.log.table_rows.table import find
from service.web.http.caller.accept_language import preferred_language
from service.web.http.headers.compression import compressed
from service.web.page import first_answers
from service.web.page.first_answers import FirstAnswers
from service.web.page.rendering import page, preview

bp = Blueprint("shell", __name__)
_BETWEEN_ANSWERS = re.compile(r'(?=<script type="application/json")')


@bp.get("/", endpoint="get_lobby_page")
@bp.get("/enter", endpoint="get_sign_in_page")
@bp.get("/arrived", endpoint="get_arrival_page")
@bp.get("/finished", endpoint="get_finished_page")
@bp.get("/me", endpoint="get_settings_page")
@bp.get("/me/<section>", endpoint="get_settings_section")
def get_page(section: str = "") -> Response:
    """The lobby, signing in, after a link from a mail, the reader's finished games, and the settings."""
    return _about_tegami()


@bp.get("/new/<slug>")
def get_new_table_page(slug: str) -> Response:
    """Opening a table of a game."""
    if not rules.versions(slug):
        raise NotFound
    return _about_game(slug, None)


@bp.get("/games/<game:game_id>")
def get_table_page(game_id: str) -> Response:
    """A table. Whether there is a private one is for its own people to learn, from the API."""
    first = first_answers.at_table(game_id)
    if first:
        g.language = first.language
    try:
        game = find(game_id).game
    except NoSuchTable:
        return _about_tegami()
    if game.private:
        return _about_tegami(first)
    return _about_game(game.ruleset, game.version, first)


def _about_tegami(first: FirstAnswers | None = None) -> Response:
    return _shell("Tegami", phrases(preferred_language()).say("shell.about"), "tegami", first)


def _about_game(slug: str, version: int | None, first: FirstAnswers | None = None) -> Response:
    words = phrases(preferred_language(), slug, version)
    return _shell(f"{words.say('name')} – Tegami", words.say("summary"), slug, first)


def _shell(title: str, description: str, picture: str, first: FirstAnswers | None) -> Response:
    response = page(
        "shell.html",
        title=title,
        description=description,
        picture=preview(picture),
        release=release(),
        plain=_without_scripts(),
        first=first,
    )
    response.vary.add("Cookie")
    compressed(response, _BETWEEN_ANSWERS.split(response.get_data(as_text=True)))
    response.headers["Cache-Control"] = "private, no-store" if first else "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def _without_scripts() -> str:
    """Where the same screen is that needs no script."""
    _, screen, *about = request.path.split("/")
    entrance = {"": "", "arrived": "/enter", "me": "/me"}
    return f"/plain{entrance.get(screen, '/'.join(['', screen, *about]))}"
