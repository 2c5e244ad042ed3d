"""Blocks: people whom the caller does not want to meet or hear."""

from __future__ import annotations

from flask import Blueprint

from rules.kernel import Json
from service.people.circles import blocks
from service.tables.talk.messages import find_other_person
from service.web.api.games.talk import caller_at, person_json
from service.web.api.games.talk_schemas import NewBlock
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited

bp = Blueprint("blocks", __name__, url_prefix="/api/me/blocks")


@bp.get("")
@signed_in("account")
@parse_query(PageQuery)
def list_blocks(query: Json) -> Json:
    """List the people whom the caller has blocked."""
    rows, following = blocks.page(caller_id(), query.get("cursor"), query["limit"])
    return {"blocks": [person_json(row) for row in rows], "next": seal(following)}


@bp.post("")
@limited("blocks")
@signed_in("account")
@parse_body(NewBlock)
def make_block(body: Json) -> tuple[Json, int]:
    """Block a person."""
    person = find_other_person(caller_at(body["game"]), body)
    row, new = blocks.block(current_services(), caller_id(), person)
    return person_json(row), 201 if new else 200


@bp.delete("/<block:block_id>")
@signed_in("account")
def lift_block(block_id: str) -> tuple[str, int]:
    """Remove a block."""
    blocks.unblock(caller_id(), block_id)
    return "", 204
