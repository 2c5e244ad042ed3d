"""Notes for oneself, and whom one does not want to hear: mutes of a host, blocks of anybody."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from rules.kernel import Json
from service import blocks, manners, notes
from service.api.common import asks, player_id, signed_in, takes, tools, visible
from service.api.limits import limited
from service.api.talk import by_content, hears
from service.outside import rfc3339
from service.schemas_talk import BlocksQuery, Named, NewBlock, NewNote

bp = Blueprint("manners", __name__, url_prefix="/api")


@bp.get("/games/<game:game_id>/notes")
@signed_in
def get_notes(game_id: str) -> Response:
    """The caller's notes about this game."""
    return by_content(note_shown(notes.read(visible(game_id).game.key, player_id())))


@bp.put("/games/<game:game_id>/notes")
@limited("notes")
@signed_in
@takes(NewNote)
def put_notes(body: Json, game_id: str) -> Json:
    """Replace the caller's notes about this game."""
    visible(game_id)
    return note_shown(notes.write(tools().outside, game_id, player_id(), body["text"]))


@bp.get("/games/<game:game_id>/mutes")
@signed_in
def list_mutes(game_id: str) -> Json:
    """Whom the host lets write no longer."""
    return {"mutes": [person_shown(row) for row in manners.mutes(visible(game_id), player_id())]}


@bp.post("/games/<game:game_id>/mutes")
@limited("blocks")
@signed_in
@takes(Named)
def make_mute(body: Json, game_id: str) -> tuple[Json, int]:
    """Let somebody write no longer, as the host."""
    visible(game_id)
    row, new = manners.mute(tools().outside, game_id, player_id(), body)
    return person_shown(row), 201 if new else 200


@bp.delete("/games/<game:game_id>/mutes/<mute:mute_id>")
@signed_in
def lift_mute(game_id: str, mute_id: str) -> tuple[str, int]:
    """Let somebody write again, as the host."""
    visible(game_id)
    manners.unmute(game_id, player_id(), mute_id)
    return "", 204


@bp.get("/me/blocks")
@signed_in
@asks(BlocksQuery)
def list_blocks(query: Json) -> Json:
    """Whom the caller has blocked."""
    rows, following = blocks.page(player_id(), query.get("cursor"), query["limit"])
    return {"blocks": [person_shown(row) for row in rows], "next": following}


@bp.post("/me/blocks")
@limited("blocks")
@signed_in
@takes(NewBlock)
def make_block(body: Json) -> tuple[Json, int]:
    """Block a person."""
    person = manners.meant(hears(body["game"]), body)
    row, new = blocks.block(tools().outside, player_id(), person)
    return person_shown(row), 201 if new else 200


@bp.delete("/me/blocks/<block:block_id>")
@signed_in
def lift_block(block_id: str) -> tuple[str, int]:
    """Lift a block."""
    blocks.unblock(player_id(), block_id)
    return "", 204


def note_shown(row: Any | None) -> Json:
    """A note; an empty one where there is none."""
    if row is None:
        return {"text": "", "changed_at": None}
    return {"text": row.text, "changed_at": rfc3339(row.changed_at)}


def person_shown(row: Any) -> Json:
    """A mute or a block: whom, and since when."""
    return {"id": row.id, "name": row.name, "created_at": rfc3339(row.created_at)}
