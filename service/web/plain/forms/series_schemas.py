"""The forms about series, on pages without scripts."""

from __future__ import annotations

from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.core.runtime.units import DAY
from service.people.circles.series.entries import MOST_AT_ONCE
from service.people.circles.series.series import (
    LONGEST_NAME,
    LONGEST_WAIT,
    MOST_ROUND_DAYS,
    MOST_ROUNDS,
)
from service.tables.clocks.arithmetic import PRESETS
from service.web.http.bodies import fields as shared_fields
from service.web.http.bodies.fields import Body, QueryInteger
from service.web.http.bodies.wrong_members import between, like, one_of
from service.web.plain.forms.form_bodies import ANYWAY
from service.web.plain.forms.form_schemas import once, refuse_others

PACES = [name for name in PRESETS if name != "none"]
"""The named paces with a clock, which a series needs."""
_IN_SERIES: dict[str, tuple[set[str], set[str]]] = {
    "join": (set(), {"at_once", ANYWAY}),
    "leave": ({"sure"}, set()),
    "end": ({"sure"}, set()),
}
"""The fields that each action needs, and those that it allows."""


class CircleSeriesQuery(Body):
    """The query of GET /plain/circles/{id}/series."""

    ruleset = shared_fields.slug()


class PlainNewSeries(Body):
    """The form of POST /plain/circles/{id}/series."""

    once = once()
    ruleset = shared_fields.slug(required=True)
    name = shared_fields.line(LONGEST_NAME, required=True)
    table = fields.String(required=True, validate=like(r"[0-9]{1,2}\.[0-9]{1,2}\Z", "value"))
    pace = fields.String(required=True, validate=one_of(PACES))
    # nobody could join one that begins at once
    starts_in = QueryInteger(required=True, validate=between(1, LONGEST_WAIT // DAY))
    round_days = QueryInteger(required=True, validate=between(1, MOST_ROUND_DAYS))
    rounds = QueryInteger(validate=between(1, MOST_ROUNDS), load_default=None)
    repeats = fields.String(validate=one_of(["yes"]), load_default="")


class InSeries(Body):
    """The form of POST /plain/series/{id}: join, change how many games to play at the same time, leave, or end the
    series.
    """

    do = fields.String(required=True, validate=one_of(_IN_SERIES))
    at_once = QueryInteger(validate=between(1, MOST_AT_ONCE))
    anyway = fields.String(validate=one_of(["yes"]))
    sure = fields.String(validate=one_of(["yes"]))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """Check that the fields that the action needs are there, and only fields that it allows. Raises
        ValidationError.
        """
        needed, possible = _IN_SERIES[data["do"]]
        refuse_others(data, needed, possible | {"do"})
