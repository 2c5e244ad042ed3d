"""The forms about circles and about following people, on pages without scripts."""

from __future__ import annotations

from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.people.circles.circles import LONGEST_ABOUT, LONGEST_NAME
from service.tables.talk.messages import LONGEST_MESSAGE
from service.web.api.games.talk_schemas import LONGEST_WHY
from service.web.api.games.talk_schemas import text as spoken
from service.web.http.bodies import fields as shared_fields
from service.web.http.bodies.cursors import Cursor
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import Wrong, like, one_of
from service.web.plain.forms.form_schemas import refuse_others

_WITH_PEOPLE = {
    "found": {"name"},
    "follow": {"game"},
    "unfollow": {"follow"},
    "end-follower": {"follow"},
}
_IN_CIRCLE: dict[str, set[str]] = {
    "say": {"text", "once"},
    "hide": {"message"},
    "report": {"message"},
    "remove": {"member"},
    "let-return": {"member"},
    "hand-over": {"member"},
    "change": {"name"},
    "remove-weekly": {"weekly"},
    "new-link": set(),
    "leave": {"sure"},
    "end": {"sure"},
}
"""The fields that each action needs."""


class OwnPeople(Body):
    """The form of POST /plain/people."""

    do = fields.String(required=True, validate=one_of(_WITH_PEOPLE))
    name = shared_fields.line(LONGEST_NAME)
    game = shared_fields.identifier("g")
    tenure = shared_fields.identifier("t")
    message = shared_fields.identifier("m")
    follow = shared_fields.identifier("f")

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """Check that exactly the fields of the action are there, and that a person is named in one way. Raises
        ValidationError.
        """
        follows = data["do"] == "follow"
        refuse_others(
            data, _WITH_PEOPLE[data["do"]], {"do", *({"tenure", "message"} if follows else ())}
        )
        if follows and len(data.keys() & {"tenure", "message"}) != 1:
            raise Wrong("person").alone()


class InCircle(Body):
    """The form of POST /plain/circles/{id}."""

    do = fields.String(required=True, validate=one_of(_IN_CIRCLE))
    text = spoken(LONGEST_MESSAGE)
    once = fields.String(validate=like(r"[0-9a-f]{32}\Z", "value"))
    message = shared_fields.identifier("m")
    why = spoken(LONGEST_WHY)
    member = shared_fields.identifier("u")
    weekly = shared_fields.identifier("y")
    name = shared_fields.line(LONGEST_NAME)
    about = spoken(LONGEST_ABOUT)
    sure = fields.String(validate=one_of(["yes"]))

    @validates_schema(skip_on_field_errors=True)
    def has_fields_of_what_is_done(self, data: Json, **_options: object) -> None:
        """Check that exactly the fields of the action are there. Raises ValidationError."""
        more = {"change": {"about"}, "report": {"why"}}.get(data["do"], set())
        refuse_others(data, _IN_CIRCLE[data["do"]], {"do", *more})


class CircleQuery(Body):
    """The query of GET /plain/circles/{id}."""

    cursor = Cursor()


class PlainNewTableQuery(Body):
    """The query of GET /plain/new/{slug}."""

    circle = shared_fields.identifier("c")
