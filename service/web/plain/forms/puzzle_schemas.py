"""The form of the page of a puzzle."""

from __future__ import annotations

from marshmallow import fields

from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import like

SHOW = "show"
"""The value that asks for the solution instead of an answer."""


class PlainPuzzleAnswer(Body):
    """The form of POST /plain/puzzles/{slug}/{puzzle_id}."""

    choice = fields.String(required=True, validate=like(rf"[0-9]{{1,3}}\Z|{SHOW}\Z", "value"))
