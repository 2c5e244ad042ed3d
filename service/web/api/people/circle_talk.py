"""The talk of a circle."""

from __future__ import annotations

from flask import Blueprint, Response

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.words.words import Phrases, phrases
from service.people.circles import circle_talk, circles
from service.people.circles.circle_talk import CircleMessageRow
from service.tables.talk import reported_messages
from service.web.api.games.talk_schemas import NewReport
from service.web.api.people.circle_schemas import NewCircleMark, NewCircleMessage
from service.web.http.bodies.body_and_query import parse_body, parse_query
from service.web.http.bodies.cursors import PageQuery, seal
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import limited
from service.web.http.polls.etags import with_content_etag

bp = Blueprint("circle_talk", __name__, url_prefix="/api/circles/<circle:circle_id>")


@bp.get("/messages")
@signed_in("read")
@parse_query(PageQuery)
def list_circle_messages(query: Json, circle_id: str) -> Response:
    """List the messages of a circle, newest first."""
    me, words = caller_id(), phrases(preferred_language())
    reader = circles.membership(circle_id, me)
    found, following = circle_talk.page(reader, query.get("cursor"), query["limit"])
    shown = [message_json(row, me, words) for row in found]
    return with_content_etag({"messages": shown, "next": seal(following)})


@bp.post("/messages")
@limited("messages")
@signed_in("talk")
@parse_body(NewCircleMessage)
def post_circle_message(body: Json, circle_id: str) -> tuple[Json, int]:
    """Post a message in a circle."""
    me = caller_id()
    row, new = circle_talk.post(current_services(), circle_id, me, body)
    return message_json(row, me, phrases(preferred_language())), 201 if new else 200


@bp.delete("/messages/<message:message_id>")
@signed_in("talk")
def hide_circle_message(circle_id: str, message_id: str) -> tuple[str, int]:
    """Hide a message, as the host."""
    circle_talk.hide(current_services(), circle_id, caller_id(), message_id)
    return "", 204


@bp.post("/messages/<message:message_id>/reports")
@limited("reports")
@signed_in("talk")
@parse_body(NewReport)
def report_circle_message(body: Json, circle_id: str, message_id: str) -> tuple[str, int]:
    """Report a message to the operator."""
    reported_messages.report(
        current_services(), circle_id, caller_id(), message_id, body.get("why")
    )
    return "", 204


@bp.put("/mark")
@limited("marks")
@signed_in("talk")
@parse_body(NewCircleMark)
def put_circle_mark(body: Json, circle_id: str) -> tuple[str, int]:
    """Store how far the caller has read."""
    circle_talk.mark_read(circle_id, caller_id(), body["number"])
    return "", 204


def message_json(row: CircleMessageRow, reader_id: str, words: Phrases) -> Json:
    """A message as the API shows it to the member with this id; a hidden message has no text."""
    return {
        "id": row.id,
        "number": row.number,
        "name": row.name or words.say("person.gone"),
        "program": bool(row.program),
        "you": row.player_id == reader_id,
        "at": rfc3339(row.at),
        "text": None if row.hidden_at else row.text,
        "hidden": row.hidden_at is not None,
    }
