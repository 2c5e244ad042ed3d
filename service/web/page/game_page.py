"""Pages about a game, behind links in emails: they work without JavaScript and without signing in.

They are in the language of the player to whom the link was mailed.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from flask import Response

from service.core.runtime.problems import NotFound
from service.core.words.words import phrases
from service.notifications.mail_texts import mail_links
from service.notifications.mail_texts.game_for_reader import GameForReader, table_url, ways_on
from service.notifications.mail_texts.mail_links import HandedOver
from service.notifications.mail_texts.times import deadline_words
from service.people import players
from service.people.accounts.preferences import time_zone
from service.tables.drawing import action_narrowing
from service.tables.drawing.action_narrowing_words import StepWords
from service.tables.play import leaving
from service.web.http.caller.context import current_services
from service.web.page.not_found import wants_html
from service.web.page.rendering import html_answer, page


def html_not_found(endpoint: Callable[[str], Response]) -> Callable[[str], Response]:
    """A decorator that shows browsers a page if the link is unknown; programs get the usual problem document."""

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
        "most": mail_links.MOST_CHOICES,
        "form": game.form_url,
        "url": game.own_url,
        "page_url": game.url,
        "over": game.table.game.is_over,
    }
    return html_answer(template, game.words, **(shown | values))


def choosing(
    game: GameForReader, path: tuple[int, ...], form: str, action_url: Callable[[int], str]
) -> dict[str, object]:
    """The choices after those in `path`: the `step`, its `options` with their addresses, and the way `back`.

    An option leads to the action if only one is left, and otherwise to the next step, at the address of the form with
    the positions chosen so far, separated by dots.
    """
    legal = game.body["legal"]
    actions = [each["action"] for each in legal]
    narrowed = action_narrowing.narrow(game.table.ruleset.actions, actions, path)
    step = StepWords(game.answer, legal, narrowed)

    def url_after(*chosen: int) -> str:
        steps = ".".join(map(str, chosen))
        return f"{form}{'&' if '?' in form else '?'}step={steps}" if steps else form

    urls = [
        action_url(option.places[0])
        if len(option.places) == 1
        else url_after(*narrowed.path, place)
        for place, option in enumerate(narrowed.step.options)
    ]
    return {
        "step": step,
        "options": list(zip(urls, step.options, strict=True)),
        "back": url_after(*narrowed.path[:-1]) if narrowed.path else None,
    }


def handed_over_page(seat: HandedOver, *, taken_back: bool = False) -> Response:
    """The page about a link whose seat has changed hands, with the way back to the seat if there is one.

    The table is shown without signing in only to the person who has just `taken_back` the seat.
    """
    config, game = current_services().config, seat.table.game
    player, person = players.get(seat.player_id), seat.table.person(seat.player_id)
    held, is_running = leaving.held_by(seat.table, player.id), game.status == "running"
    may_return = held is not None and held.may_return
    now = "yours" if person else "taken" if may_return else "gone"
    # a private table is shown to anyone who has held the seat, but only where they are signed in
    sign_in = f"{config.public_url}/plain/enter?then=/plain/games/{game.id}"
    url = sign_in if game.private else table_url(config, game.id)
    if taken_back and person is not None:
        url = mail_links.table_link(config, person)
    return html_answer(
        "handed_over.html",
        phrases(player.language, game.ruleset, game.version),
        now=now if is_running else "over",
        back=mail_links.seat_link(config, seat.tenure) if may_return else None,
        url=url,
    )
