"""Time and seats in a running game: proposals to the table, votes, resigning, coming back, nudges."""

from __future__ import annotations

from flask import Blueprint
from marshmallow import fields, validates_schema

from rules.kernel import Json
from service.tables.play import leaving, nudges, proposals
from service.tables.views import proposals_view
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, StrictBoolean, StrictInteger
from service.web.http.bodies.wrong_members import Wrong, between, one_of
from service.web.http.caller.caller import caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import game_answer, visible_table, whole_game

bp = Blueprint("time_and_seats", __name__, url_prefix="/api/games/<game:game_id>")

MEMBERS: dict[str, tuple[set[str], set[str]]] = {
    "pause": ({"seconds"}, set()),
    "resume": (set(), set()),
    "extend": ({"seconds"}, {"seat"}),
    "close": ({"outcome"}, set()),
    "takeback": ({"event"}, set()),
    "substitute": ({"seat"}, {"anyway"}),
}
"""The members that each kind of proposal requires, and the further members that it allows."""


class NewProposal(Body):
    """The body of POST /games/{id}/proposals: each kind has its own members."""

    kind = fields.String(required=True, validate=one_of(sorted(MEMBERS)))
    seat = StrictInteger(validate=between(0, 15))
    seconds = StrictInteger(validate=between(1, proposals.LONGEST_PAUSE))
    outcome = fields.String(validate=one_of(["draw", "abandon"]))
    event = StrictInteger(validate=between(0, MAX_EVENT_NUMBER))
    anyway = StrictBoolean()

    @validates_schema
    def has_members_of_its_kind(self, data: Json, **_options: object) -> None:
        """Check that all members that this kind requires are there, and no other that it does not allow. Raises
        ValidationError.
        """
        required, optional = MEMBERS[data["kind"]]
        given = data.keys() - {"kind"}
        if not required <= given or not given <= required | optional:
            allowed = ", ".join(sorted({"kind"} | required | optional))
            raise Wrong("proposal").format(members=allowed).alone()
        if data["kind"] == "extend" and data["seconds"] > proposals.LONGEST_EXTENSION:
            raise Wrong("extension").format(most=proposals.LONGEST_EXTENSION).alone()


class NewVote(Body):
    """The body of POST /games/{id}/proposals/{id}/votes."""

    agrees = StrictBoolean(required=True)


class NewResignation(Body):
    """The body of POST /games/{id}/resignation."""

    for_good = StrictBoolean(load_default=False)


@bp.get("/proposals")
@open_to_visitors("read")
def list_proposals(game_id: str) -> Json:
    """List the open and recent proposals."""
    table = visible_table(game_id)
    answer, found = game_answer(table), proposals.listed(table)
    viewer = answer.viewer.player_id
    shown = proposals_view.worded(table, found, answer.words, answer.reader, viewer)
    return {"proposals": shown}


@bp.post("/proposals")
@limited("proposals")
@signed_in("play")
@parse_body(NewProposal)
def make_proposal(body: Json, game_id: str) -> tuple[Json, int]:
    """Propose something to the table."""
    visible_table(game_id)
    return whole_game(proposals.propose(current_services(), game_id, caller_id(), body)), 201


@bp.post("/proposals/<proposal:proposal_id>/votes")
@signed_in("play")
@parse_body(NewVote)
def post_vote(body: Json, game_id: str, proposal_id: str) -> Json:
    """Vote on a proposal."""
    visible_table(game_id)
    services, voter = current_services(), caller_id()
    return whole_game(proposals.vote(services, game_id, proposal_id, voter, body["agrees"]))


@bp.delete("/proposals/<proposal:proposal_id>")
@signed_in("play")
def withdraw_proposal(game_id: str, proposal_id: str) -> tuple[str, int]:
    """Withdraw one of the caller's proposals."""
    visible_table(game_id)
    proposals.withdraw(current_services(), game_id, proposal_id, caller_id())
    return "", 204


@bp.post("/resignation")
@signed_in("play")
@parse_body(NewResignation)
def resign(body: Json, game_id: str) -> Json:
    """Give up the caller's seat; with `for_good`, permanently."""
    visible_table(game_id)
    table = leaving.resign(current_services(), game_id, caller_id(), for_good=body["for_good"])
    return whole_game(table)


@bp.post("/return")
@signed_in("play")
def come_back(game_id: str) -> Json:
    """Take the caller's seat back from a house player."""
    visible_table(game_id)
    return whole_game(leaving.return_to_seat(current_services(), game_id, caller_id()))


@bp.post("/nudge")
@limited("nudges")
@signed_in("play")
def nudge(game_id: str) -> tuple[Json, int]:
    """Remind the player for whom the game has waited longest."""
    visible_table(game_id)
    return {"seat": nudges.nudge(current_services(), game_id, caller_id())}, 202
