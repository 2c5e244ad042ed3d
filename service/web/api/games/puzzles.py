"""Positions of finished games as puzzles, for everybody who may see the game."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.log.table_rows.table import Table
from service.tables.play.analyses import analyses
from service.tables.play.analyses.analyses import Appraised
from service.tables.play.analyses.decisions import held_by
from service.tables.play.puzzles import positions
from service.tables.views.puzzles import position_view
from service.web.api.puzzles import NewPuzzleAnswer, not_among_these
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller, open_to_visitors
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("game_puzzles", __name__, url_prefix="/api/games/<game:game_id>/puzzles")


@bp.get("/<int:number>")
@limited("views")
@open_to_visitors("read")
def get_game_puzzle(game_id: str, number: int) -> Response:
    """Show a decision of a finished game as a puzzle."""
    table = visible_table(game_id)
    decided = positions.find(current_services(), table, number)
    return with_content_etag(position_view.shown(game_answer(table), decided))


@bp.post("/<int:number>/answers")
@limited("puzzles")
@open_to_visitors("play")
@parse_body(NewPuzzleAnswer)
def answer_game_puzzle(body: Json, game_id: str, number: int) -> Json:
    """Show what was played, and what the answer is worth according to the caller's own analysis of the game."""
    table, action = visible_table(game_id), body["action"]
    decided = positions.find(current_services(), table, number)
    if action is not None and (action := decided.listed(table, action)) is None:
        raise not_among_these()
    found = _own_analysis(table, number)
    return position_view.verdict(game_answer(table), decided, action, found)


def _own_analysis(table: Table, number: int) -> Appraised | None:
    """The appraisal of this decision in the caller's own analysis of the game; None if there is none."""
    player = caller()
    if player is None or held_by(table, player.id) is None:
        return None
    found = analyses.find(current_services().now(), table, player.id).shown
    if found is None or found.ended_at is None:
        return None
    return next((each for each in analyses.appraised(found) if each.number == number), None)
