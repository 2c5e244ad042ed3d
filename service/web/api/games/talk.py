"""Talk at the table: messages, reports of messages, and how far one has read."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.words.words import phrases
from service.tables.talk import messages, read_marks, reported_messages
from service.tables.talk.readers_and_writers import Participant, participant
from service.web.api.games.talk_schemas import MessagesQuery, NewMark, NewMessage, NewReport
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import seal
from service.web.http.caller.accept_language import preferred_language
from service.web.http.caller.caller import caller_id, refuse_silent_guests, signed_in
from service.web.http.caller.context import current_services
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag
from service.web.http.polls.game_answers import visible_table

bp = Blueprint("talk", __name__, url_prefix="/api")
GAME = "/games/<game:game_id>"


@bp.get(f"{GAME}/talk")
@signed_in("read")
def get_talk(game_id: str) -> Response:
    """How far the caller has read in each channel, and what the ruleset says about talking."""
    return with_content_etag(channels_json(caller_at(game_id)))


@bp.get(f"{GAME}/messages")
@signed_in("read")
@parse_query(MessagesQuery)
def list_messages(query: Json, game_id: str) -> Response:
    """The messages of a channel, newest first."""
    words = phrases(preferred_language())
    page, following = messages.page(caller_at(game_id), words, **{"cursor": None, **query})
    return with_content_etag({"messages": page, "next": seal(following)})


@bp.post(f"{GAME}/messages")
@limited("messages")
@signed_in("talk")
@parse_body(NewMessage)
def post_message(body: Json, game_id: str) -> tuple[Json, int]:
    """Say something."""
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
@parse_body(NewReport)
def report_message(body: Json, game_id: str, message_id: str) -> tuple[str, int]:
    """Report a message to the operator."""
    visible_table(game_id)
    services, why = current_services(), body.get("why")
    reported_messages.report(services, game_id, caller_id(), message_id, why)
    return "", 204


@bp.put(f"{GAME}/marks")
@limited("marks")
@signed_in("talk")
@parse_body(NewMark)
def put_mark(body: Json, game_id: str) -> Json:
    """Note how far the caller has read."""
    visible_table(game_id)
    marked = read_marks.mark_read(game_id, caller_id(), body["channel"], body["number"])
    return channels_json(marked)


@bp.get("/me/unread")
@signed_in("read")
def list_unread() -> Response:
    """The caller's games with new messages."""
    games = read_marks.unread_games(caller_id())
    return with_content_etag({"games": games, "poll_after": current_services().config.poll_after})


def caller_at(game_id: str) -> Participant:
    """The caller at this table. Raises NotFound."""
    return participant(visible_table(game_id), caller_id())


def channels_json(reader: Participant) -> Json:
    """How far the reader has read in each channel."""
    game = reader.table.game
    words = phrases(preferred_language(), game.ruleset, game.version)
    poll_after = current_services().config.poll_after
    return {**read_marks.overview(reader, words), "poll_after": poll_after}
