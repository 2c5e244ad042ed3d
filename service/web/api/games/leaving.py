"""Leaving a running game, and coming back."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.tables.play import leaving
from service.web.api.games.proposal_schemas import NewResignation
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("leaving", __name__, url_prefix="/api/games/<game:game_id>")


@bp.post("/resignation")
@signed_in("play")
@parse_body(NewResignation)
def resign(body: Json, game_id: str) -> Json:
    """Give up one's seat, with `for_good` without a way back."""
    visible_table(game_id)
    services, for_good = current_services(), body["for_good"]
    table = leaving.resign(services, game_id, caller_id(), for_good=for_good)
    return game_answer(table).whole()


@bp.post("/return")
@signed_in("play")
def come_back(game_id: str) -> Json:
    """Take one's seat back from a house player."""
    visible_table(game_id)
    table = leaving.return_to_seat(current_services(), game_id, caller_id())
    return game_answer(table).whole()
