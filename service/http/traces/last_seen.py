"""When a caller was last seen: noted at most once a minute, after the answer is made."""

from __future__ import annotations

from flask import Flask, Response, g
from sqlalchemy.exc import DBAPIError

from service.core.failures import CommitUnknown
from service.http.context import current_services
from service.people import credentials


def register(app: Flask) -> None:
    """Note when callers of `app` are seen."""
    app.after_request(note)


def note(response: Response) -> Response:
    """Note that the caller's credential was used; if the database is busy, the next request does."""
    player, runtime = g.get("caller"), current_services().runtime
    if player and runtime.now() - (player.seen_at or 0) >= credentials.USE_RECORDED_EVERY:
        try:
            credentials.record_use(runtime, player.credential)
        except (DBAPIError, CommitUnknown):
            return response
    return response
