"""What is sent to open a game, to find one and to play it. Actions are judged by `legal`, options by the ruleset."""

from __future__ import annotations

from collections.abc import Mapping

from marshmallow import ValidationError, fields, validate

from rules.kernel import Json
from service.clocks import paces
from service.clocks.arithmetic import PRESETS
from service.http.limits.rate_limits import MOST_ENTRIES, USUAL_ENTRIES
from service.http.schemas.base import (
    MAX_EVENT_NUMBER,
    Body,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    no_nonce,
    nonce,
    page_size,
    slug,
)
from service.http.schemas.cursors import Cursor


def has_type(action: Json) -> None:
    """An action names its type; the rules judge the rest."""
    if not isinstance(action.get("type"), str):
        raise ValidationError("It has no type.")


def seconds() -> StrictInteger:
    """Some time that the players choose."""
    return StrictInteger(validate=validate.Range(1, paces.LONGEST), required=True)


class DecisionPace(Body):
    """So much time for each decision."""

    kind = fields.String(required=True, validate=validate.Equal("decision"))
    seconds = seconds()


class ReservePace(Body):
    """A reserve of time that grows with each decision, up to a cap."""

    kind = fields.String(required=True, validate=validate.Equal("reserve"))
    reserve = seconds()
    increment = seconds()
    cap = seconds()


_DECISION, _RESERVE = DecisionPace(), ReservePace()


class PaceField(fields.Field[str | Json]):
    """The name of a preset, or explicit seconds."""

    def _deserialize(
        self, value: object, attr: str | None, data: Mapping[str, object] | None, **kwargs: object
    ) -> str | Json:
        if isinstance(value, str) and value in PRESETS:
            return value
        if not isinstance(value, dict):
            raise ValidationError(f"One of {', '.join(PRESETS)}, or an object.")
        schema = _RESERVE if value.get("kind") == "reserve" else _DECISION
        pace: Json = schema.load(value)
        return pace


class NewGame(Body):
    """POST /games"""

    ruleset = slug(required=True)
    players = StrictInteger(validate=validate.Range(1, 100))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    private = StrictBoolean(load_default=False)
    seating = fields.String(validate=validate.OneOf(["random", "order"]), load_default="random")
    house = StrictInteger(validate=validate.Range(0, 100), load_default=0)
    start = fields.String(validate=validate.OneOf(["host", "full"]), load_default="host")
    pace = PaceField()
    takeover = StrictInteger(validate=validate.Range(0, 10), load_default=3)
    nonce = no_nonce()


class GamesQuery(Body):
    """GET /games"""

    status = fields.String(validate=validate.OneOf(["open", "running", "over"]))
    ruleset = slug()
    mine = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)
    pace = fields.String(validate=validate.OneOf(["none", "decision", "reserve"]))
    free = QueryInteger(validate=validate.Range(1, 100))
    person = fields.String(
        validate=validate.Regexp(r"t_[0-9A-Za-z]{16,32}\Z"), data_key="with", attribute="with"
    )
    cursor = Cursor()
    limit = page_size(50, default=20)


class NewSeat(Body):
    """POST /games/{id}/seats"""

    nonce = nonce()
    house = StrictBoolean(load_default=False)


class NewStart(Body):
    """POST /games/{id}/start"""

    house = StrictBoolean(load_default=False)
    nonce = nonce()


class NewNonce(Body):
    """PUT /games/{id}/nonce"""

    nonce = nonce(required=True)


class NewRematch(Body):
    """POST /games/{id}/rematch"""

    nonce = nonce(allow_none=True)


class NewAction(Body):
    """POST /games/{id}/actions"""

    asked = StrictInteger(required=True, validate=validate.Range(0, MAX_EVENT_NUMBER))
    action = fields.Dict(required=True, validate=has_type)


class EventsQuery(Body):
    """GET /games/{id}/events"""

    after = QueryInteger(validate=validate.Range(0, MAX_EVENT_NUMBER), load_default=0)
    limit = page_size(MOST_ENTRIES, default=USUAL_ENTRIES)
