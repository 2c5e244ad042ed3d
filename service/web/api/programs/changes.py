"""The changes for the caller, in order: as one response, or as server-sent events."""

from __future__ import annotations

import re

from flask import Blueprint, Response, request

from rules.kernel import Json, text
from service.core.runtime.problems import InvalidQuery
from service.core.words.words import phrases
from service.tables.clocks import polling
from service.tables.views import changes_view
from service.web.http.bodies.body_and_query import parse_query
from service.web.http.bodies.fields import MAX_EVENT_NUMBER, Body, QueryInteger, page_size
from service.web.http.bodies.wrong_members import Wrong, between
from service.web.http.caller.caller import caller_id, signed_in
from service.web.http.caller.context import current_services, preferred_language
from service.web.http.limits.rate_limits import MOST_ENTRIES
from service.web.http.polls.etags import CACHE_CONTROL, VARY, with_content_etag
from service.web.http.polls.waiting import APPLIED, Subject, wait_for_news

bp = Blueprint("changes", __name__, url_prefix="/api/me/changes")

LAST = "Last-Event-ID"
_EVENT = re.compile("[0-9]{1,9}")
"""The possible ids of an event: no player has a billion changes."""
STREAM = "text/event-stream"
USUAL_WAIT = 30
"""How long (seconds) a stream without events is held, because a browser cannot state a preference."""
AT_ONCE = 100
"""The pause (ms) after which a program returns for the next events of a stream."""


class ChangesQuery(Body):
    """The query of GET /api/me/changes."""

    after = QueryInteger(validate=between(0, MAX_EVENT_NUMBER))
    limit = page_size(MOST_ENTRIES, MOST_ENTRIES)


@bp.get("")
@signed_in("read")
@parse_query(ChangesQuery)
def list_changes(query: Json) -> Response:
    """List the changes for the caller since the last call, in order."""
    if request.accept_mimetypes.best_match(["application/json", STREAM]) == STREAM:
        answer = _streamed(query)
    else:
        answer = _listed(query)
    answer.headers["Vary"] = f"{VARY}, Accept"
    return answer


@bp.get("/stream")
@signed_in("read")
@parse_query(ChangesQuery)
def stream_changes(query: Json) -> Response:
    """List the same changes as server-sent events."""
    return _streamed(query)


def _listed(query: Json) -> Response:
    me, services, after = caller_id(), current_services(), _after(query)
    found = changes_view.page(services, me, after, query["limit"])
    answer = with_content_etag({**found, "poll_after": _slow()})
    if found["changes"] or after is None:
        return answer
    return wait_for_news(answer, Subject("player", me), found["next"], me)


def _slow() -> float:
    """The seconds after which a program should return if its request cannot be held."""
    return current_services().config.poll_after * polling.FACTORS[-1]


def _after(query: Json) -> int | None:
    """The number after which to continue; None to begin. A program that returns to a stream sends it in a header of its
    own. Raises InvalidQuery.
    """
    last = request.headers.get(LAST)
    if last is None:
        return query.get("after")
    if not _EVENT.fullmatch(last):
        words = phrases(preferred_language())
        raise InvalidQuery(errors={LAST: [Wrong("integer").worded(words)]})
    return int(last)


def _streamed(query: Json) -> Response:
    """The changes as server-sent events.

    The stream ends after these events, or when the wait is over, and says when to return (`retry`). So no server has to
    keep it open, and a server that can wait reports each change at once.
    """
    me, after = caller_id(), _after(query)
    found = changes_view.page(current_services(), me, after, query["limit"])
    answer = Response(mimetype=STREAM)
    if not found["changes"] and after is not None:
        wait_for_news(answer, Subject("player", me), found["next"], me, USUAL_WAIT)
    soon = found["changes"] or after is None or APPLIED in answer.headers
    answer.set_data(f"retry: {AT_ONCE if soon else int(_slow() * 1000)}\n\n{_events(found, after)}")
    answer.add_etag()
    answer.headers["Cache-Control"] = CACHE_CONTROL
    answer.headers["Vary"] = VARY
    answer.headers["Content-Language"] = preferred_language()
    return answer


def _events(found: Json, after: int | None) -> str:
    if after is None:
        begin = {"next": found["next"]}
        return f"id: {found['next']}\nevent: begin\ndata: {text(begin)}\n\n"
    if not found["changes"]:
        return ": nothing new\n\n"
    return "".join(
        f"id: {each['number']}\nevent: {each['kind']}\ndata: {text(each)}\n\n"
        for each in found["changes"]
    )
