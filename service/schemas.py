"""The envelopes of what comes in. Actions are judged by `legal`, options by the ruleset."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from service.words import LANGUAGES

MOST = 2**31 - 1
"""The highest number of an event that can be asked for."""


class StrictInteger(fields.Integer):
    """A JSON integer (3.0 is one): neither `true` nor `"1"` nor `1.5`."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole:
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class StrictBoolean(fields.Boolean):
    """`true` or `false`, nothing else."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


_UNREADABLE = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028-\\u202e\\u2066-\\u2069]")
"""Control characters, and those that turn the direction of the text around them."""


def readable(value: str) -> None:
    """Text that can be shown in a line: no control characters, no white space at the ends."""
    if value != value.strip() or _UNREADABLE.search(value):
        raise ValidationError("Not a line of text.")


def line(most: int, **kwargs: Any) -> fields.String:
    """A line of text of 1 to `most` characters."""
    return fields.String(validate=[validate.Length(1, most), readable], **kwargs)


def nonce() -> fields.String:
    """What a client may bring to the shuffles."""
    return fields.String(validate=validate.Regexp(r"[0-9a-f]{16,64}\Z"))


def slug(**kwargs: Any) -> fields.String:
    """The short name of a ruleset."""
    return fields.String(validate=validate.Regexp(r"[a-z0-9][a-z0-9-]{0,59}\Z"), **kwargs)


def language(**kwargs: Any) -> fields.String:
    """One of our languages."""
    return fields.String(validate=validate.OneOf(LANGUAGES), **kwargs)


class Body(Schema):
    """A JSON object; members that it does not name are refused."""

    class Meta:
        unknown = RAISE


class NewPlayer(Body):
    """POST /players"""

    name = line(40, required=True)
    language = language()
    token = line(60)


class ChangedPlayer(Body):
    """PATCH /me"""

    name = line(40)
    language = language()


class SignIn(Body):
    """POST /sign-ins"""

    key = line(100, required=True)


class NewToken(Body):
    """POST /me/tokens"""

    label = line(60, required=True)


class NewGame(Body):
    """POST /games"""

    ruleset = slug(required=True)
    players = StrictInteger(validate=validate.Range(1, 100))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    private = StrictBoolean(load_default=False)
    seating = fields.String(validate=validate.OneOf(["random", "order"]), load_default="random")
    house = StrictInteger(validate=validate.Range(0, 100), load_default=0)
    start = fields.String(validate=validate.OneOf(["host", "full"]), load_default="host")
    nonce = nonce()


class NewSeat(Body):
    """POST /games/{id}/seats"""

    nonce = nonce()
    house = StrictBoolean(load_default=False)


class Move(Body):
    """POST /games/{id}/actions"""

    asked = StrictInteger(required=True, validate=validate.Range(0, MOST))
    action = fields.Dict(required=True)


class GamesQuery(Body):
    """GET /games"""

    status = fields.String(validate=validate.OneOf(["open", "running", "over"]))
    ruleset = slug()
    mine = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)
    cursor = fields.String(validate=validate.Regexp(r"[1-9][0-9]{0,17}\Z"))
    limit = fields.Integer(validate=validate.Range(1, 50), load_default=20)


class EventsQuery(Body):
    """GET /games/{id}/events"""

    after = fields.Integer(validate=validate.Range(0, MOST), load_default=0)
    limit = fields.Integer(validate=validate.Range(1, 200), load_default=50)


class PageQuery(Body):
    """GET /rules/{slug} and /problems/{slug}"""

    lang = language()
