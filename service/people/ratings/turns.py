"""Turns for work on numbers about people: one process at a time holds a row of `heartbeats` until its commit."""

from __future__ import annotations

from typing import Literal

from sqlalchemy import bindparam, select

from service.core.database.database import db, insert_unless_there
from service.core.models.server import Heartbeat

Work = Literal["ratings", "played games"]

_heartbeat = Heartbeat.metadata.tables["heartbeats"]
_ROW = select(_heartbeat.c.name).where(_heartbeat.c.name == bindparam("work"))


def wait_for(work: Work) -> None:
    """Wait until nobody else does this work, and keep others from it until the commit."""
    _make(work)
    db.session.execute(_ROW.with_for_update(), {"work": work})


def take(work: Work) -> bool:
    """Keep others from this work until the commit, unless somebody else does it; return whether that succeeded."""
    _make(work)
    held = _ROW.with_for_update(skip_locked=True)
    return db.session.scalar(held, {"work": work}) is not None


def _make(work: Work) -> None:
    if db.session.scalar(_ROW, {"work": work}) is None:
        insert_unless_there(_heartbeat, {"name": work, "at": 0})
