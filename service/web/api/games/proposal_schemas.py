"""What is sent about time and seats in a running game: proposals, votes, resigning, the clock's history."""

from __future__ import annotations

from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.tables.play import proposal_terms
from service.web.http.bodies.cursors import PageQuery
from service.web.http.bodies.fields import (
    Body,
    QueryInteger,
    StrictBoolean,
    StrictInteger,
    page_size,
)
from service.web.http.bodies.wrong_members import Wrong, between, one_of

MEMBERS: dict[str, tuple[set[str], set[str]]] = {
    "pause": ({"seconds"}, set()),
    "resume": (set(), set()),
    "extend": ({"seconds"}, {"seat"}),
    "close": ({"outcome"}, set()),
    "substitute": ({"seat"}, set()),
}
"""The members that each kind of proposal requires, and those that it allows besides."""


class NewProposal(Body):
    """POST /games/{id}/proposals: each kind has members of its own."""

    kind = fields.String(required=True, validate=one_of(sorted(MEMBERS)))
    seat = StrictInteger(validate=between(0, 15))
    seconds = StrictInteger(validate=between(1, proposal_terms.LONGEST_PAUSE))
    outcome = fields.String(validate=one_of(["draw", "abandon"]))

    @validates_schema
    def has_members_of_its_kind(self, data: Json, **_options: object) -> None:
        """All members that this kind requires, and none that it does not allow."""
        required, optional = MEMBERS[data["kind"]]
        given = data.keys() - {"kind"}
        if not required <= given or not given <= required | optional:
            allowed = ", ".join(sorted({"kind"} | required | optional))
            raise Wrong("proposal").format(members=allowed).alone()
        if data["kind"] == "extend" and data["seconds"] > proposal_terms.LONGEST_EXTENSION:
            raise Wrong("extension").format(most=proposal_terms.LONGEST_EXTENSION).alone()


class NewVote(Body):
    """POST /games/{id}/proposals/{id}/votes"""

    agrees = StrictBoolean(required=True)


class NewResignation(Body):
    """POST /games/{id}/resignation"""

    for_good = StrictBoolean(load_default=False)


class ClockQuery(PageQuery):
    """GET /games/{id}/clock"""

    seat = QueryInteger(validate=between(0, 15))
    limit = page_size(200, default=50)
