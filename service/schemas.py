"""The envelopes of what comes in. Actions are judged by `legal`, options by the ruleset."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate, validates_schema

from service import consent, paces
from service.clock import PRESETS
from service.words import LANGUAGES

MOST = 2**31 - 1
"""The highest number of an event that can be asked for."""
PROPOSALS: dict[str, tuple[set[str], set[str]]] = {
    "pause": ({"seconds"}, set()),
    "resume": (set(), set()),
    "extend": ({"seconds"}, {"seat"}),
    "close": ({"outcome"}, set()),
    "substitute": ({"seat"}, set()),
}
"""What each kind of proposal needs, and may hold besides."""


class StrictInteger(fields.Integer):
    """A JSON integer (3.0 is one): neither `true` nor `"1"` nor `1.5`."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole:
            raise self.make_error("invalid")
        return super()._deserialize(value, attr, data, **kwargs)


class QueryInteger(fields.Integer):
    """A number in a query: plain digits, nothing else that Python reads as one."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not re.fullmatch("[0-9]{1,20}", value):
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


def typed(action: dict[str, Any]) -> None:
    """An action says what it is; the rules judge the rest."""
    if not isinstance(action.get("type"), str):
        raise ValidationError("It has no type.")


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
    invitation = line(100)


class ChangedPlayer(Body):
    """PATCH /me"""

    name = line(40)
    language = language()


class NewToken(Body):
    """POST /me/tokens"""

    label = line(60, required=True)


def some_time(**kwargs: Any) -> StrictInteger:
    """A time that somebody chooses."""
    return StrictInteger(validate=validate.Range(1, paces.MOST), **kwargs)


class DecisionPace(Body):
    """So much time for each decision."""

    kind = fields.String(required=True, validate=validate.Equal("decision"))
    seconds = some_time(required=True)


class ReservePace(Body):
    """A store of time that grows with each decision, up to a cap."""

    kind = fields.String(required=True, validate=validate.Equal("reserve"))
    reserve = some_time(required=True)
    increment = some_time(required=True)
    cap = some_time(required=True)


class PaceField(fields.Field[Any]):
    """The name of a preset, or explicit seconds."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, str) and value in PRESETS:
            return value
        if not isinstance(value, dict):
            raise ValidationError(f"One of {', '.join(PRESETS)}, or an object.")
        kind = ReservePace if value.get("kind") == "reserve" else DecisionPace
        return kind().load(value)


class NewProposal(Body):
    """POST /games/{id}/proposals: each kind takes members of its own."""

    kind = fields.String(required=True, validate=validate.OneOf(sorted(PROPOSALS)))
    seat = StrictInteger(validate=validate.Range(0, 15))
    seconds = StrictInteger(validate=validate.Range(1, consent.LONGEST_PAUSE))
    outcome = fields.String(validate=validate.OneOf(["draw", "abandon"]))

    @validates_schema
    def fits(self, data: dict[str, Any], **_more: Any) -> None:
        """Exactly what this kind needs."""
        needs, may = PROPOSALS[data["kind"]]
        given = data.keys() - {"kind"}
        if not needs <= given or not given <= needs | may:
            raise ValidationError(f"It takes {', '.join(sorted(needs | may)) or 'nothing more'}.")
        if data["kind"] == "extend" and data["seconds"] > consent.LONGEST_EXTENSION:
            raise ValidationError(f"At most {consent.LONGEST_EXTENSION} seconds.")


class NewVote(Body):
    """POST /games/{id}/proposals/{id}/votes"""

    agrees = StrictBoolean(required=True)


class ClockQuery(Body):
    """GET /games/{id}/clock"""

    seat = QueryInteger(validate=validate.Range(0, 15))
    cursor = fields.String(validate=validate.Regexp(r"[1-9][0-9]{0,17}\Z"))
    limit = QueryInteger(validate=validate.Range(1, 200), load_default=50)


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
    nonce = nonce()


class NewSeat(Body):
    """POST /games/{id}/seats"""

    nonce = nonce()
    house = StrictBoolean(load_default=False)


class Move(Body):
    """POST /games/{id}/actions"""

    asked = StrictInteger(required=True, validate=validate.Range(0, MOST))
    action = fields.Dict(required=True, validate=typed)


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
    cursor = fields.String(validate=validate.Regexp(r"[1-9][0-9]{0,17}\Z"))
    limit = QueryInteger(validate=validate.Range(1, 50), load_default=20)


class EventsQuery(Body):
    """GET /games/{id}/events"""

    after = QueryInteger(validate=validate.Range(0, MOST), load_default=0)
    limit = QueryInteger(validate=validate.Range(1, 200), load_default=50)


class PageQuery(Body):
    """GET /rules/{slug} and /problems/{slug}"""

    lang = language()


class StepQuery(Body):
    """GET /moves/{token}"""

    step = fields.String(validate=validate.Regexp(r"[0-9]{1,5}(\.[0-9]{1,5}){0,49}\Z"))


class StopQuery(PageQuery):
    """/unsubscribe"""

    link = fields.String(required=True, validate=validate.Regexp(r"[A-Za-z0-9_.-]{1,500}\Z"))
    stop = fields.String(validate=validate.OneOf(["game", "kind", "all"]))
