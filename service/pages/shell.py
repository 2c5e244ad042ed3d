"""The page itself: the same few lines at every address, with a title, a description and a picture for messengers.

The script draws the screen that the address names. Of a private table, and of one that does not exist, nothing is told.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

import rules
from service.core.problems import NoSuchTable, NotFound
from service.core.release import release
from service.core.words import phrases
from service.game.table import find
from service.http.accept_language import preferred_language
from service.http.context import current_services
from service.pages.rendering import page

bp = Blueprint("shell", __name__)


@bp.get("/")
def get_lobby_page() -> Response:
    """The lobby."""
    return _shell("Tegami", phrases(preferred_language()).say("shell.about"), "tegami")


@bp.get("/enter")
def get_sign_in_page() -> Response:
    """Signing in."""
    return get_lobby_page()


@bp.get("/arrived")
def get_arrival_page() -> Response:
    """A link from a mail whose key has been taken out of the address."""
    return get_lobby_page()


@bp.get("/finished")
def get_finished_page() -> Response:
    """The reader's finished games."""
    return get_lobby_page()


@bp.get("/me")
def get_settings_page() -> Response:
    """The reader's settings."""
    return get_lobby_page()


@bp.get("/me/<section>")
def get_settings_section(section: str) -> Response:
    """A section of them, which the script brings into sight."""
    return get_lobby_page()


@bp.get("/new/<slug>")
def get_new_table_page(slug: str) -> Response:
    """Opening a table of a game."""
    if not rules.versions(slug):
        raise NotFound
    return _about_game(slug, None)


@bp.get("/games/<game:game_id>")
def get_table_page(game_id: str) -> Response:
    """A table. Whether there is a private one is for its own people to learn, from the API."""
    try:
        game = find(game_id).game
    except NoSuchTable:
        return get_lobby_page()
    return get_lobby_page() if game.private else _about_game(game.ruleset, game.version)


def _about_game(slug: str, version: int | None) -> Response:
    words = phrases(preferred_language(), slug, version)
    return _shell(f"{words.say('name')} – Tegami", words.say("summary"), slug)


def _shell(title: str, description: str, picture: str) -> Response:
    address = f"{current_services().config.public_url}/previews/{picture}.png"
    response = page(
        "shell.html",
        title=title,
        description=description,
        picture=address,
        release=release(),
        plain=_without_scripts(),
    )
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def _without_scripts() -> str:
    """Where the same screen is that needs no script."""
    _, screen, *about = request.path.split("/")
    entrance = {"": "", "arrived": "/enter", "me": "/me"}
    return f"/plain{entrance.get(screen, '/'.join(['', screen, *about]))}"
