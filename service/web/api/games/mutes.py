"""Mutes: whom the host of a table no longer lets write."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.people.blocks import BlockRow
from service.tables.talk import mutes
from service.tables.talk.mutes import MuteRow
from service.web.api.games.talk_schemas import NewMute
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("mutes", __name__, url_prefix="/api/games/<game:game_id>/mutes")


@bp.get("")
@signed_in("read")
def list_mutes(game_id: str) -> Json:
    """Whom the host has muted."""
    return {
        "mutes": [person_json(row) for row in mutes.list_mutes(visible_table(game_id), caller_id())]
    }


@bp.post("")
@limited("blocks")
@signed_in("talk")
@parse_body(NewMute)
def make_mute(body: Json, game_id: str) -> tuple[Json, int]:
    """Mute somebody, as the host."""
    visible_table(game_id)
    row, new = mutes.mute(current_services().runtime, game_id, caller_id(), body)
    return person_json(row), 201 if new else 200


@bp.delete("/<mute:mute_id>")
@signed_in("talk")
def lift_mute(game_id: str, mute_id: str) -> tuple[str, int]:
    """Let somebody write again, as the host."""
    visible_table(game_id)
    mutes.unmute(game_id, caller_id(), mute_id)
    return "", 204


def person_json(row: MuteRow | BlockRow) -> Json:
    """A muted or blocked person, and since when."""
    return {"id": row.id, "name": row.name, "created_at": rfc3339(row.created_at)}
