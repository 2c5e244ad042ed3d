"""Rematch: a new table with the same people."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service.http.body_and_query import parse_body
from service.http.caller import caller_id, signed_in
from service.http.context import current_services
from service.http.game_answers import game_answer, visible_table
from service.http.limits import attempt_limits
from service.http.limits.rate_limits import limited
from service.http.schemas.games import NewRematch
from service.play import rematch

bp = Blueprint("rematch", __name__, url_prefix="/api/games/<game:game_id>/rematch")


@bp.post("")
@limited("games")
@signed_in("play")
@parse_body(NewRematch)
def make_rematch(body: Json, game_id: str) -> tuple[Response, int, dict[str, str]]:
    """Play again with the same people."""
    visible_table(game_id)
    runtime, player = current_services().runtime, caller_id()
    with attempt_limits.counted(attempt_limits.table(player)):
        table, new = rematch.rematch(runtime, game_id, player, body)
    game = jsonify(game_answer(table).whole())
    return game, 201 if new else 200, {"Location": f"/api/games/{table.game.id}"}
