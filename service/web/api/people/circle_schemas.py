"""The bodies and queries for circles."""

from __future__ import annotations

from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.people.circles.circles import LONGEST_ABOUT, LONGEST_NAME
from service.tables.talk.messages import LONGEST_MESSAGE
from service.web.api.games.game_schemas import NewGame
from service.web.api.games.talk_schemas import once, text
from service.web.api.people.people_schemas import handle, time_of_day, time_zone
from service.web.http.bodies.cursors import PageQuery
from service.web.http.bodies.fields import (
    MAX_EVENT_NUMBER,
    Body,
    StrictInteger,
    identifier,
    line,
    page_size,
    slug,
)
from service.web.http.bodies.wrong_members import Wrong, between, one_of


class NewCircle(Body):
    """The body of POST /circles."""

    name = line(LONGEST_NAME, required=True)
    about = text(LONGEST_ABOUT)


class ChangedCircle(Body):
    """The body of PATCH /circles/{id}."""

    name = line(LONGEST_NAME)
    about = text(LONGEST_ABOUT, nothing=True)


class NewFollow(Body):
    """The body of POST /me/follows: a person, named by their handle, or by a game and their place at its table or a
    message.
    """

    handle = handle()
    game = identifier("g")
    tenure = identifier("t")
    message = identifier("m")

    @validates_schema(skip_on_field_errors=True)
    def names_one_person(self, data: Json, **_options: object) -> None:
        """Check that exactly one person is named, in one way. Raises ValidationError."""
        if data.keys() not in ({"handle"}, {"game", "tenure"}, {"game", "message"}):
            raise Wrong("followed").alone()


class NewHost(Body):
    """The body of PUT /circles/{id}/host."""

    member = identifier("u", required=True)


class NewCircleMessage(Body):
    """The body of POST /circles/{id}/messages."""

    text = text(LONGEST_MESSAGE, required=True)
    once = once()


class NewCircleMark(Body):
    """The body of PUT /circles/{id}/mark."""

    number = StrictInteger(required=True, validate=between(0, MAX_EVENT_NUMBER))


class CircleGamesQuery(PageQuery):
    """The query of GET /circles/{id}/games."""

    status = fields.String(validate=one_of(["open", "running", "over"]))
    limit = page_size(50, default=20)


class NewWeekly(Body):
    """The body of POST /circles/{id}/weeklies."""

    weekday = StrictInteger(required=True, validate=between(1, 7))
    time = time_of_day(required=True)
    time_zone = time_zone(required=True)
    table = fields.Nested(NewGame(), required=True)


class ResultsQuery(Body):
    """The query of GET /circles/{id}/results."""

    ruleset = slug()
