"""Private notes: what a player writes down about a game for themselves."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.time_and_random import rfc3339
from service.http.body_and_query import parse_body
from service.http.caller import caller_id, signed_in
from service.http.context import current_services
from service.http.etags import with_content_etag
from service.http.game_answers import visible_table
from service.http.limits.rate_limits import limited
from service.http.schemas.talk import NewNote
from service.talk import private_notes
from service.talk.private_notes import NoteRow

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
    runtime, text = current_services().runtime, body["text"]
    return note_json(private_notes.write(runtime, game_id, caller_id(), text))


def note_json(row: NoteRow | None) -> Json:
    """A note; an empty one if there is none."""
    if row is None:
        return {"text": "", "changed_at": None}
    return {"text": row.text, "changed_at": rfc3339(row.changed_at)}
