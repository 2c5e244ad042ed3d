"""The body with which an analysis is asked for."""

from __future__ import annotations

from marshmallow import fields

from service.tables.play.analyses.analyses import DEPTHS, USUAL
from service.web.http.bodies.fields import Body
from service.web.http.bodies.wrong_members import one_of

IS_DEPTH = one_of(DEPTHS)
"""The depth of an analysis."""


class NewAnalysis(Body):
    """The body of PUT /api/games/{id}/analysis."""

    depth = fields.String(load_default=USUAL, validate=IS_DEPTH)
