"""What viewers are shown of clocks: deadlines, time banks, pauses; and of who learns of none by mail.

The reasons for them: history_view.py.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import SECOND
from service.log.table_rows.table import GameRow, Holder, Person
from service.outbox.addresses.undelivered import pauses_mail


def due(game: GameRow, at: int | None) -> str | None:
    """The deadline of a seat; None without a clock and while the table is paused."""
    return None if at is None or game.paused_at is not None else rfc3339(at)


def clock_of(game: GameRow, person: Person) -> Json:
    """A seat's clock apart from the deadline, in whole seconds (part of Seat in openapi.yaml)."""
    if game.pace is None or not isinstance(person, Holder) or person.player_id is None:
        return {"reserve": None, "extra": 0, "misses": 0}
    reserve = person.reserve // SECOND if game.pace["kind"] == "reserve" else None
    return {"reserve": reserve, "extra": person.extra // SECOND, "misses": person.misses}


def paused(game: GameRow) -> Json | None:
    """Since when the table is paused, and until when."""
    if game.paused_at is None:
        return None
    return {
        "since": rfc3339(game.paused_at),
        "until": game.paused_until and rfc3339(game.paused_until),
    }


def unreachable(game: GameRow, person: Person) -> Json:
    """That no mail goes to somebody, while that matters to the others."""
    is_told = not game.is_over and pauses_mail(person.undelivered)
    return {"unreachable": True} if is_told else {}
