"""Admissions: invitation codes of the operator, where nobody else becomes a player (`REGISTRATION=invited`)."""

from __future__ import annotations

import hashlib

from sqlalchemy import insert, update

from service.clock import DAY
from service.database import db, transaction
from service.models_people import Admission
from service.outside import Outside
from service.problems import InvitationNeeded

_admission = Admission.metadata.tables["admissions"]


def make(outside: Outside, days: int) -> str:
    """A code that lets one person in within so many days. It is told this once."""
    code, now = outside.new_secret(), outside.now()
    row = {"digest": _digest(code), "made_at": now, "ends_at": now + days * DAY}
    with transaction():
        db.session.execute(insert(_admission).values(row))
    return code


def use(outside: Outside, code: str | None) -> None:
    """Let somebody in. The caller owns the commit. Raises InvitationNeeded."""
    now = outside.now()
    query = update(_admission).where(
        _admission.c.digest == _digest(code or ""),
        _admission.c.used_at.is_(None),
        _admission.c.ends_at > now,
    )
    if db.session.execute(query.values(used_at=now)).rowcount != 1:  # type: ignore[attr-defined]
        raise InvitationNeeded


def _digest(code: str) -> bytes:
    return hashlib.sha256(code.encode()).digest()
