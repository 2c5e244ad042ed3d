"""The places in a series: who joins, who leaves, and the substitutes who take over a place with its points.

Before the first round everybody who joins has a place. From then on, people who join wait as substitutes; the first of
them gets the place of a person who leaves, from the next game on. A place that nobody has is left out.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, update

from rules.kernel import Json
from service.core.database.database import db, rows
from service.core.models.circles import CircleMember, Series, SeriesEntry
from service.core.models.people import Player
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import KeptApart, NotFound, NotPossible
from service.core.runtime.time_and_random import Runtime
from service.people import players
from service.people.circles import blocks
from service.people.circles.follows import refuse_guests
from service.people.circles.series.series import SeriesRow

MOST_ENTRIES = 256
"""The largest number of people in a series, including its substitutes."""
MOST_JOINED = 10
"""The largest number of series in which a person can be at the same time."""
MOST_AT_ONCE = 5
"""The largest number of games of a series that a person can play at the same time."""


class EntryRow(NamedTuple):
    """A place in a series, or a substitute who waits for one."""

    key: int
    id: str
    series_key: int
    number: int | None
    player_id: str | None
    at_once: int
    joined_at: int
    name: str | None
    program: bool | None


_entry, _player, _series = SeriesEntry.__table__, Player.__table__, Series.__table__
_OWN = [name for name in EntryRow._fields if name not in {"name", "program"}]
_ENTRIES = select(*(_entry.c[name] for name in _OWN), _player.c.name, _player.c.program).outerjoin(
    _player, _player.c.id == _entry.c.player_id
)


def of_series(series_key: int) -> list[EntryRow]:
    """Everybody in a series: places by number, then the substitutes; before the first round, all in the order of
    joining.
    """
    query = _ENTRIES.where(_entry.c.series_key == series_key)
    found = rows(EntryRow, query.order_by(_entry.c.key))
    return sorted(found, key=lambda each: (each.number is None, each.number or 0))


def number_in(series_key: int) -> int:
    """The number of people in a series, including its substitutes."""
    here = (_entry.c.series_key == series_key) & _entry.c.player_id.is_not(None)
    return db.session.scalar(select(func.count()).where(here)) or 0


def numbers_in(series_keys: Collection[int]) -> dict[int, int]:
    """The numbers of people in these series by their keys; a series that nobody is in is left out."""
    here = _entry.c.series_key.in_(series_keys) & _entry.c.player_id.is_not(None)
    query = select(_entry.c.series_key, func.count().label("people")).where(here)
    found = db.session.execute(query.group_by(_entry.c.series_key))
    return {each.series_key: each.people for each in found}


def mine(row: SeriesRow, player_id: str | None) -> EntryRow | None:
    """The entry of a player, who has a place or is a substitute; None for anybody else."""
    return next(
        (each for each in of_series(row.key) if player_id and each.player_id == player_id), None
    )


def join(runtime: Runtime, row: SeriesRow, player_id: str, wish: Json) -> bool:
    """Join a series with `wish["at_once"]`, or change that number; return whether the entry is new.

    The caller has locked the series, and owns the commit. Raises NotForGuests for a guest, NotPossible if the series is
    over or there are too many entries, and, unless `wish["anyway"]`, KeptApart if a block separates the player from
    somebody there.
    """
    if row.status == "over":
        raise NotPossible("series-over")
    before, at_once = mine(row, player_id), wish.get("at_once", 1)
    if before is not None:
        if "at_once" in wish:
            this = update(SeriesEntry).where(_entry.c.key == before.key)
            db.session.execute(this.values(at_once=at_once))
        return False
    refuse_guests(player_id)
    players.prevent_erasure(player_id)
    _refuse_too_many(row, player_id)
    there = [each.player_id for each in of_series(row.key) if each.player_id]
    if not wish.get("anyway") and blocks.between([*there, player_id], player_id):
        raise KeptApart
    new = {"id": runtime.new_id("j"), "series_key": row.key, "player_id": player_id}
    new |= {"at_once": at_once, "joined_at": runtime.now()}
    db.session.execute(insert(SeriesEntry).values(new))
    fill_vacant(row.key)
    return True


def _refuse_too_many(row: SeriesRow, player_id: str) -> None:
    if number_in(row.key) >= MOST_ENTRIES:
        raise NotPossible("series-full")
    joined = select(func.count()).join(_series, _series.c.key == _entry.c.series_key)
    open_ones = joined.where(_entry.c.player_id == player_id, _series.c.status != "over")
    if (db.session.scalar(open_ones) or 0) >= MOST_JOINED:
        raise NotPossible("series-joined")


def leave(row: SeriesRow, player_id: str) -> None:
    """Leave a series; a substitute takes the place. The caller has locked the series, and owns the commit.

    Games that have begun stay the player's. Raises NotFound if the player is not in the series.
    """
    found = mine(row, player_id)
    if found is None:
        raise NotFound
    _give_up([found])
    fill_vacant(row.key)


def _give_up(given_up: list[EntryRow]) -> None:
    for each in given_up:
        this = _entry.c.key == each.key
        if each.number is None:
            db.session.execute(delete(SeriesEntry).where(this))
        else:
            db.session.execute(update(SeriesEntry).where(this).values(player_id=None, at_once=1))


def fill_vacant(series_key: int) -> None:
    """Give vacant places to substitutes, in the order in which they joined. The caller owns the commit."""
    found = of_series(series_key)
    vacant = [each for each in found if each.number is not None and each.player_id is None]
    if any(each.number is not None for each in found):
        waiting = [each for each in found if each.number is None]
        for place, substitute in zip(vacant, waiting, strict=False):
            db.session.execute(delete(SeriesEntry).where(_entry.c.key == substitute.key))
            taken = {"player_id": substitute.player_id, "at_once": substitute.at_once}
            db.session.execute(update(SeriesEntry).where(_entry.c.key == place.key).values(taken))


def give_numbers(order: list[EntryRow]) -> None:
    """Give the places their numbers, in this order. The caller owns the commit."""
    for number, each in enumerate(order):
        this = update(SeriesEntry).where(_entry.c.key == each.key)
        db.session.execute(this.values(number=number))


def vacate_strangers(row: SeriesRow) -> None:
    """Take the places of people who are no longer in the circle of the series. The caller owns the commit."""
    if row.circle_key is None:
        return
    there = (CircleMember.circle_key == row.circle_key) & CircleMember.removed_at.is_(None)
    members = set(db.session.scalars(select(CircleMember.player_id).where(there)))
    found = [each for each in of_series(row.key) if each.player_id]
    _give_up([each for each in found if each.player_id not in members])
    fill_vacant(row.key)


def exported(player_id: str) -> list[Json]:
    """The series in which the player is, for the export."""
    query = select(_series.c.name, _series.c.season, _entry.c.joined_at, _entry.c.at_once)
    found = query.join(_series, _series.c.key == _entry.c.series_key)
    return exported_rows(found.where(_entry.c.player_id == player_id).order_by(_entry.c.key))


def erase(player_id: str) -> None:
    """Give up all places of the player. The caller owns the commit."""
    found = rows(EntryRow, _ENTRIES.where(_entry.c.player_id == player_id).order_by(_entry.c.key))
    _give_up(found)
    for each in found:
        fill_vacant(each.series_key)
