"""The lobby: open a table, list tables, sit down, leave, start, and play again with the same people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import InvalidBody, InvalidOptions
from service.core.words.words import phrases
from service.tables.before_start import departures, lessons, ready_checks, rematch, table_setup
from service.tables.views import game_lists
from service.tables.views.rulesets.ruleset_view import options_schema
from service.web.api.games import game_schemas
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.caller import caller, caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.idempotency.repeatable import repeatable
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import sent_key, visible_table, whole_game

bp = Blueprint("lobby", __name__, url_prefix="/api/games")


@bp.post("")
@limited("games")
@signed_in("play")
@repeatable
@parse_body(game_schemas.NewGame)
def open_game(body: Json) -> tuple[Json, int, dict[str, str]]:
    """Open a table and sit down at it."""
    opener = caller_id()
    with wrong_options(body["ruleset"]), attempt_limits.counted(attempt_limits.table(opener)):
        table = table_setup.open_table(current_services(), opener, body)
    return whole_game(table), 201, {"Location": f"/api/games/{table.game.id}"}


@contextmanager
def wrong_options(slug: str) -> Iterator[None]:
    """A block in which a table is described: if it raises InvalidOptions, the problem also lists the options that there
    are.
    """
    try:
        yield
    except InvalidOptions as problem:
        words = phrases(preferred_language(), slug)
        about = dict(problem.more)
        wrong = about.pop("wrong")
        problem.detail, problem.fields = "option" if wrong else "detail", {"name": wrong}
        problem.more = {"wrong": wrong, "may": options_schema(**about, words=words)}
        raise


@bp.get("")
@open_to_visitors("read")
@parse_query(game_schemas.GamesQuery)
def list_games(query: Json) -> Response:
    """List the tables of everybody, or the caller's own."""
    if query["mine"]:
        caller_id()
    if query.get("with"):
        query["with"] = holder_of(query["with"])
    player = caller()
    games, following = game_lists.games(player and player.id, preferred_language(), query)
    answer: Json = {"games": games, "next": seal(following)}
    if player and game_lists.are_left_out(player.id, query):
        answer["left_out"] = True
    return with_content_etag(answer)


def holder_of(tenure_id: str) -> str:
    """The id of the player who holds or held this seat at a table that the caller may see. Raises NotFound."""
    game_id, player_id = game_lists.holder_of(tenure_id)
    visible_table(game_id)
    return player_id


@bp.post("/<game:game_id>/seats")
@signed_in("play")
@parse_body(game_schemas.NewSeat)
def take_seat(body: Json, game_id: str) -> tuple[Json, int]:
    """Sit down or, as the host, add a house player."""
    services = current_services()
    seen = visible_table(game_id)
    if body["house"]:
        if seen.game.live:
            words = phrases(preferred_language())
            raise InvalidBody(errors={"house": [Wrong("people-only").worded(words)]})
        table = table_setup.add_house_player(services, game_id, caller_id(), body.get("level"))
    else:
        wish = {"nonce": body.get("nonce"), "key": sent_key(), "anyway": body["anyway"]}
        table = table_setup.sit(services, game_id, caller_id(), wish)
    return whole_game(table), 201


@bp.delete("/<game:game_id>/seats/<tenure:tenure_id>")
@signed_in("play")
def leave_seat(game_id: str, tenure_id: str) -> tuple[str, int]:
    """Leave before the start or, as the host, remove somebody."""
    visible_table(game_id)
    departures.leave(current_services(), game_id, caller_id(), tenure_id)
    return "", 204


@bp.delete("/<game:game_id>/lesson")
@signed_in("play")
def leave_lesson(game_id: str) -> tuple[str, int]:
    """Leave a lesson, which deletes the game."""
    visible_table(game_id)
    lessons.leave(game_id, caller_id())
    return "", 204


@bp.post("/<game:game_id>/start")
@signed_in("play")
@parse_body(game_schemas.NewStart)
def start_game(body: Json, game_id: str) -> Json:
    """Start the game as its host."""
    visible_table(game_id)
    return whole_game(table_setup.start(current_services(), game_id, caller_id(), body))


@bp.post("/<game:game_id>/ready")
@signed_in("play")
def confirm_ready(game_id: str) -> Json:
    """Confirm that the caller is there, at a full table that is played live."""
    visible_table(game_id)
    return whole_game(ready_checks.confirm(current_services(), game_id, caller_id()))


@bp.put("/<game:game_id>/nonce")
@signed_in("play")
@parse_body(game_schemas.NewNonce)
def put_nonce(body: Json, game_id: str) -> Json:
    """Add a nonce for the shuffles before the game starts."""
    visible_table(game_id)
    table = table_setup.bring_nonce(current_services(), game_id, caller_id(), body["nonce"])
    return whole_game(table)


@bp.post("/<game:game_id>/rematch")
@limited("games")
@signed_in("play")
@parse_body(game_schemas.NewRematch)
def make_rematch(body: Json, game_id: str) -> tuple[Json, int, dict[str, str]]:
    """Open or join a rematch with the same people."""
    visible_table(game_id)
    services, player = current_services(), caller_id()
    with attempt_limits.counted(attempt_limits.table(player)):
        table, new = rematch.rematch(services, game_id, player, body)
    status = 201 if new else 200
    return whole_game(table), status, {"Location": f"/api/games/{table.game.id}"}
