"""Private notes: what a player writes down about a game for themselves."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.tables.talk import private_notes
from service.tables.talk.private_notes import NoteRow
from service.web.api.games.talk_schemas import NewNote
from service.web.http.bodies.body_and_query import parse_body
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("private_notes", __name__, url_prefix="/api/games/<game:game_id>/notes")


@bp.get("")
@signed_in("read")
def get_notes(game_id: str) -> Response:
    """The caller's notes about this game."""
    game = visible_table(game_id).game
    return with_content_etag(note_json(private_notes.read(game.key, caller_id())))


@bp.put("")
@limited("notes")
@signed_in("play")
@parse_body(NewNote)
def put_notes(body: Json, game_id: str) -> Json:
    """Replace the caller's notes about this game."""
    visible_table(game_id)
    services, text = current_services(), body["text"]
    return note_json(private_notes.write(services, game_id, caller_id(), text))


def note_json(row: NoteRow | None) -> Json:
    """A note; an empty one if there is none."""
    if row is None:
        return {"text": "", "changed_at": None}
    return {"text": row.text, "changed_at": rfc3339(row.changed_at)}
