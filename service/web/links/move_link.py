"""Links in mails that play a move.

A GET shows, a POST plays: mail programs follow links too. A link to all legal actions leads through a form: one page of
links for each step.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound, Problem
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import LinkedMove, read_move_link
from service.people import players
from service.tables.drawing import action_narrowing
from service.tables.play import moves
from service.tables.views.history_view import since
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.caller.context import current_services
from service.web.http.headers.cross_site import from_anywhere
from service.web.http.limits.cause import act_for
from service.web.page.game_page import choosing, game_page, html_not_found
from service.web.page.page_schemas import StepQuery

bp = Blueprint("move_link", __name__, url_prefix="/moves")


@bp.get("/<token>")
@html_not_found
@parse_query(StepQuery)
def get_move(query: Json, token: str) -> Response:
    """Show the move, or what can be chosen, and the present table; nothing is played."""
    move = read_move_link(current_services(), token)
    game = game_of(move)
    if not move.is_current or not game.body["legal"]:
        return too_late(move, game)
    if move.action is None:
        return form(game, action_narrowing.parse_path(query.get("step")))
    return game_page("move.html", game, action=game.answer.choice(move.action))


@bp.post("/<token>")
@from_anywhere
@html_not_found
def play_move(token: str) -> Response:
    """Play the move; a second time, or too late, only show the table. Raises NotFound for a link to the form."""
    services = current_services()
    move = read_move_link(services, token)
    if move.action is None:
        raise NotFound
    act_for(move.player_id)
    try:
        played = moves.play(services, move.table, move.player_id, move.asked, move.action)
    except Problem as problem:
        present = read_move_link(services, token)
        if problem.status not in {409, 422}:
            raise
        return not_played(game_of(present), problem.slug)
    return outcome(move, move.action, played)


def game_of(move: LinkedMove) -> GameForReader:
    """The table as the seat sees it now."""
    player = players.get(move.player_id)
    return GameForReader(current_services(), move.table, player.id, player.language)


def form(game: GameForReader, path: tuple[int, ...]) -> Response:
    """What can be chosen next, after the choices of `path`."""
    choice = choosing(game, path, game.form_url, lambda place: game.choice(place).url)
    return game_page("move_form.html", game, **choice)


def outcome(move: LinkedMove, action: Json, played: moves.Played) -> Response:
    """What the move led to, and what comes next."""
    game = game_of(move._replace(table=played.table))
    title = "move.played" if played.new else "move.already"
    events = since(current_services(), game.answer, played.number - 1)
    worded = game.answer.action(action)
    return game_page("move_played.html", game, title=title, action=worded, since=events)


def too_late(move: LinkedMove, game: GameForReader) -> Response:
    """The game has moved on; perhaps because of this very move."""
    event = moves.answered(move.table, move.person, move.asked)
    if event is not None and event["action"] == move.action:
        action = game.answer.action(event["action"])
        return game_page("move_played.html", game, title="move.already", action=action, since=None)
    return not_played(game, "stale")


def not_played(game: GameForReader, slug: str) -> Response:
    """A move that can no longer be played: why, or how the game has ended, and the present table."""
    title, detail = (
        game.words.say(f"problem.{slug}.title"),
        game.words.say(f"problem.{slug}.detail"),
    )
    if game.table.game.is_over:
        title, detail = game.words.say("page.turn.over"), game.body["result"]["words"]
    return game_page("move_not_played.html", game, title=title, detail=detail)
