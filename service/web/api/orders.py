"""All standing orders of the caller, at every table, in one list."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.words.words import phrases
from service.tables.play.orders import orders
from service.tables.views.orders import orders_view
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import preferred_language

bp = Blueprint("all_orders", __name__, url_prefix="/api/me/orders")


@bp.get("")
@signed_in("read")
def list_orders() -> Json:
    """List the caller's standing orders at all tables, oldest first."""
    found, language = orders.of_player(caller_id()), preferred_language()
    shown = []
    for each in found:
        game = orders.game_of(each)
        words = phrases(language, game.ruleset, game.version)
        shown.append(
            {
                "game": game.id,
                "name": words.say("name"),
                "order": orders_view.order_json(each, words),
            }
        )
    return {"orders": shown}
