"""Pages about a game, behind links in mails: they work without JavaScript and without a sign-in.

Whoever holds the link is answered in the language of the player to whom it was mailed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from flask import Response

from service.core.runtime.problems import NotFound
from service.core.words.words import phrases
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import (
    MOST_CHOICES,
    GameForReader,
    table_url,
    ways_on,
)
from service.notifications.mail_texts.seat_links import HandedOver, seat_link, table_link
from service.notifications.mail_texts.times import DeadlineWords, deadline_words
from service.people import players
from service.people.preferences import time_zone
from service.tables.play import leaving
from service.web.http.caller.context import current_services
from service.web.page.not_found import wants_html
from service.web.page.rendering import html_answer, page


def html_not_found(endpoint: Callable[[str], Response]) -> Callable[[str], Response]:
    """Answer a browser with a page if the link is unknown; programs get the problem document as everywhere."""

    @functools.wraps(endpoint)
    def answered(token: str) -> Response:
        try:
            return endpoint(token)
        except HandedOver as seat:
            if not wants_html():
                raise NotFound from None
            return handed_over_page(seat)
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


def handed_over_page(seat: HandedOver) -> Response:
    """Why a link no longer works whose seat has changed hands, and the way back to the seat if there is one."""
    config, game = current_services().config, seat.table.game
    player = players.get(seat.player_id)
    held = leaving.held_by(seat.table, player.id)
    may_return = held is not None and held.may_return
    words = phrases(player.language, game.ruleset, game.version)
    values = {
        "now": _since_handover(seat, may_return=may_return),
        "back": seat_link(config, seat.tenure) if may_return else None,
        "url": _table_url(seat),
    }
    return html_answer("handed_over.html", player.language, words, values)


def _since_handover(seat: HandedOver, *, may_return: bool) -> str:
    """What has become of the seat: a part of the key of the words about it."""
    if seat.table.game.status != "running":
        return "over"
    if seat.table.person(seat.player_id):
        return "yours"
    return "taken" if may_return else "gone"


def _table_url(seat: HandedOver) -> str:
    """The address of the table, which shows it without a sign-in if the player holds a seat there again."""
    config, person = current_services().config, seat.table.person(seat.player_id)
    if isinstance(person, Holder) and seat.table.game.status == "running":
        return table_link(config, person)
    return table_url(config, seat.table.game.id)
