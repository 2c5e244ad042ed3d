"""Pages about a game, behind links in mails: they work without JavaScript and without a sign-in.

Whoever holds the link is answered in the language of the player to whom it was mailed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import NamedTuple

from flask import Response
from markupsafe import Markup

from service.core.runtime.problems import NotFound
from service.core.words.words import phrases
from service.log.table_rows.table import Holder
from service.notifications.mail_texts.game_for_reader import (
    GameForReader,
    table_url,
    ways_on,
)
from service.notifications.mail_texts.mail_links import (
    MOST_CHOICES,
    HandedOver,
    seat_link,
    table_link,
)
from service.notifications.mail_texts.times import deadline_words
from service.people import players
from service.people.preferences import time_zone
from service.tables.drawing import action_narrowing, action_narrowing_words
from service.tables.drawing.action_narrowing_words import StepWords
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
    me = game.answer.me
    asked = me.player_id if me and game.body["legal"] else None
    shown = {
        "due": deadline_words(game, time_zone(players.get(asked))) if asked else None,
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


class Link(NamedTuple):
    """Something to choose, and where that leads."""

    url: str
    words: Markup


class Choosing(NamedTuple):
    """A step of choosing an action: what has been chosen, what is asked, the options, and the way back."""

    step: StepWords
    options: list[Link]
    back: str | None


def choosing(
    game: GameForReader,
    path: tuple[int, ...],
    step_url: Callable[[str], str],
    action_url: Callable[[int], str],
) -> Choosing:
    """What can be chosen next, after the choices of `path`: an option leads to the action if only one is left.

    The address of a step is made of the places that have been chosen, with dots between them.
    """
    legal = game.body["legal"]
    actions = [each["action"] for each in legal]
    narrowed = action_narrowing.narrow(game.table.ruleset.actions, actions, path)
    step = action_narrowing_words.step_words(game.answer, legal, narrowed)

    def url_after(chosen: tuple[int, ...]) -> str:
        return step_url(".".join(map(str, chosen)))

    options = [
        Link(
            action_url(option.places[0])
            if len(option.places) == 1
            else url_after((*narrowed.path, place)),
            words,
        )
        for place, (option, words) in enumerate(
            zip(narrowed.step.options, step.options, strict=True)
        )
    ]
    return Choosing(step, options, url_after(narrowed.path[:-1]) if narrowed.path else None)


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
