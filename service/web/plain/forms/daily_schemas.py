"""The query and the form of the page about the daily deal."""

from __future__ import annotations

from marshmallow import fields

from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import like


class DailyQuery(Body):
    """The query of GET /plain/daily."""

    friend = fields.String(validate=like(r"-?[0-9]{1,6}w?\Z", "value"))


class PlainTry(Body):
    """The form of POST /plain/daily/{day}."""
