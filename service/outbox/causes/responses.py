"""Mails that answer what somebody has mailed: what it played, what is to be confirmed, what could not be understood.

What is queued says no word of the mail that is answered, and names cards only by the places of actions in a list. The
same mail is answered once, however often it comes in.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import db, transaction
from service.core.models.mail import Outbox
from service.core.runtime.time_and_random import Runtime
from service.log.table_rows.table import Holder, Table
from service.outbox import queue

KIND = "response"
Response = Literal[
    "played", "already", "confirm", "which", "step", "unknown", "declined", "stale", "cut", "later"
]
"""`played`: the choice is played; `already`: it was before; `confirm`: it waits for a confirmation; `which`: moves are
named, but not for certain one; `step`: there is more to choose; `unknown`: no choice has that number; `declined`: it is
not confirmed; `stale`: the question is not asked any more; `cut`: a part of what was written was not said; `later`:
more has come in than is read in an hour."""


def is_put(tenure: str, once: str) -> bool:
    """Whether this mail was answered before."""
    query = select(Outbox.id).where(Outbox.key == _key(tenure, once))
    return db.session.scalar(query) is not None


def put(
    runtime: Runtime, table: Table, person: Holder, once: str, response: Response, **details: object
) -> None:
    """Queue the answer to a mail that `once` tells from others.

    If it brings the question that the person is asked now, no turn mail does.
    """
    given = {
        name: value for name, value in details.items() if value is not None and value is not False
    }
    data: Json = {"what": response, **given}
    with transaction():
        queue.put(
            *(runtime, KIND, _key(person.tenure, once)),
            player_id=person.player_id,
            game_key=table.game.key,
            tenure_id=person.tenure,
            number=person.asked,
            data=data,
        )
        if response == "played" and person.waiting:
            asked = (Outbox.tenure_id == person.tenure) & (Outbox.number == person.asked)
            queue.cancel(runtime, asked, Outbox.kind == "turn")


def _key(tenure: str, once: str) -> str:
    """In a row's key is room for less than a Message-ID."""
    return f"{KIND} {tenure} {hashlib.sha256(once.encode()).hexdigest()[:32]}"
