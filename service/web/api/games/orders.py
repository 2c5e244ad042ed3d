"""The caller's standing orders at a table, with which the service answers for them. Nobody else can see them."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from flask import Blueprint, Response
from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.core.runtime.problems import Problem, Stale
from service.people import players
from service.people.accounts import preferences
from service.tables.play.orders import answers_of_others, only_moves, orders
from service.tables.views.orders import orders_view, trees_view
from service.web.api.games.game_schemas import has_type
from service.web.api.games.play import refused
from service.web.api.people.people_schemas import day
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, StrictBoolean, StrictInteger
from service.web.http.bodies.wrong_members import Wrong, between, length
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("orders", __name__, url_prefix="/api/games/<game:game_id>/orders")

MOST_TIMES = 99
"""The most times that an order can be played."""
MOST_CONDITIONS = 4
_GREATEST = 100_000
_LATEST = date.max - timedelta(days=1)
"""The last day that has another day after it."""


class ChangedOrders(Body):
    """The body of PATCH /games/{id}/orders."""

    only_move = StrictBoolean(required=True, allow_none=True)


class Condition(Body):
    """A bound on a number on which the question depends, or an answer of another seat."""

    prompt = fields.String(validate=length(1, 40))
    fact = fields.String(validate=length(1, 40))
    of = StrictInteger(validate=between(0, 15))
    answer = fields.Dict(validate=has_type)
    nth = StrictInteger(validate=between(1, answers_of_others.LATEST))
    least = StrictInteger(validate=between(-_GREATEST, _GREATEST))
    most = StrictInteger(validate=between(-_GREATEST, _GREATEST))

    @validates_schema
    def is_about_one_thing(self, data: Json, **_options: object) -> None:
        """Check that the condition is either about a member of the prompt or a fact, and has a bound, or about the
        answer of a seat. Raises ValidationError.
        """
        bounds, about = data.keys() & {"least", "most"}, data.keys() & {"prompt", "fact", "answer"}
        is_answer = "answer" in data
        if len(about) != 1 or is_answer == bool(bounds) or ("nth" in data and not is_answer):
            raise Wrong("condition").alone()
        if is_answer and "of" not in data:
            raise Wrong("condition").alone()


class Until(Body):
    """The end of an order; the end of the game if nothing else is given."""

    part = fields.String(validate=length(1, 40))
    times = StrictInteger(validate=between(1, MOST_TIMES))
    date = fields.Raw(pre_load=day)


class Terms(Body):
    """What an order plays, its conditions, and its end."""

    name = fields.String(validate=length(1, 40))
    action = fields.Dict(validate=has_type)
    most = StrictInteger(validate=between(0, _GREATEST))
    when = fields.List(fields.Nested(Condition), validate=length(0, MOST_CONDITIONS))
    until = fields.Nested(Until, load_default=dict)

    @validates_schema
    def says_what(self, data: Json, **_options: object) -> None:
        """Check that the answer is given either by a name or as an action. Raises ValidationError."""
        if ("name" in data) == ("action" in data):
            raise Wrong("order").alone()


class NewOrder(Body):
    """The body of POST /games/{id}/orders."""

    asked = StrictInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    order = fields.Nested(Terms, required=True)


class ChangedOrder(Body):
    """The body of PUT /games/{id}/orders/{id}."""

    order = fields.Nested(Terms, required=True)


@bp.get("")
@signed_in("read")
def get_orders(game_id: str) -> Json:
    """Show the caller's orders at this table, and the orders that the caller could leave."""
    return shown(game_id)


@bp.patch("")
@limited("orders")
@signed_in("play")
@parse_body(ChangedOrders)
def change_orders(body: Json, game_id: str) -> Json:
    """Set whether the caller's only moves are played at this table; null means as the settings say."""
    person = visible_table(game_id).seated(caller_id())
    only_moves.set_at_table(current_services(), person.tenure, body["only_move"])
    return shown(game_id)


@bp.post("")
@limited("orders")
@signed_in("play")
@parse_body(NewOrder)
def make_order(body: Json, game_id: str) -> tuple[Json, int]:
    """Leave an order for the caller's present question and similar ones."""
    visible_table(game_id)
    given = current_services(), game_id, caller_id(), body["asked"], stored(body["order"])
    made = orders.make(*given)
    return {"order": worded(made, game_id)}, 201


@bp.put("/<order:order_id>")
@limited("orders")
@signed_in("play")
@parse_body(ChangedOrder)
def change_order(body: Json, game_id: str, order_id: str) -> Json:
    """Change the conditions or the end of one of the caller's orders."""
    visible_table(game_id)
    given = current_services(), game_id, caller_id(), order_id, stored(body["order"])
    changed = orders.change(*given)
    return {"order": worded(changed, game_id)}


@bp.delete("/<order:order_id>")
@limited("orders")
@signed_in("play")
def withdraw_order(game_id: str, order_id: str) -> tuple[str, int]:
    """Withdraw one of the caller's orders."""
    visible_table(game_id)
    orders.withdraw(current_services(), game_id, caller_id(), order_id)
    return "", 204


@bp.errorhandler(Stale)
def stale(problem: Problem) -> Response:
    """The response to an order for an earlier question: the problem, with the game as it is now."""
    return refused(problem)


def shown(game_id: str) -> Json:
    """The caller's orders (SeatOrders in openapi.yaml). Raises NotSeated."""
    answer = game_answer(visible_table(game_id))
    answer.table.seated(caller_id())
    return {**orders_view.of_seat(answer), **trees_view.parts_json(answer)}


def worded(order: orders.OrderRow, game_id: str) -> Json:
    """The order in words (StandingOrder in openapi.yaml)."""
    answer = game_answer(visible_table(game_id))
    return orders_view.order_json(order, answer.words, orders_view.reader_of(answer))


def stored(wish: Json) -> Json:
    """The order in its stored form, in which its last day is the moment when that day ends in its player's time
    zone.
    """
    until = dict(wish["until"])
    if "date" in until:
        zone = preferences.time_zone(players.get(caller_id()))
        after = datetime.combine(min(until["date"], _LATEST) + timedelta(days=1), time.min, zone)
        until |= {"date": until["date"].isoformat(), "at": int(after.timestamp() * 1000)}
    return {**wish, "until": until}
