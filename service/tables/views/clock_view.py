"""The view of clocks: deadlines, time banks and pauses; and the people whom no mail reaches.

history_view.py has the reasons for changes of clocks.
"""

from __future__ import annotations

from rules.kernel import Json
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import SECOND
from service.log.table_rows.rests import Rest
from service.log.table_rows.table import GameRow, Holder, Person, Table
from service.outbox.addresses.undelivered import pauses_mail


def due(game: GameRow, at: int | None) -> str | None:
    """The deadline of a seat; None if it has no clock, or while the table is paused."""
    return None if at is None or game.paused_at is not None else rfc3339(at)


def clock_of(game: GameRow, person: Person) -> Json:
    """A seat's clock without the deadline, in whole seconds (part of Seat in openapi.yaml)."""
    if game.pace is None or not isinstance(person, Holder) or person.player_id is None:
        return {"reserve": None, "extra": 0, "misses": 0}
    reserve = person.reserve // SECOND if game.pace["kind"] == "reserve" else None
    return {"reserve": reserve, "extra": person.extra // SECOND, "misses": person.misses}


def paused(game: GameRow) -> Json | None:
    """The beginning and the end of the table's pause; None if it is not paused."""
    if game.paused_at is None:
        return None
    return {
        "since": rfc3339(game.paused_at),
        "until": game.paused_until and rfc3339(game.paused_until),
    }


def next_rest(game: GameRow, now: int) -> Json:
    """A member with the table's present or next rest; empty if there is none."""
    rest = None if game.is_over else Rest.of(game.rest)
    if rest is None:
        return {}
    begins, ends = next(rest.since(now))
    return {"rest": {"begins_at": rfc3339(begins), "ends_at": rfc3339(ends)}}


def live(table: Table) -> Json:
    """The members about a table that is played live: who is there, until when people are asked, and when its clock runs
    out. Empty for other tables.
    """
    game = table.game
    if not game.live:
        return {}
    ready = [each.tenure for each in table.people if each.ready]
    until, due = (at and rfc3339(at) for at in (game.ready_until, game.clock_due))
    return {"live": {"ready": ready, "ready_until": until, "clock_due": due}}


def unreachable(game: GameRow, person: Person) -> Json:
    """A member that says that no mail reaches somebody, as long as that matters to the others; otherwise empty."""
    is_told = not game.is_over and pauses_mail(person.undelivered)
    return {"unreachable": True} if is_told else {}


def vacation(person: Person) -> Json | None:
    """The present, next or last vacation of somebody at the table, as planned; None if there is none."""
    if person.away_from is None or person.away_until is None:
        return None
    return {"begins_at": rfc3339(person.away_from), "ends_at": rfc3339(person.away_until)}
