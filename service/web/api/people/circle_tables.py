"""The tables of a circle, and the results of its members."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.words.words import phrases
from service.people.circles import circle_results, circles
from service.tables.before_start import circle_tables, weekly_tables
from service.tables.views import game_lists
from service.tables.views.people_names import name_of
from service.web.api.games.game_schemas import NewGame
from service.web.api.games.lobby import wrong_options
from service.web.api.people.circle_schemas import CircleGamesQuery, NewWeekly, ResultsQuery
from service.web.api.people.circles import weekly_json
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.bodies.path_ids import known_version
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import whole_game

bp = Blueprint("circle_tables", __name__, url_prefix="/api/circles/<circle:circle_id>")


@bp.get("/games")
@signed_in("read")
@parse_query(CircleGamesQuery)
def list_circle_games(query: Json, circle_id: str) -> Response:
    """List the tables of a circle."""
    me = caller_id()
    circle = circles.membership(circle_id, me).circle
    wish = {**query, "circle": circle.key, "mine": False}
    games, following = game_lists.games(me, preferred_language(), wish)
    return with_content_etag({"games": games, "next": seal(following)})


@bp.post("/games")
@limited("games")
@signed_in("play")
@parse_body(NewGame)
def open_circle_game(body: Json, circle_id: str) -> tuple[Json, int, dict[str, str]]:
    """Open a table in a circle and sit down at it."""
    opener = caller_id()
    with wrong_options(body["ruleset"]), attempt_limits.counted(attempt_limits.table(opener)):
        table = circle_tables.open_table(current_services(), circle_id, opener, body)
    return whole_game(table), 201, {"Location": f"/api/games/{table.game.id}"}


@bp.post("/weeklies")
@limited("circles")
@signed_in("play")
@parse_body(NewWeekly)
def add_weekly_table(body: Json, circle_id: str) -> tuple[Json, int]:
    """Have a table opened each week."""
    maker = caller_id()
    tables = attempt_limits.counted(attempt_limits.table(maker))
    with wrong_options(body["table"]["ruleset"]), tables:
        row = weekly_tables.set_up(current_services(), circle_id, maker, body)
    return weekly_json(row, maker), 201


@bp.delete("/weeklies/<weekly:weekly_id>")
@signed_in("play")
def remove_weekly_table(circle_id: str, weekly_id: str) -> tuple[str, int]:
    """Stop opening a table each week."""
    weekly_tables.remove(current_services(), circle_id, caller_id(), weekly_id)
    return "", 204


@bp.get("/results")
@signed_in("read")
@parse_query(ResultsQuery)
def list_circle_results(query: Json, circle_id: str) -> Response:
    """Show the results of the members of a circle at its tables."""
    me, words = caller_id(), phrases(preferred_language())
    circle, slug = circles.membership(circle_id, me).circle, query.get("ruleset")
    if slug is not None:
        known_version(slug, None)
    shown = [
        {
            "id": row.id,
            "name": name_of(row.name, row.program, words),
            "you": row.player_id == me,
            "games": row.games,
            "won": row.won,
            "left": row.left,
        }
        for row in circle_results.results(circle, slug)
    ]
    return with_content_etag({"results": shown})
