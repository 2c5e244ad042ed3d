"""Admission codes: with `REGISTRATION=invited`, only people with a code from the operator can become players."""

from __future__ import annotations

from sqlalchemy import insert, update

from service.core.database.database import changed_rows, db, delete_some, transaction
from service.core.models.people import Admission
from service.core.runtime.problems import InvitationNeeded
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY
from service.people.credentials.credentials import digest

_admission = Admission.__table__


def create(runtime: Runtime, days: int) -> str:
    """A new code for one person, valid for this number of days; it cannot be shown again."""
    code, now = runtime.new_secret(), runtime.now()
    row = {"digest": digest(code), "made_at": now, "ends_at": now + days * DAY}
    with transaction():
        db.session.execute(insert(Admission).values(row))
    return code


def redeem(runtime: Runtime, code: str | None) -> None:
    """Use a code up. The caller owns the commit. Raises InvitationNeeded if it is missing or not valid."""
    now = runtime.now()
    good = _admission.c.used_at.is_(None) & (_admission.c.ends_at > now)
    this = update(Admission).where(_admission.c.digest == digest(code or ""), good)
    if changed_rows(this.values(used_at=now)) != 1:
        raise InvitationNeeded


def purge(now: int, most: int) -> int:
    """Delete at most `most` codes that are no longer valid; return the number."""
    return delete_some(_admission, most, _admission.c.ends_at <= now)
