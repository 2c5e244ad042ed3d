"""Mails that mail servers do not take: how many, with which answer, for the findings of `tegami doctor`."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import func, select

from service.core.database.database import rows
from service.core.models.mail import Outbox
from service.core.runtime.units import DAY

_outbox = Outbox.metadata.tables["outbox"]


class Refused(NamedTuple):
    """So many mails got the same answer the last time that they were tried."""

    refusal: str
    waiting: int
    """How many of them are tried again …"""
    lost: int
    """… and how many are not."""


def refused_in_a_day(now: int) -> list[Refused]:
    """What was not taken and is tried again, or was given up in the last day; the most frequent answer first."""
    waiting = func.count().filter(_outbox.c.done_at.is_(None))
    lost = func.count().filter(_outbox.c.done_at.is_not(None))
    present = _outbox.c.done_at.is_(None) | (_outbox.c.done_at > now - DAY)
    query = (
        select(_outbox.c.refusal, waiting.label("waiting"), lost.label("lost"))
        .where(_outbox.c.refusal.is_not(None), present)
        .group_by(_outbox.c.refusal)
        .order_by(func.count().desc(), _outbox.c.refusal)
    )
    return rows(Refused, query)
