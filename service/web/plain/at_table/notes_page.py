"""Private notes about a game without scripts."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.tables.talk import private_notes
from service.web.http.caller.caller import caller_id, signed_in_by_cookie
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.game_answers import visible_table
from service.web.plain.at_table.plain_game import PlainGame
from service.web.plain.forms.form_bodies import parse_form
from service.web.plain.forms.form_schemas import OwnNotes
from service.web.plain.plain_pages import plain_blueprint, see

bp: Blueprint = plain_blueprint("plain_notes")


@bp.get("/games/<game:game_id>/notes")
def get_plain_notes(game_id: str) -> Response:
    """Show the reader's notes about a game. Raises NotSignedIn, NotFound."""
    player_id, game = caller_id(), PlainGame(game_id)
    note = private_notes.read(game.table.game.key, player_id)
    return game.page("notes.html", text=note.text if note else "")


@bp.post("/games/<game:game_id>/notes")
@limited("notes")
@signed_in_by_cookie
@parse_form(OwnNotes)
def write_plain_notes(body: Json, game_id: str) -> Response:
    """Replace the reader's notes. Raises NotSignedIn, NotFound."""
    visible_table(game_id)
    private_notes.write(current_services(), game_id, caller_id(), body["text"])
    return see(f"/plain/games/{game_id}/notes")
