"""Pages about a game, behind links in mails: they work without JavaScript and without a sign-in.

Whoever holds the link is answered in the language of the player to whom it was mailed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from flask import Response

from service.core.problems import NotFound
from service.mail.game_for_reader import MOST_CHOICES, GameForReader
from service.mail.turns.deadline_words import DeadlineWords, deadline_words
from service.mail.turns.ways_on import ways_on
from service.pages.not_found import wants_html
from service.pages.rendering import html_answer, page
from service.people import players
from service.people.preferences import time_zone


def html_not_found(endpoint: Callable[[str], Response]) -> Callable[[str], Response]:
    """Answer a browser with a page if the link is unknown; programs get the problem document as everywhere."""

    @functools.wraps(endpoint)
    def answered(token: str) -> Response:
        try:
            return endpoint(token)
        except NotFound:
            if not wants_html():
                raise
            return page("link_not_found.html", status=404)

    return answered


def game_page(template: str, game: GameForReader, **values: object) -> Response:
    """A page about a game as its reader may see it."""
    shown = {
        "due": _deadline(game),
        "ways": ways_on(game),
        "name": game.words.say("name"),
        "table": game.drawing(),
        "choices": game.choices() if game.body["waiting"] else [],
        "most": MOST_CHOICES,
        "form": game.form_url,
        "url": game.url,
        "over": game.table.game.status == "over",
    }
    language = game.answer.viewer.language
    return html_answer(template, language, game.words, {**shown, **values})


def _deadline(game: GameForReader) -> DeadlineWords | None:
    """The deadline of whoever the page is for; None if they are asked nothing."""
    if not game.body["legal"] or not game.answer.me or not game.answer.me.player_id:
        return None
    return deadline_words(game, time_zone(players.get(game.answer.me.player_id)))
