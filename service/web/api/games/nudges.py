"""Nudges: a mail to a player for whom the others have waited long."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.tables.play import nudges
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("nudges", __name__, url_prefix="/api/games/<game:game_id>/nudge")


@bp.post("")
@limited("nudges")
@signed_in("play")
def nudge(game_id: str) -> tuple[Json, int]:
    """Remind the player for whom the game has waited longest."""
    visible_table(game_id)
    return {"seat": nudges.nudge(current_services().runtime, game_id, caller_id())}, 202
