"""The answers in a game's log: which seat answered which question when, and whether its time had run out."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, select

from service.core.database.database import read_alone
from service.core.models.games import Event
from service.log import events
from service.log.events import By
from service.log.records import cold_logs

_events = Event.metadata.tables["events"]
_LOGGED = (
    select(*(_events.c[name] for name in ("number", "body", "seat", "asked", "at")))
    .where(_events.c.game_key == bindparam("game"))
    .order_by(_events.c.number)
)


class Answer(NamedTuple):
    """An action that answered a question of its seat. Times are ms UTC."""

    number: int
    seat: int
    by: By
    asked_at: int
    """The time at which the event that put the question was logged."""
    at: int


def answers(game_key: int) -> list[Answer]:
    """The answers in a game, in the order of the log, including answers that were taken back.

    Raises MalformedEvent if an event is damaged, and ColdStorageOutOfReach or LostObject if cold storage has no log.
    """
    found = read_alone(_LOGGED, {"game": game_key}) or cold_logs.rows_of(game_key)
    times = {row[0]: row[4] for row in found}
    answered = list[Answer]()
    for number, body, seat, asked, at in found:
        if asked is None or seat is None:
            continue
        event = events.parsed(body)
        if event["kind"] == "action":
            answered.append(Answer(number, seat, event["by"], times.get(asked, at), at))
    return answered
