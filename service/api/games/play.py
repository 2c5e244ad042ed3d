"""Playing: the game as the caller may see it, actions, history, and the record."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json, State
from service.core.database import db
from service.core.problems import IllegalAction, NotOver, OtherAnswer, Stale
from service.game.record import whole_record
from service.game.table import Table
from service.http.body_and_query import parse_body, parse_query
from service.http.caller import caller_id, open_to_visitors, signed_in
from service.http.context import current_services
from service.http.etags import with_etag
from service.http.game_answers import game_answer, visible_table
from service.http.limits.rate_limits import limited
from service.http.schemas.games import EventsQuery, NewAction
from service.play import moves
from service.views import history_view

bp = Blueprint("play", __name__, url_prefix="/api/games/<game:game_id>")


@bp.get("")
@open_to_visitors("read")
def get_game(game_id: str) -> Response:
    """The game as the caller may see it."""
    answer = game_answer(visible_table(game_id))
    response = with_etag(answer.whole(), answer.etag)
    if answer.me:
        current_services().answers.put(game_id, answer.etag, response.get_data())
    return response


@bp.post("/actions")
@limited("actions")
@signed_in("play")
@parse_body(NewAction)
def post_action(body: Json, game_id: str) -> tuple[Json, int]:
    """Play one action for the caller's seat."""
    table, services = visible_table(game_id), current_services()
    answer = caller_id(), body["asked"], body["action"]
    try:
        played = moves.play(services.runtime, services.states, table, *answer, whole_game)
    except (Stale, OtherAnswer, IllegalAction) as problem:
        problem.more = members_of_refusal(problem)
        raise
    return {"number": played.number, "game": played.shown}, 201 if played.new else 200


def whole_game(table: Table, state: State) -> Json:
    """The game as the caller sees it then."""
    return game_answer(table, state).whole()


def members_of_refusal(problem: Stale | OtherAnswer | IllegalAction) -> Json:
    """What the problem document adds: the fresh view, or why the action is not legal and what is."""
    more = dict(problem.more)
    answer = game_answer(more.pop("table"), more.pop("state"))
    if isinstance(problem, IllegalAction):
        return {"why": more["why"], "legal": answer.legal(), "asked": answer.asked}
    return {**more, "game": answer.whole()}


@bp.get("/events")
@limited("history")
@open_to_visitors("read")
@parse_query(EventsQuery)
def list_events(query: Json, game_id: str) -> Json:
    """The history as the caller may see it, in words."""
    answer = game_answer(visible_table(game_id))
    events, following = history_view.page(
        current_services().states, answer, query["after"], query["limit"]
    )
    return {"events": events, "next": following}


@bp.get("/record")
@open_to_visitors("read")
def get_record(game_id: str) -> Response:
    """The whole record of a game that is over: `tegami verify` checks its exact bytes."""
    table = visible_table(game_id)
    if table.game.status != "over":
        raise NotOver
    return Response(
        whole_record(db.session, table, current_services().heads),
        mimetype="application/json",
        headers={"Content-Disposition": f'attachment; filename="{game_id}.json"'},
    )
