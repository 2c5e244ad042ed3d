"""Recording when a caller was last seen, at most once a minute, after the response is made."""

from __future__ import annotations

from contextlib import suppress

from flask import Response, g
from sqlalchemy.exc import DBAPIError

from service.core.database import lock_patience
from service.core.database.failures import CommitUnknown, SchemaIsNewer
from service.people.credentials import credentials
from service.web.http.caller.context import current_services


def note(response: Response) -> Response:
    """Record that the caller's credential was used, and return the response; if the database is busy, leave that to the
    next request.
    """
    unnoted = _unnoted()
    if unnoted:
        with suppress(DBAPIError, CommitUnknown, SchemaIsNewer), lock_patience.waiting():
            credentials.record_use(current_services(), unnoted)
    return response


def _unnoted() -> str | None:
    """The credential whose use has to be recorded; None if there is none."""
    player: credentials.Caller | None = g.get("caller")
    if player is None or g.get("seen_noted"):
        return None
    is_due = credentials.is_use_due(player.seen_at, current_services().now())
    return player.credential if is_due else None


def note_beside() -> None:
    """Record the use in the caller's transaction, because one transaction costs less than two; `was_noted` is called
    after its commit.
    """
    unnoted = _unnoted()
    if unnoted:
        credentials.write_use(current_services(), unnoted)


def was_noted() -> None:
    """Remember that the use that `note_beside` has written is committed."""
    g.seen_noted = True
