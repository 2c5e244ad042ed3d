"""Time and seats over time: the clock and its reasons, what the table has to agree on, resigning and coming back."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service import consent, paces, seats, times
from service.api.common import asks, game_answer, language, player_id, signed_in, takes, tools
from service.api.common import visible as visible_table
from service.api.limits import limited
from service.api.rulesets import unchanging
from service.clock import PRESETS
from service.history import Holders
from service.schemas import ClockQuery, NewProposal, NewVote
from service.schemas_tables import NewResignation
from service.words import phrases

bp = Blueprint("time", __name__, url_prefix="/api")
GAME = "/games/<game:game_id>"


@bp.get("/paces")
def list_paces() -> Response:
    """Every pace that has a name."""
    words = phrases(language())
    return unchanging({"paces": [paces.shown(pace, words) for pace in PRESETS.values()]})


@bp.get(f"{GAME}/clock")
@asks(ClockQuery)
def get_clock(query: Json, game_id: str) -> Json:
    """Why everybody's time is what it is."""
    answer = game_answer(visible_table(game_id))
    return times.clock(answer.table, answer.words, Holders(answer).then, query)


@bp.get(f"{GAME}/proposals")
def list_proposals(game_id: str) -> Json:
    """What the table is asked, and was asked before."""
    answer = game_answer(visible_table(game_id))
    who = answer.viewer.player_id
    told = times.proposals(answer.table, answer.words, answer.names, who, ended=True)
    return {"proposals": told}


@bp.post(f"{GAME}/proposals")
@limited("proposals")
@signed_in
@takes(NewProposal)
def make_proposal(body: Json, game_id: str) -> tuple[Json, int]:
    """Propose something to the table."""
    visible_table(game_id)
    kit = tools()
    table, _ = consent.propose(kit.outside, kit.states, game_id, player_id(), body)
    return game_answer(table).whole(), 201


@bp.post(f"{GAME}/proposals/<proposal:proposal_id>/votes")
@signed_in
@takes(NewVote)
def post_vote(body: Json, game_id: str, proposal_id: str) -> Json:
    """Agree to a proposal, or refuse it."""
    visible_table(game_id)
    kit, who = tools(), player_id()
    table = consent.vote(kit.outside, kit.states, game_id, proposal_id, who, body["agrees"])
    return game_answer(table).whole()


@bp.delete(f"{GAME}/proposals/<proposal:proposal_id>")
@signed_in
def withdraw_proposal(game_id: str, proposal_id: str) -> tuple[str, int]:
    """Take back a proposal of one's own."""
    visible_table(game_id)
    consent.withdraw(tools().outside, game_id, proposal_id, player_id())
    return "", 204


@bp.post(f"{GAME}/resignation")
@signed_in
@takes(NewResignation)
def resign(body: Json, game_id: str) -> Json:
    """Give up one's seat, for good if so wished."""
    visible_table(game_id)
    kit, who = tools(), player_id()
    table = seats.resign(kit.outside, kit.states, game_id, who, for_good=body["for_good"])
    return game_answer(table).whole()


@bp.post(f"{GAME}/return")
@signed_in
def come_back(game_id: str) -> Json:
    """Take one's seat back from a house player."""
    visible_table(game_id)
    kit = tools()
    return game_answer(seats.come_back(kit.outside, kit.states, game_id, player_id())).whole()
