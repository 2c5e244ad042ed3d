"""The form about the standing orders and the only moves at one table, on pages without scripts."""

from __future__ import annotations

from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.web.http.bodies import fields as shared_fields
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, QueryInteger
from service.web.http.bodies.order_parts import OrderParts
from service.web.http.bodies.wrong_members import between, one_of
from service.web.plain.forms.form_schemas import refuse_others

ONLY_MOVES: dict[str, bool | None] = {"default": None, "yes": True, "no": False}
"""The choices whether only moves are played at a table; the default follows the settings."""
_ORDERS = {
    "leave": {"asked", "offer"},
    "build": {"asked", "play", "first"},
    "change": {"order", "offer"},
    "withdraw": {"order"},
    "only-move": {"only_move"},
}
"""The fields of each action on orders."""
_OPTIONAL = {"do", "second", "third"}


class OwnOrders(OrderParts):
    """The form of POST /plain/games/{id}/orders."""

    do = fields.String(required=True, validate=one_of([*_ORDERS]))
    asked = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))
    offer = QueryInteger(validate=between(0, 99))
    order = shared_fields.identifier("o")
    only_move = fields.String(validate=one_of([*ONLY_MOVES]))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """Check that exactly the fields of the action are there. Raises ValidationError."""
        refuse_others(data, _ORDERS[data["do"]], _OPTIONAL if data["do"] == "build" else {"do"})
