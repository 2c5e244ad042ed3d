"""Links in emails that play a move.

A GET shows the move, and a POST plays it, because mail programs follow links too. A link to all legal actions leads
through a form: one page of links for each step.
"""

from __future__ import annotations

from flask import Blueprint, Response, request

from rules.kernel import Json
from service.core.runtime.problems import NotFound, Problem, Stale
from service.log.table_rows.table import find
from service.notifications.mail_texts.game_for_reader import GameForReader
from service.notifications.mail_texts.mail_links import LinkedMove, read_move_link
from service.people import players
from service.tables.drawing import action_narrowing
from service.tables.play import moves
from service.tables.play import take_back as taking_back
from service.tables.play.orders import orders
from service.tables.services import Services
from service.tables.views.history_view import since
from service.tables.views.orders import orders_view, trees_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.order_parts import OrderParts, chosen
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
    """Show the move, or the choices, and the present table, without playing anything."""
    move = read_move_link(current_services(), token)
    game = game_of(move)
    if not move.is_current or not game.body["legal"]:
        return too_late(move, game)
    if move.action is None:
        return form(game, action_narrowing.parse_path(query.get("step")))
    if move.order is not None:
        return game_page("order.html", game, order=orders_view.worded(move.order, game.words))
    return game_page("move.html", game, action=game.answer.choice(move.action))


@bp.post("/<token>")
@from_anywhere
@html_not_found
def play_move(token: str) -> Response:
    """Play the move; if it is repeated or too late, only show the table.

    Raises NotFound for a link to the form.
    """
    services = current_services()
    move = read_move_link(services, token)
    if move.action is None:
        raise NotFound
    act_for(move.player_id)
    if move.order is not None:
        return leave_order(services, move, move.order)
    try:
        played = moves.play(services, move.table, move.player_id, move.asked, move.action)
    except Problem as problem:
        present = read_move_link(services, token)
        if problem.status not in {409, 422}:
            raise
        return not_played(game_of(present), problem.slug)
    return outcome(move, move.action, played)


@bp.post("/<token>/take-back")
@from_anywhere
@html_not_found
def take_choice_back(token: str) -> Response:
    """Take back the seat's answer to the question of the link, if nobody has seen it, and show the choices."""
    services = current_services()
    move = read_move_link(services, token)
    act_for(move.player_id)
    event = moves.answered(move.table, move.person, move.asked)
    try:
        if event is not None:
            taking_back.take_back(services, move.table.game.id, move.player_id, event["number"])
    except Problem as problem:
        if problem.status != 409:
            raise
        return not_played(game_of(present(move)), problem.slug)
    game = game_of(present(move))
    return form(game, ()) if game.body["legal"] else not_played(game, "stale")


@bp.get("/<token>/orders")
@html_not_found
@parse_query(OrderParts)
def get_linked_order(query: Json, token: str) -> Response:
    """Ask for the parts of an order that waits for answers of others; if the parts are given, ask whether to leave it.
    Nothing is changed.

    Raises NotFound for a link to one move.
    """
    move = form_link(current_services(), token)
    game, parts = game_of(move), chosen(query)
    if not move.is_current or not game.body["legal"]:
        return too_late(move, game)
    offered = trees_view.parts(game.answer)
    if parts is None:
        return game_page("order_parts_form.html", game, parts=offered)
    try:
        terms = trees_view.built(game.answer, *parts)
    except Stale:
        return not_played(game, "stale")
    order = orders_view.worded(
        {**terms, "until": {"times": 1}}, game.words, orders_view.reader_of(game.answer)
    )
    return game_page("order.html", game, order=order)


@bp.post("/<token>/orders")
@from_anywhere
@html_not_found
@parse_query(OrderParts)
def leave_linked_order(query: Json, token: str) -> Response:
    """Leave the order of these parts; if it is repeated or too late, only show the table. The body is not read.

    Raises NotFound for a link to one move.
    """
    services = current_services()
    move, parts = form_link(services, token), chosen(query)
    act_for(move.player_id)
    game = game_of(move)
    if parts is None or not move.is_current:
        return not_played(game, "stale")
    try:
        terms = trees_view.built(game.answer, *parts)
    except Stale:
        return not_played(game, "stale")
    return leave_order(services, move, terms)


def form_link(services: Services, token: str) -> LinkedMove:
    """The link to the form in which anything can be chosen. Raises NotFound for a link to one move or order."""
    move = read_move_link(services, token)
    if move.action is not None:
        raise NotFound
    return move


def take_back_url(game: GameForReader, number: int) -> str | None:
    """The address for taking back the answer of this event; None if that would need consent."""
    back = game.body["take_back"]
    is_possible = back is not None and back["free"] and back["event"] == number
    return f"{request.path}/take-back" if is_possible else None


def present(move: LinkedMove) -> LinkedMove:
    """The link's move, with the table as it is now."""
    table = find(move.table.game.id)
    return move._replace(table=table, person=table.holding(move.player_id))


def leave_order(services: Services, move: LinkedMove, order: Json) -> Response:
    """Leave a standing order, and return the page about it; if it is repeated or too late, only show the table."""
    try:
        made = orders.leave_once(services, move.table.game.id, move.player_id, move.asked, order)
    except Problem as problem:
        if problem.status not in {409, 422}:
            raise
        return not_played(game_of(move), problem.slug)
    game = game_of(move)
    detail = orders_view.worded(made.terms, game.words, orders_view.reader_of(game.answer))
    title = game.words.say("order.left")
    return game_page("move_not_played.html", game, title=title, detail=detail)


def game_of(move: LinkedMove) -> GameForReader:
    """The table as the seat sees it now."""
    player = players.get(move.player_id)
    return GameForReader(current_services(), move.table, player.id, player.language)


def form(game: GameForReader, path: tuple[int, ...]) -> Response:
    """The page with the next choices, after the choices in `path`."""
    choice = choosing(game, path, game.form_url, lambda place: game.choice(place).url)
    return game_page("move_form.html", game, **choice)


def outcome(move: LinkedMove, action: Json, played: moves.Played) -> Response:
    """The page with the effects of the move, and the next step."""
    game = game_of(move._replace(table=played.table))
    title = "move.played" if played.new else "move.already"
    events = since(current_services(), game.answer, played.number - 1)
    worded = game.answer.action(action)
    back = take_back_url(game, played.number)
    return game_page("move_played.html", game, title=title, action=worded, since=events, back=back)


def too_late(move: LinkedMove, game: GameForReader) -> Response:
    """The page for a game that has moved on, perhaps because of this very move."""
    event = moves.answered(move.table, move.person, move.asked)
    if event is not None and event["action"] == move.action:
        action = game.answer.action(event["action"])
        told = {"title": "move.already", "action": action, "since": None}
        back = take_back_url(game, event["number"])
        return game_page("move_played.html", game, **told, back=back)
    return not_played(game, "stale")


def not_played(game: GameForReader, slug: str) -> Response:
    """The page for a move that can no longer be played: the reason or the result of the game, and the present table."""
    title, detail = (
        game.words.say(f"problem.{slug}.title"),
        game.words.say(f"problem.{slug}.detail"),
    )
    if game.table.game.is_over:
        title, detail = game.words.say("page.turn.over"), game.body["result"]["words"]
    return game_page("move_not_played.html", game, title=title, detail=detail)
