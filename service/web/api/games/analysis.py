"""The analysis of the caller's decisions in a finished game. Nobody else can see it."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.tables.play.analyses import analyses
from service.tables.views import analysis_view
from service.web.api.games.analysis_schemas import NewAnalysis
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits import attempt_limits
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import game_answer, visible_table

bp = Blueprint("analysis", __name__, url_prefix="/api/games/<game:game_id>/analysis")


@bp.get("")
@limited("deals")
@signed_in("read")
def get_analysis(game_id: str) -> Json:
    """Show the analysis of the caller's decisions, or its progress."""
    return shown(game_id)


@bp.put("")
@limited("analyses")
@signed_in("play")
@parse_body(NewAnalysis)
def ask_for_analysis(body: Json, game_id: str) -> tuple[Json, int]:
    """Ask for an analysis of the caller's decisions."""
    is_new = ask(game_id, body["depth"])
    return shown(game_id), 202 if is_new else 200


def ask(game_id: str, depth: str) -> bool:
    """Ask for an analysis of the caller's decisions; returns False if one exists or already waits.

    A deep analysis that is done is enough for both depths.

    Raises NotOver, NotSeated, NotPossible, TooManyRequests.
    """
    table, player_id = visible_table(game_id), caller_id()
    present = analyses.find(current_services().now(), table, player_id).answering(depth)
    if present is not None and not present.failed:
        return False
    with attempt_limits.counted(attempt_limits.analysis(player_id)):
        analyses.ask(current_services(), table, player_id, depth)
    return True


def shown(game_id: str) -> Json:
    """The caller's analysis (Analysis in openapi.yaml). Raises NotOver, NotSeated, UnreadableLog."""
    table, services = visible_table(game_id), current_services()
    found = analyses.find(services.now(), table, caller_id())
    return analysis_view.shown(services, game_answer(table), found)
