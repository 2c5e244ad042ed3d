"""The history of a game without scripts, a page at a time."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from flask import Blueprint, Response

from rules.kernel import Json
from service.tables.views import history_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.plain.forms.form_schemas import PlainHistoryQuery
from service.web.plain.plain_game import PlainGame
from service.web.plain.plain_pages import plain_blueprint

bp: Blueprint = plain_blueprint("plain_history")


@bp.get("/games/<game:game_id>/history")
@limited("history", entries=True)
@parse_query(PlainHistoryQuery)
def get_plain_history(query: Json, game_id: str) -> Response:
    """What happened after an event; the latest events if none is named. Raises NotFound."""
    game = PlainGame(game_id)
    size, last = query["limit"], game.table.game.number
    after = min(query.get("after", max(0, last - size)), last)
    events, following = history_view.page(current_services(), game.answer, after, size)
    told = [(game.at(event["at"]), line["words"]) for event in events for line in event["lines"]]
    entries = [
        (time, [words for _, words in lines]) for time, lines in groupby(told, key=itemgetter(0))
    ]
    return game.page(
        "history.html",
        entries=entries,
        earlier=max(0, after - size) if after else None,
        later=following,
    )
