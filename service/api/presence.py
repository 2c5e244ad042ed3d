"""Presence: that somebody was here, noted at most once a minute and after the answer is made."""

from __future__ import annotations

from flask import Flask, Response, g
from sqlalchemy.exc import DBAPIError

from service import people
from service.api.common import tools
from service.database import Uncertain, db


def register(app: Flask) -> None:
    """Note who calls `app`."""
    app.after_request(note)


def note(response: Response) -> Response:
    """Note that the caller's credential is used; if the database is busy, the next request will."""
    player, outside = g.get("caller"), tools().outside
    if player and outside.now() - (player.seen_at or 0) >= people.SEEN_EVERY:
        try:
            people.seen(outside, player.credential)
        except (DBAPIError, Uncertain):
            db.session.rollback()
    return response
