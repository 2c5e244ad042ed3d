"""Blocks without scripts: people whom the reader does not want to meet."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.people.circles import blocks
from service.tables.talk.messages import find_other_person
from service.tables.talk.readers_and_writers import participant
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import FinishedQuery, OwnBlocks
from service.web.plain.plain_pages import plain_blueprint, plain_page, see

bp: Blueprint = plain_blueprint("plain_blocks")

PAGE = 50
"""The number of blocks on one page."""


@bp.get("/blocks")
@parse_query(FinishedQuery)
def get_plain_blocks(query: Json) -> Response:
    """Show the people whom the reader has blocked, the latest first. Raises NotSignedIn."""
    found, following = blocks.page(caller_id(), query.get("cursor"), PAGE)
    return plain_page("blocks.html", blocks=found, next=seal(following))


@bp.post("/blocks")
@limited("blocks")
@signed_in_by_cookie
@parse_form(OwnBlocks)
def change_plain_blocks(body: Json) -> Response:
    """Block somebody at a table, or remove a block. Raises NotSignedIn, NotFound."""
    if "lift" in body:
        blocks.unblock(caller_id(), body["lift"])
    else:
        here = participant(visible_table(body["game"]), caller_id())
        blocks.block(current_services(), caller_id(), find_other_person(here, body))
    return see("/plain/blocks")
