"""The table after a past event, as its reader may know it: a page for each event, with links to the other pages."""

from __future__ import annotations

from datetime import datetime, tzinfo

from flask import Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.times import local_time
from service.tables.drawing.html import draw_html
from service.tables.drawing.layout import lay_out
from service.tables.views import history_view, told_history
from service.web.page.rendering import html_answer


def replay_page(game: GameForReader, path: str, number: int, zone: tzinfo) -> Response:
    """The page of an event behind a link in an email; the page of the table itself is at `path`.

    Raises NotFound if there is no such event.
    """
    shown, name = replayed(game, path, number, zone), game.words.say("name")
    return html_answer("replay.html", game.words, name=name, **shown)


def replayed(game: GameForReader, path: str, number: int, zone: tzinfo) -> Json:
    """The contents of the page of an event. Raises NotFound if there is no such event."""
    services, answer, last = game.services, game.answer, game.table.game.number
    if not 1 <= number <= last:
        raise NotFound
    past = history_view.past_table(services, answer, number, everything=False)
    events, _, parts = history_view.page(services, answer, number - 1, 1)
    sealed = told_history.sealed_choices(services, answer)
    at = round(datetime.fromisoformat(past["at"]).timestamp() * 1000)
    return {
        "number": number,
        "last": last,
        "path": path,
        "time": local_time(at, zone, game.words),
        "sections": told_history.sections(events, parts, sealed),
        "drawing": drawn_then(game, past["view"]),
    }


def drawn_then(game: GameForReader, view: Json) -> str:
    """A past table as HTML, drawn without saying for whom the game waits now."""
    seats = [{**seat, "waiting": False} for seat in game.body["seats"]]
    then = {**game.body, "view": view, "seats": seats, "waiting": []}
    layout = lay_out(then, game.words, game.table.ruleset.looks.layout)
    return draw_html(layout, game.words)
