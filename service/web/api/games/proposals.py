"""Proposals: what somebody asks of the table, and the votes on it."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.tables.play import proposals
from service.tables.views import proposals_view
from service.web.api.games.proposal_schemas import NewProposal, NewVote
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, open_to_visitors, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("proposals", __name__, url_prefix="/api/games/<game:game_id>/proposals")


@bp.get("")
@open_to_visitors("read")
def list_proposals(game_id: str) -> Json:
    """The open and the past proposals."""
    answer = game_answer(visible_table(game_id))
    viewer = answer.viewer.player_id
    shown = proposals_view.shown_proposals(
        answer.table, answer.words, answer.reader, viewer, ended=True
    )
    return {"proposals": shown}


@bp.post("")
@limited("proposals")
@signed_in("play")
@parse_body(NewProposal)
def make_proposal(body: Json, game_id: str) -> tuple[Json, int]:
    """Propose something to the table."""
    visible_table(game_id)
    table, _ = proposals.propose(current_services(), game_id, caller_id(), body)
    return game_answer(table).whole(), 201


@bp.post("/<proposal:proposal_id>/votes")
@signed_in("play")
@parse_body(NewVote)
def post_vote(body: Json, game_id: str, proposal_id: str) -> Json:
    """Agree to a proposal, or reject it."""
    visible_table(game_id)
    services, voter = current_services(), caller_id()
    table = proposals.vote(services, game_id, proposal_id, voter, body["agrees"])
    return game_answer(table).whole()


@bp.delete("/<proposal:proposal_id>")
@signed_in("play")
def withdraw_proposal(game_id: str, proposal_id: str) -> tuple[str, int]:
    """Withdraw a proposal of one's own."""
    visible_table(game_id)
    proposals.withdraw(current_services(), game_id, proposal_id, caller_id())
    return "", 204
