"""A move without scripts: choose step by step, confirm, play."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json, text
from service.core.runtime.problems import IllegalAction, OtherAnswer, Stale
from service.tables.drawing import action_narrowing
from service.tables.play import moves
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.caller import caller_id
from service.web.http.caller.context import current_services
from service.web.http.caller.last_seen import note_beside, was_noted
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import PlainMove, PlainMoveQuery
from service.web.plain.plain_game import PlainGame
from service.web.plain.plain_pages import plain_blueprint, see
from service.web.plain.table_page import table_answer

bp: Blueprint = plain_blueprint("plain_move")


@bp.get("/games/<game:game_id>/move")
@parse_query(PlainMoveQuery)
def get_plain_move(query: Json, game_id: str) -> Response:
    """Show what can be chosen, or ask for confirmation; nothing is played. Raises NotSignedIn, NotFound."""
    caller_id()
    game = PlainGame(game_id)
    legal = game.body["legal"]
    if not legal or query["asked"] != game.answer.asked:
        return table_answer(game, Stale.slug)
    place = query.get("place")
    if place is None or place >= len(legal):
        path = action_narrowing.parse_path(query.get("step"))
        return game.page("choose.html", choosing=game.choosing(path), drawing=game.drawing())
    return game.page(
        "confirm.html",
        words_of_action=legal[place]["words"],
        action=text(legal[place]["action"]),
        drawing=game.drawing(),
    )


@bp.post("/games/<game:game_id>/move")
@limited("actions")
@parse_form(PlainMove)
def play_plain_move(body: Json, game_id: str) -> Response:
    """Play it; too late, show the table and say why. Raises NotSignedIn, NotFound, NotSeated, NotRunning."""
    services, player_id = current_services(), caller_id()
    table = visible_table(game_id)
    try:
        answer = player_id, body["asked"], body["action"]
        played = moves.play(services, table, *answer, write_beside=note_beside)
    except (Stale, OtherAnswer, IllegalAction) as problem:
        return table_answer(PlainGame(game_id), problem.slug)
    if played.new:
        was_noted()
    return see(f"/plain/games/{game_id}")
