"""Talk at the table: messages, reports, read marks and mutes; and notes that nobody else can read."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import phrases
from service.people.circles.blocks import BlockRow
from service.tables.talk import messages, mutes, private_notes, read_marks, reported_messages
from service.tables.talk.readers_and_writers import Participant, participant
from service.web.api.games import talk_schemas
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.caller import caller_id, refuse_silent_guests, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("talk", __name__, url_prefix="/api")
GAME = "/games/<game:game_id>"


@bp.get(f"{GAME}/talk")
@signed_in("read")
def get_talk(game_id: str) -> Response:
    """Show how far the caller has read in each channel, and the ruleset's rule about talk."""
    return with_content_etag(channels_json(caller_at(game_id)))


@bp.get(f"{GAME}/messages")
@signed_in("read")
@parse_query(talk_schemas.MessagesQuery)
def list_messages(query: Json, game_id: str) -> Response:
    """List the messages of a channel, newest first."""
    words = phrases(preferred_language())
    page, following = messages.page(caller_at(game_id), words, **{"cursor": None, **query})
    return with_content_etag({"messages": page, "next": seal(following)})


@bp.post(f"{GAME}/messages")
@limited("messages")
@signed_in("talk")
@parse_body(talk_schemas.NewMessage)
def post_message(body: Json, game_id: str) -> tuple[Json, int]:
    """Post a message."""
    visible_table(game_id)
    refuse_silent_guests()
    row, new = messages.post(current_services(), game_id, caller_id(), body)
    shown = messages.as_json(row, caller_id(), phrases(preferred_language()))
    return shown, 201 if new else 200


@bp.delete(f"{GAME}/messages/<message:message_id>")
@signed_in("talk")
def hide_message(game_id: str, message_id: str) -> tuple[str, int]:
    """Hide a message, as the host."""
    visible_table(game_id)
    messages.hide(current_services(), game_id, caller_id(), message_id)
    return "", 204


@bp.post(f"{GAME}/messages/<message:message_id>/reports")
@limited("reports")
@signed_in("talk")
@parse_body(talk_schemas.NewReport)
def report_message(body: Json, game_id: str, message_id: str) -> tuple[str, int]:
    """Report a message to the operator."""
    visible_table(game_id)
    reported_messages.report(current_services(), game_id, caller_id(), message_id, body.get("why"))
    return "", 204


@bp.put(f"{GAME}/marks")
@limited("marks")
@signed_in("talk")
@parse_body(talk_schemas.NewMark)
def put_mark(body: Json, game_id: str) -> Json:
    """Store how far the caller has read."""
    visible_table(game_id)
    marked = read_marks.mark_read(game_id, caller_id(), body["channel"], body["number"])
    return channels_json(marked)


@bp.get(f"{GAME}/mutes")
@signed_in("read")
def list_mutes(game_id: str) -> Json:
    """List the people whom the host has muted."""
    muted = mutes.list_mutes(visible_table(game_id), caller_id())
    return {"mutes": [person_json(row) for row in muted]}


@bp.post(f"{GAME}/mutes")
@limited("blocks")
@signed_in("talk")
@parse_body(talk_schemas.NewMute)
def make_mute(body: Json, game_id: str) -> tuple[Json, int]:
    """Mute somebody, as the host."""
    visible_table(game_id)
    row, new = mutes.mute(current_services(), game_id, caller_id(), body)
    return person_json(row), 201 if new else 200


@bp.delete(f"{GAME}/mutes/<mute:mute_id>")
@signed_in("talk")
def lift_mute(game_id: str, mute_id: str) -> tuple[str, int]:
    """Let somebody write again, as the host."""
    visible_table(game_id)
    mutes.unmute(game_id, caller_id(), mute_id)
    return "", 204


@bp.get(f"{GAME}/notes")
@signed_in("read")
def get_notes(game_id: str) -> Response:
    """Show the caller's notes about this game."""
    game = visible_table(game_id).game
    return with_content_etag(note_json(private_notes.read(game.key, caller_id())))


@bp.put(f"{GAME}/notes")
@limited("notes")
@signed_in("play")
@parse_body(talk_schemas.NewNote)
def put_notes(body: Json, game_id: str) -> Json:
    """Replace the caller's notes about this game."""
    visible_table(game_id)
    return note_json(private_notes.write(current_services(), game_id, caller_id(), body["text"]))


@bp.get("/me/unread")
@signed_in("read")
def list_unread() -> Response:
    """List the caller's games with new messages."""
    games = read_marks.unread_games(caller_id())
    return with_content_etag({"games": games, "poll_after": current_services().config.poll_after})


def caller_at(game_id: str) -> Participant:
    """The caller as a participant of the talk at this table. Raises NotFound."""
    return participant(visible_table(game_id), caller_id())


def channels_json(reader: Participant) -> Json:
    """The number of the reader's last read message in each channel, with the reader's rights (Talk in openapi.yaml)."""
    game = reader.table.game
    words = phrases(preferred_language(), game.ruleset, game.version)
    poll_after = current_services().config.poll_after
    return {**read_marks.overview(reader, words), "poll_after": poll_after}


def person_json(row: mutes.MuteRow | BlockRow) -> Json:
    """A muted or blocked person, with the time (`made_at`) at which this was done."""
    return {"id": row.id, "name": row.name, "created_at": rfc3339(row.created_at)}


def note_json(row: private_notes.NoteRow | None) -> Json:
    """A note; an empty one if there is none."""
    if row is None:
        return {"text": "", "changed_at": None}
    return {"text": row.text, "changed_at": rfc3339(row.changed_at)}
