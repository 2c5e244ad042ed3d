"""Rematch: a new table with the same people."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service.tables.before_start import rematch
from service.web.api.games.game_schemas import NewRematch
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("rematch", __name__, url_prefix="/api/games/<game:game_id>/rematch")


@bp.post("")
@limited("games")
@signed_in("play")
@parse_body(NewRematch)
def make_rematch(body: Json, game_id: str) -> tuple[Response, int, dict[str, str]]:
    """Play again with the same people."""
    visible_table(game_id)
    services, player = current_services(), caller_id()
    with attempt_limits.counted(attempt_limits.table(player)):
        table, new = rematch.rematch(services, game_id, player, body)
    game = jsonify(game_answer(table).whole())
    return game, 201 if new else 200, {"Location": f"/api/games/{table.game.id}"}
