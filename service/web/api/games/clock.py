"""Time: the paces that have a name, and the clocks of a game with the reasons for them."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.words.words import phrases
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import PRESETS
from service.tables.views import history_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.bodies.fields import QueryInteger, page_size
from service.web.http.bodies.wrong_members import between
from service.web.http.caller.caller import open_to_visitors
from service.web.http.caller.context import preferred_language
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("clock", __name__, url_prefix="/api")


class ClockQuery(PageQuery):
    """The query of GET /games/{id}/clock."""

    seat = QueryInteger(validate=between(0, 15))
    limit = page_size(200, default=50)


@bp.get("/paces")
def list_paces() -> Response:
    """List every pace that has a name."""
    words = phrases(preferred_language())
    return with_content_etag({"paces": [paces.shown(pace, words) for pace in PRESETS.values()]})


@bp.get("/games/<game:game_id>/clock")
@open_to_visitors("read")
@parse_query(ClockQuery)
def get_clock(query: Json, game_id: str) -> Json:
    """Show everybody's time, with the reasons for it."""
    answer = game_answer(visible_table(game_id))
    clock, following = history_view.clock(answer, query)
    return {**clock, "next": seal(following)}
