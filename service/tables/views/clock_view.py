"""What viewers are shown of clocks: deadlines, time banks, pauses and the reasons for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import select

from rules.kernel import Json
from service.core.database.database import columns, rows
from service.core.models.time import TimeEntry
from service.core.runtime.time_and_random import rfc3339
from service.core.runtime.units import SECOND
from service.core.words.words import Phrases, Reader, duration
from service.log.table_rows.table import GameRow, Holder, Person, Table
from service.tables.clocks import paces
from service.tables.clocks.seat_clocks import pace_of

ENDINGS = ("answered", "late", "changed", "withdrawn")
"""Entries about the end of a wait: they precede a handover at the same time."""
MOST_KEY = 2**31 - 1
"""The highest value of the key column."""


_entries = TimeEntry.metadata.tables["time_entries"]


class TimeEntryRow(NamedTuple):
    """Why a seat's time changed."""

    key: int
    seat: int
    at: int
    kind: str
    ms: int
    due: int | None
    reserve: int
    extra: int


def rfc3339_or_none(at: int | None) -> str | None:
    """A time in ms UTC as RFC 3339, or None."""
    return None if at is None else rfc3339(at)


def due(game: GameRow, at: int | None) -> str | None:
    """The deadline of a seat; None without a clock and while the table is paused."""
    return None if game.paused_at is not None else rfc3339_or_none(at)


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
    return {"since": rfc3339(game.paused_at), "until": rfc3339_or_none(game.paused_until)}


def clock(
    table: Table, words: Phrases, then: Callable[..., Reader], wish: Json
) -> tuple[Json, str | None]:
    """Why everybody has the time they have (Clock in openapi.yaml), and where the next page begins.

    `wish`: seat, cursor, limit.
    `then` tells who held the seats at a time.
    """
    query = select(*columns(TimeEntryRow, _entries)).where(TimeEntry.game_key == table.game.key)
    if "seat" in wish:
        query = query.where(TimeEntry.seat == wish["seat"])
    if "cursor" in wish:
        query = query.where(TimeEntry.key < min(int(wish["cursor"]), MOST_KEY))
    found = rows(TimeEntryRow, query.order_by(TimeEntry.key.desc()).limit(wish["limit"] + 1))
    page = found[: wish["limit"]]
    pace = pace_of(table.game)
    clock = {
        "pace": paces.shown(pace, words),
        "paused": paused(table.game),
        "entries": [
            _entry(row, pace.kind == "reserve", words, then(row.at, before=row.kind in ENDINGS))
            for row in page
        ],
    }
    return clock, str(page[-1].key) if found[len(page) :] else None


def _entry(row: TimeEntryRow, reserve: bool, words: Phrases, reader: Reader) -> Json:
    fields = {"seat": row.seat, "time": duration(row.ms, words)}
    return {
        "seat": row.seat,
        "at": rfc3339(row.at),
        "kind": row.kind,
        "seconds": row.ms // SECOND,
        "due": rfc3339_or_none(row.due),
        "reserve": row.reserve // SECOND if reserve else None,
        "extra": row.extra // SECOND,
        "words": words.say(f"time.{row.kind}", fields, reader),
    }
