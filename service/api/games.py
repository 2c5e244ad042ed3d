"""Tables: open, list, join, leave, start."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from rules.kernel import Json
from service import lobby, tables
from service.api.common import (
    asks,
    caller,
    game_answer,
    language,
    player_id,
    signed_in,
    takes,
    tools,
    visible,
)
from service.api.limits import limited
from service.problems import InvalidOptions
from service.rulesets import options_schema
from service.schemas import GamesQuery, NewGame, NewSeat
from service.schemas_tables import NewStart
from service.words import phrases

bp = Blueprint("games", __name__, url_prefix="/api/games")


@bp.post("")
@limited("games")
@signed_in
@takes(NewGame)
def open_game(body: Json) -> tuple[Response, int, dict[str, str]]:
    """Open a table and sit down at it."""
    try:
        table = tables.open_table(tools().outside, player_id(), body)
    except InvalidOptions as problem:
        words = phrases(language(), body["ruleset"])
        problem.more = {"may": options_schema(**problem.more, words=words)}
        raise
    game = game_answer(table).whole()
    return jsonify(game), 201, {"Location": f"/api/games/{table.game.id}"}


@bp.get("")
@asks(GamesQuery)
def list_games(query: Json) -> Json:
    """The lobby, or one's own tables: newest first."""
    if query["mine"]:
        player_id()
    if query.get("with"):
        query["with"] = person_of(query["with"])
    player: Any = caller()
    games, following = lobby.games(player and player.id, language(), query)
    return {"games": games, "next": following}


def person_of(tenure_id: str) -> str:
    """Whose tenure this is, at a table that the caller may see. Raises NotFound."""
    game_id, person = lobby.holder(tenure_id)
    visible(game_id)
    return person


@bp.post("/<game:game_id>/seats")
@signed_in
@takes(NewSeat)
def take_seat(body: Json, game_id: str) -> tuple[Json, int]:
    """Sit down, or as the host let a house player in."""
    visible(game_id)
    table = tables.sit(
        tools().outside, game_id, player_id(), body.get("nonce"), house=body["house"]
    )
    return game_answer(table).whole(), 201


@bp.delete("/<game:game_id>/seats/<tenure:tenure_id>")
@signed_in
def leave_seat(game_id: str, tenure_id: str) -> tuple[str, int]:
    """Leave before the start, or as the host send somebody away."""
    visible(game_id)
    tables.leave(tools().outside, game_id, player_id(), tenure_id)
    return "", 204


@bp.post("/<game:game_id>/start")
@signed_in
@takes(NewStart)
def start_game(body: Json, game_id: str) -> Json:
    """Start the game as its host."""
    visible(game_id)
    table = tables.start(tools().outside, game_id, player_id(), house=body["house"])
    return game_answer(table).whole()
