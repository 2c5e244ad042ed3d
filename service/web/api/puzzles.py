"""Puzzles of the collections: positions in which one action is far better than all others."""

from __future__ import annotations

from flask import Blueprint, Response
from marshmallow import fields

import rules
from rules.kernel import Json
from service.core.runtime.problems import InvalidBody
from service.core.words.words import phrases
from service.tables.play.puzzles import answers, puzzles
from service.tables.views.puzzles import puzzle_view
from service.web.api.games.game_schemas import has_type
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.bodies.fields import Body
from service.web.http.bodies.path_ids import known_version
from service.web.http.bodies.wrong_members import Wrong
from service.web.http.caller.caller import caller, open_to_visitors
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("puzzles", __name__, url_prefix="/api")


class NewPuzzleAnswer(Body):
    """The body of POST /puzzles/{puzzle_id}/answers."""

    action = fields.Dict(required=True, validate=has_type, allow_none=True)


@bp.get("/rulesets/<slug>/puzzles")
@open_to_visitors("read")
def list_puzzles(slug: str) -> Response:
    """List the puzzles of a ruleset, with the caller's progress."""
    known_version(slug, None)
    player, found = caller(), puzzles.of_ruleset(slug)
    states = answers.states(player and player.id, [each.id for each in found])
    words, version = phrases(preferred_language(), slug), rules.load(slug).version
    return with_content_etag(
        {
            "ruleset": {"slug": slug, "version": version, "name": words.say("name")},
            "puzzles": [puzzle_view.entry(each, states[each.id]) for each in found],
        }
    )


@bp.get("/puzzles/<puzzle:puzzle_id>")
@open_to_visitors("read")
def get_puzzle(puzzle_id: str) -> Response:
    """Show a puzzle as its seat sees it."""
    player, posed = caller(), puzzles.find(puzzle_id)
    state = answers.states(player and player.id, [puzzle_id])[puzzle_id]
    return with_content_etag(puzzle_view.shown(posed, state, preferred_language()))


@bp.post("/puzzles/<puzzle:puzzle_id>/answers")
@limited("puzzles")
@open_to_visitors("play")
@parse_body(NewPuzzleAnswer)
def answer_puzzle(body: Json, puzzle_id: str) -> Json:
    """Show what an action is worth, or which one is best."""
    player, posed = caller(), puzzles.find(puzzle_id)
    return answered(posed, player and player.id, body["action"])


def answered(posed: puzzles.Posed, player_id: str | None, action: Json | None) -> Json:
    """The verdict on an action, which is remembered if it is the best one; without an action, the solution.

    Raises InvalidBody for an action that is not legal in the position.
    """
    place = None if action is None else posed.place_of(action)
    if action is not None and place is None:
        raise not_among_these()
    puzzle, solved = posed.puzzle.id, place is not None and posed.is_best(place)
    if player_id is not None and (solved or place is None):
        answers.remember(current_services(), player_id, puzzle, solved=solved)
    state = answers.states(player_id, [puzzle])[puzzle]
    return puzzle_view.verdict(posed, place, state, preferred_language())


def not_among_these() -> InvalidBody:
    """The problem with an action that is not legal in the position."""
    words = phrases(preferred_language())
    return InvalidBody(errors={"action": [Wrong("value").worded(words)]})
