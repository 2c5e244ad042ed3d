"""Playing: the game as the caller may see it, actions, history, and the record."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service import history, play
from service.api.common import (
    asks,
    game_answer,
    player_id,
    signed_in,
    tagged,
    takes,
    tools,
    visible,
)
from service.api.limits import limited
from service.database import db
from service.problems import IllegalAction, NotOver, OtherAnswer, Stale
from service.record import whole_record
from service.schemas import EventsQuery, Move

bp = Blueprint("play", __name__, url_prefix="/api/games/<game:game_id>")


@bp.get("")
def get_game(game_id: str) -> Response:
    """The game as the caller may see it."""
    answer = game_answer(visible(game_id))
    return tagged(answer.whole(), answer.etag)


@bp.post("/actions")
@limited("actions")
@signed_in
@takes(Move)
def post_action(body: Json, game_id: str) -> tuple[Json, int]:
    """Play one action for the caller's seat."""
    table, kit = visible(game_id), tools()
    try:
        played = play.play(
            kit.outside, kit.states, table, player_id(), body["asked"], body["action"]
        )
    except (Stale, OtherAnswer, IllegalAction) as problem:
        problem.more = told(problem)
        raise
    game = game_answer(played.table, played.state).whole()
    return {"number": played.number, "game": game}, 201 if played.new else 200


def told(problem: Stale | OtherAnswer | IllegalAction) -> Json:
    """What a refused player is told: the fresh view, or why the action is not legal and what is."""
    more = dict(problem.more)
    answer = game_answer(more.pop("table"), more.pop("state"))
    if isinstance(problem, IllegalAction):
        asked = answer.me and answer.me.asked
        return {"why": more["why"], "legal": answer.legal(), "asked": asked}
    return {**more, "game": answer.whole()}


@bp.get("/events")
@asks(EventsQuery)
def list_events(query: Json, game_id: str) -> Json:
    """The history in the caller's words and eyes."""
    answer = game_answer(visible(game_id))
    events, following = history.page(tools().states, answer, query["after"], query["limit"])
    return {"events": events, "next": following}


@bp.get("/record")
def get_record(game_id: str) -> Response:
    """The whole record of a game that is over: its exact bytes can be checked with `tegami verify`."""
    table = visible(game_id)
    if table.game.status != "over":
        raise NotOver
    name = f'attachment; filename="{game_id}.json"'
    return Response(
        whole_record(db.session, table),
        mimetype="application/json",
        headers={"Content-Disposition": name},
    )
