"""Standing orders without scripts: those that can be left at the present question, those in force, and those that have
ended.
"""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.problems import NotFound, Problem, Stale
from service.core.words.words import phrases
from service.people import players
from service.tables.play.orders import only_moves, orders
from service.tables.views.orders import orders_view, trees_view
from service.web.http.bodies.order_parts import chosen
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.order_schemas import ONLY_MOVES, OwnOrders
from service.web.plain.plain_pages import plain_blueprint, see

bp: Blueprint = plain_blueprint("plain_orders")


@bp.get("/games/<game:game_id>/orders")
def get_plain_orders(game_id: str) -> Response:
    """Show the reader's orders at a table. Raises NotSignedIn, NotFound."""
    game = PlainGame(game_id)
    if game.table.person(caller_id()) is None:
        raise NotFound
    return orders_page(game)


def orders_page(game: PlainGame, problem: str | None = None) -> Response:
    """The page of a seat's orders. With a `problem` (its slug), the page says that nothing was changed, and why."""
    player = players.get(game.table.seated(game.answer.viewer.player_id).player_id or "")
    shown = orders_view.of_seat(game.answer)
    chosen = next(name for name, value in ONLY_MOVES.items() if value is shown["only_move"])
    return game.page(
        "orders.html",
        problem=problem,
        shown=shown,
        parts=trees_view.parts(game.answer),
        only_move=chosen,
        choices=[*ONLY_MOVES],
        everywhere=player.only_move,
        others=elsewhere(game, player.id),
    )


def elsewhere(game: PlainGame, player_id: str) -> list[Json]:
    """The reader's orders at other tables."""
    found = []
    for each in orders.of_player(player_id):
        of = orders.game_of(each)
        if of.id != game.table.game.id:
            words = phrases(game.words.language, of.ruleset, of.version)
            said = orders_view.worded(each.terms, words)
            found.append({"game": of.id, "name": words.say("name"), "words": said})
    return found


@bp.post("/games/<game:game_id>/orders")
@limited("orders")
@signed_in_by_cookie
@parse_form(OwnOrders)
def change_plain_orders(body: Json, game_id: str) -> Response:
    """Leave an order, change or withdraw one, or set whether only moves are played.

    Raises NotSignedIn, NotFound, NotSeated.
    """
    services, player_id, table = current_services(), caller_id(), visible_table(game_id)
    if body["do"] == "only-move":
        tenure = table.seated(player_id).tenure
        only_moves.set_at_table(services, tenure, ONLY_MOVES[body["only_move"]])
    if body["do"] == "withdraw":
        orders.withdraw(services, game_id, player_id, body["order"])
    if body["do"] in _ABOUT_ORDERS:
        try:
            _ABOUT_ORDERS[body["do"]](game_id, player_id, body)
        except Problem as problem:
            if problem.status not in {409, 422}:
                raise
            return orders_page(PlainGame(game_id), problem.slug)
    return see(f"/plain/games/{game_id}/orders")


def leave(game_id: str, player_id: str, body: Json) -> None:
    """Leave the order that is offered at this position. Raises Stale if there is none."""
    game = PlainGame(game_id)
    offers = orders_view.offers(game.answer)
    if body["asked"] != game.answer.asked or body["offer"] >= len(offers):
        raise Stale
    given = game_id, player_id, body["asked"], offers[body["offer"]].terms
    orders.leave_once(current_services(), *given)


def build(game_id: str, player_id: str, body: Json) -> None:
    """Leave the order that was built of the offered parts. Raises Stale if there are none."""
    game, parts = PlainGame(game_id), chosen(body)
    if parts is None or body["asked"] != game.answer.asked:
        raise Stale
    terms = trees_view.built(game.answer, *parts)
    orders.leave_once(current_services(), game_id, player_id, body["asked"], terms)


def change(game_id: str, player_id: str, body: Json) -> None:
    """Change an order to the terms that are offered at this position. Raises NotFound."""
    tenure = visible_table(game_id).seated(player_id).tenure
    standing = {each.id: each for each in orders.in_force(tenure)}
    found = standing.get(body["order"])
    changes = orders_view.usual_changes(found) if found else []
    if body["offer"] >= len(changes):
        raise NotFound
    given = game_id, player_id, body["order"], changes[body["offer"]]
    orders.change(current_services(), *given)


_ABOUT_ORDERS = {"leave": leave, "build": build, "change": change}
"""The functions for actions on orders, by name. A refusal of one of these means that the table has moved on."""
