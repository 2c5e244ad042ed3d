"""The bodies and queries for opening, finding and playing games.

`legal` decides which actions are allowed, and the ruleset which options.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from marshmallow import ValidationError, fields

from rules.kernel import Json
from rules.players.levels import LEVELS, USUAL
from service.tables.clocks import paces
from service.tables.clocks.arithmetic import PRESETS
from service.web.api.people.people_schemas import distinct, hours, time_zone
from service.web.http.bodies.cursors import PageQuery
from service.web.http.bodies.fields import (
    MAX_EVENT_NUMBER,
    Body,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    identifier,
    nonce,
    page_size,
    slug,
)
from service.web.http.bodies.wrong_members import Wrong, between, length, like, one_of
from service.web.http.limits.rate_limits import MOST_ENTRIES, USUAL_ENTRIES

IS_LEVEL = one_of(LEVELS)
"""The level of house players."""


def has_type(action: Json) -> None:
    """Check that an action names its type; the rules check the rest. Raises ValidationError."""
    if not isinstance(action.get("type"), str):
        raise Wrong("action-type").alone()


def too_early(_nonce: str) -> None:
    """Check that an opener sends no nonce except `null` (for none): any other would come before the commitment. Raises
    ValidationError.
    """
    raise Wrong("nonce-too-early").alone()


seconds = partial(StrictInteger, validate=between(1, paces.LONGEST), required=True)
"""A time that players choose."""


MOST_PICKED = 100
"""The most cards that can be picked."""
code = partial(fields.String, validate=length(1, 8))
"""The code of a card or a tile."""
small = partial(StrictInteger, validate=between(0, 1000))
"""A seat, the index of a zone, or a place in one."""


class DecisionPace(Body):
    """The time for each decision."""

    kind = fields.String(required=True)
    seconds = seconds()


class ReservePace(Body):
    """A time bank that grows with each decision, up to a cap."""

    kind = fields.String(required=True)
    reserve = seconds()
    increment = seconds()
    cap = seconds()


_PACES = {"decision": DecisionPace(), "reserve": ReservePace()}


def pace(value: object) -> object:
    """The name of a preset, or the numbers of seconds, as sent. Raises ValidationError."""
    if isinstance(value, str) and value in PRESETS:
        return value
    if not isinstance(value, dict):
        raise Wrong("pace").format(choices=", ".join(PRESETS)).alone()
    schema = _PACES.get(str(value.get("kind")))
    if schema is None:
        raise ValidationError({"kind": Wrong("one-of").format(choices=", ".join(_PACES))})
    return schema.load(value)


class NewRest(Body):
    """The days on which, and the hours outside of which, the clocks of a table stand still."""

    time_zone = time_zone(required=True)
    days = fields.List(
        StrictInteger(validate=between(1, 7)), validate=[length(0, 7), distinct], load_default=list
    )
    open = hours(load_default=None, allow_none=True)


class NewGame(Body):
    """The body of POST /games."""

    ruleset = slug(required=True)
    players = StrictInteger(validate=between(1, 100))
    options = fields.Dict(keys=fields.String(), load_default=dict)
    private = StrictBoolean(load_default=False)
    rated = StrictBoolean()
    seating = fields.String(validate=one_of(["random", "order"]), load_default="random")
    house = StrictInteger(validate=between(0, 100), load_default=0)
    level = fields.String(validate=IS_LEVEL, load_default=USUAL)
    start = fields.String(validate=one_of(["host", "full"]), load_default="host")
    pace = fields.Raw(pre_load=pace)
    rest = fields.Nested(NewRest(), allow_none=True)
    takeover = StrictInteger(validate=between(0, 10), load_default=3)
    nonce = fields.String(validate=too_early, allow_none=True)


class _TablesQuery(PageQuery):
    """The parameters that all lists of games share: everybody's games, or only the caller's own."""

    mine = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)
    ruleset = slug()
    limit = page_size(50, default=20)


class GamesQuery(_TablesQuery):
    """The query of GET /games."""

    class Meta:
        include: ClassVar[Json] = {"with": identifier("t")}

    status = fields.String(validate=one_of(["open", "running", "over"]))
    pace = fields.String(validate=one_of(["none", "decision", "reserve"]))
    free = QueryInteger(validate=between(1, 100))
    beside_blocked = fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=False)


class RecordsQuery(_TablesQuery):
    """The query of GET /records."""

    month = fields.String(validate=like(r"20[0-9]{2}-(0[1-9]|1[0-2])\Z", "value"))


class NewSeat(Body):
    """The body of POST /games/{id}/seats."""

    nonce = nonce()
    house = StrictBoolean(load_default=False)
    level = fields.String(validate=IS_LEVEL)
    anyway = StrictBoolean(load_default=False)


class NewStart(Body):
    """The body of POST /games/{id}/start; house players can take the free places."""

    nonce = nonce()
    house = StrictBoolean(load_default=False)
    level = fields.String(validate=IS_LEVEL)


class NewNonce(Body):
    """The body of PUT /games/{id}/nonce."""

    nonce = nonce(required=True)


class NewRematch(Body):
    """The body of POST /games/{id}/rematch."""

    nonce = nonce(allow_none=True)
    anyway = StrictBoolean(load_default=False)


class NewAction(Body):
    """The body of POST /games/{id}/actions."""

    asked = StrictInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    action = fields.Dict(required=True, validate=has_type)


class Undo(Body):
    """The body of POST /games/{id}/take-back."""

    event = StrictInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    action = fields.Dict(validate=has_type)


class UndoQuery(Body):
    """The query of GET /games/{id}/take-back."""

    event = QueryInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))


class ChosenSoFar(Body):
    """The choices for an action that the caller has made so far."""

    type = fields.String(validate=length(1, 60), load_default=None, allow_none=True)
    values = fields.Dict(load_default=dict)
    picked = fields.List(code(), load_default=list, validate=length(0, MOST_PICKED))


class TouchedThing(Body):
    """Something that was touched on the table or in the hand."""

    card = code(load_default=None, allow_none=True)
    zone = fields.String(validate=length(1, 60), load_default=None, allow_none=True)
    seat = small(load_default=None, allow_none=True)
    index = small(load_default=None, allow_none=True)
    place = small(load_default=None, allow_none=True)


class Touch(Body):
    """The body of POST /games/{id}/why-not."""

    asked = StrictInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))
    chosen = fields.Nested(ChosenSoFar(), load_default=lambda: ChosenSoFar().load({}))
    touched = fields.Nested(TouchedThing(), required=True)


class EventsQuery(Body):
    """The query of GET /games/{id}/events."""

    after = QueryInteger(validate=between(0, MAX_EVENT_NUMBER), load_default=0)
    limit = page_size(MOST_ENTRIES, default=USUAL_ENTRIES)


class ViewQuery(Body):
    """The query of GET /games/{id}/views/{number}."""

    show = fields.String(validate=one_of(("mine", "all")), load_default="mine")


class ViewsQuery(ViewQuery):
    """The query of GET /games/{id}/views."""

    after = QueryInteger(validate=between(0, MAX_EVENT_NUMBER), load_default=0)
    limit = page_size(50, default=20)
