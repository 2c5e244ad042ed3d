"""The bodies of requests about series."""

from __future__ import annotations

from marshmallow import fields

from service.core.runtime.units import DAY
from service.people.circles.series.entries import MOST_AT_ONCE
from service.people.circles.series.series import (
    LONGEST_NAME,
    LONGEST_WAIT,
    MOST_ROUND_DAYS,
    MOST_ROUNDS,
)
from service.web.api.games.game_schemas import NewGame
from service.web.http.bodies.fields import Body, StrictBoolean, StrictInteger, line
from service.web.http.bodies.wrong_members import between


class NewSeries(Body):
    """The body of POST /circles/{id}/series."""

    name = line(LONGEST_NAME, required=True)
    table = fields.Nested(NewGame(), required=True)
    starts_in = StrictInteger(required=True, validate=between(1, LONGEST_WAIT // DAY))
    round_days = StrictInteger(required=True, validate=between(1, MOST_ROUND_DAYS))
    rounds = StrictInteger(validate=between(1, MOST_ROUNDS), load_default=None, allow_none=True)
    repeats = StrictBoolean(load_default=False)


class NewEntry(Body):
    """The body of PUT /series/{id}/entry."""

    at_once = StrictInteger(validate=between(1, MOST_AT_ONCE))
    anyway = StrictBoolean(load_default=False)
