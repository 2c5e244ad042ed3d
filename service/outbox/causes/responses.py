"""Emails in reply to an email: what it played, what has to be confirmed, or what could not be understood.

The queued row contains no word of the email that is answered, and names cards only by the positions of actions in a
list. Each email is answered once, however often it comes in.
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
    "played",
    "already",
    "confirm",
    "which",
    "step",
    "unknown",
    "declined",
    "stale",
    "cut",
    "later",
    "ordered",
    "unsure",
    "taken-back",
    "asked-back",
    "not-back",
]
"""The outcomes that a response reports.

`played`: the choice is played; `already`: it had been played; `confirm`: it waits for a confirmation; `which`: moves
are named, but none for certain; `step`: there is more to choose; `unknown`: no choice has that number; `declined`: it
is not confirmed; `stale`: the question is no longer asked; `cut`: a part of the text was not said; `later`: more has
come in than is read in an hour; `ordered`: a standing order is left; `taken-back`: a move is taken back; `asked-back`:
the table is asked for that; `not-back`: it cannot be taken back; `unsure`: none of this, because the email may be
somebody else's.
"""


def is_put(tenure: str, once: str) -> bool:
    """Whether this email has been answered already."""
    query = select(Outbox.id).where(Outbox.key == _key(tenure, once))
    return db.session.scalar(query) is not None


def put(
    runtime: Runtime, table: Table, person: Holder, once: str, response: Response, **details: object
) -> None:
    """Queue the response to the email identified by `once`.

    If the response contains the question that the person has now, no turn email is sent about it.
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
        if response in {"played", "taken-back"} and person.waiting:
            asked = (Outbox.tenure_id == person.tenure) & (Outbox.number == person.asked)
            queue.cancel(runtime, asked, Outbox.kind == "turn")


def _key(tenure: str, once: str) -> str:
    """A digest of a Message-ID, which may be too long for a row's key."""
    return f"{KIND} {tenure} {hashlib.sha256(once.encode()).hexdigest()[:32]}"
