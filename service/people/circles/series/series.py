"""Series as the database has them: who may see, set up and end one, how many there can be, how long they are kept.

A series belongs to a circle, and then only its members see it, or the operator has set it up, and everybody may see it.
Each season is a separate series. Locks are taken in one order: tables, series, players, circles.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Select, delete, func, insert, or_, select, text, update

from rules.kernel import Json
from service.core.counts import attempt_counts
from service.core.counts.attempt_counts import Attempt, Limit
from service.core.database.database import (
    Moment,
    changed_rows,
    columns,
    db,
    delete_some,
    one_row,
    rows,
)
from service.core.models.circles import (
    NOT_OVER,
    Circle,
    CircleMember,
    Series,
    SeriesStatus,
    SeriesSystem,
)
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotHostOfCircle, NotPossible
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.units import DAY, MINUTE
from service.people import names
from service.people.circles import circles
from service.people.circles.series.round_robin import MOST_PEOPLE, cycle_length

LONGEST_NAME = 40
"""The greatest length of the name of a series, in characters."""
MOST_ROUNDS = 24
MOST_ROUND_DAYS = 60
"""The largest number of days after which a round can end automatically."""
LONGEST_WAIT = 90 * DAY
"""The longest time (ms) from now until a series begins."""
BETWEEN_SEASONS = 7 * DAY
"""The time (ms) for which people can join the next season before it begins."""
MOST_SERIES = 3
"""The largest number of series of a circle that are not over."""
MOST_LISTED = 100
"""The largest number of series in a list."""
SET_UP_BY = Limit("series by", 5, DAY)
LOOKED_AT_AFTER = MINUTE
"""The time (ms) after which a worker checks again whether games of a series are over."""
KEPT = 730 * DAY
"""The time (ms) for which a finished series is kept."""
KEPT_IF_NOT_BEGUN = 30 * DAY
"""The time (ms) for which a series is kept that was over before its first round."""


class SeriesRow(NamedTuple):
    """A season of a series (see core/models/circles.py)."""

    key: int
    id: str
    circle_key: int | None
    player_id: str | None
    name: str
    wish: Json
    rounds: int | None
    round_days: int
    repeats: bool
    season: int
    status: SeriesStatus
    system: SeriesSystem | None
    round: int
    ends_at: int
    look_at: int
    created_at: int
    ended_at: int | None


_series, _member = Series.__table__, CircleMember.__table__
_SERIES = select(*columns(SeriesRow, _series))


def rounds_for(people: int, sizes: tuple[int, ...]) -> int:
    """The number of rounds that suits this number of people at tables of these sizes.

    In a round-robin everybody then meets everybody as equally as possible; a Swiss series finds its best player.
    """
    if people <= MOST_PEOPLE:
        return cycle_length(people, sizes)
    return min(MOST_ROUNDS, math.ceil(math.log2(people)) + 1)


def find(series_id: str, *, lock: bool = False) -> SeriesRow:
    """The series with this id, for code that has checked who may know of it. Raises NotFound if there is none."""
    found = find_one(series_id, lock=lock)
    if found is None:
        raise NotFound
    return found


def find_one(series_id: str, *, lock: bool = False) -> SeriesRow | None:
    """The series with this id, or None if there is none."""
    query = _SERIES.where(_series.c.id == series_id)
    return one_row(SeriesRow, query.with_for_update() if lock else query)


def seen(series_id: str, player_id: str | None, *, lock: bool = False) -> SeriesRow:
    """The series with this id, if this player may see it.

    Raises NotFound if there is none, or for strangers to its circle.
    """
    found = find(series_id, lock=lock)
    if found.circle_key is None:
        return found
    if player_id is None or not circles.is_member(found.circle_key, player_id, lock=lock):
        raise NotFound
    return found


def listed(player_id: str | None) -> list[SeriesRow]:
    """The series that a player (None: a visitor) may see, the latest first."""
    mine = select(_member.c.circle_key).where(
        _member.c.player_id == player_id, _member.c.removed_at.is_(None)
    )
    which = or_(_series.c.circle_key.is_(None), _series.c.circle_key.in_(mine))
    query = _SERIES.where(which).order_by(_series.c.key.desc()).limit(MOST_LISTED)
    return rows(SeriesRow, query)


def of_circle(circle_key: int) -> list[SeriesRow]:
    """The series of a circle, the latest first, for code that has checked that the reader is a member."""
    query = _SERIES.where(_series.c.circle_key == circle_key).order_by(_series.c.key.desc())
    return rows(SeriesRow, query.limit(MOST_LISTED))


def circle_ids_of(found: Sequence[SeriesRow]) -> dict[int | None, str]:
    """The ids of the circles of these series, by their keys."""
    keys = {each.circle_key for each in found if each.circle_key is not None}
    query = select(Circle.key, Circle.id).where(Circle.key.in_(keys))
    return {each.key: each.id for each in db.session.execute(query)} if keys else {}


def circle_id_of(row: SeriesRow) -> str | None:
    """The id of the circle of a series; None if it is for everybody."""
    return db.session.scalar(select(Circle.id).where(Circle.key == row.circle_key))


def is_lead(row: SeriesRow, player_id: str) -> bool:
    """Whether a player may end the series, having set it up or being the host of its circle."""
    if row.circle_key is None:
        return False
    host = select(Circle.host_id).where(Circle.key == row.circle_key)
    return player_id in {row.player_id, db.session.scalar(host)}


def admit_another(runtime: Runtime, secret: bytes, circle_key: int, player_id: str) -> None:
    """Count one more series of a circle, which the caller has locked.

    Raises NotPossible if the circle has too many series, and TooManyRequests if the player has set up too many in a
    day.
    """
    here = (_series.c.circle_key == circle_key) & (_series.c.status != "over")
    if (db.session.scalar(select(func.count()).where(here)) or 0) >= MOST_SERIES:
        raise NotPossible("series")
    attempt_counts.count_within(runtime, secret, [Attempt(SET_UP_BY, player_id)])


def insert_series(runtime: Runtime, terms: Json) -> SeriesRow:
    """Open a series with these columns for people to join until `starts_at` (ms UTC); return its row.

    The caller owns the commit. Raises UnusableName if no series may have the name.
    """
    now = runtime.now()
    starts_at = max(now, terms["starts_at"])
    new = {name: value for name, value in terms.items() if name != "starts_at"}
    row: Json = {
        "season": 1,
        **new,
        "id": runtime.new_id("e"),
        "name": names.usable(terms["name"]),
        "status": "open",
        "ends_at": starts_at,
        "look_at": starts_at,
        "created_at": now,
    }
    db.session.execute(insert(Series).values(row))
    return find(row["id"])


def due(now: Moment) -> Select[str]:
    """The query for the ids of the series that a worker has to look at, the longest waiting first."""
    waiting = text(f"series.{NOT_OVER}") & (_series.c.look_at <= now)
    return select(_series.c.id).where(waiting).order_by(_series.c.look_at)


def claim(runtime: Runtime, row: SeriesRow) -> int | None:
    """Set the time of the next look and return it (ms UTC); None if another worker was first.

    The caller owns the commit.
    """
    this = (_series.c.key == row.key) & (_series.c.look_at == row.look_at)
    later = runtime.now() + LOOKED_AT_AFTER
    at = later if row.status == "open" else min(later, max(row.ends_at, runtime.now() + 1))
    return at if changed_rows(update(Series).where(this).values(look_at=at)) else None


def change(row: SeriesRow, changed: Json) -> SeriesRow:
    """Change columns of a series; return its changed row. The caller owns the commit."""
    db.session.execute(update(Series).where(_series.c.key == row.key).values(changed))
    return row._replace(**changed)


def end(runtime: Runtime, row: SeriesRow) -> None:
    """End a series: one without rounds is deleted, any other keeps its standings. The caller owns the commit."""
    if row.status == "open":
        db.session.execute(delete(Series).where(_series.c.key == row.key))
    elif row.status == "running":
        change(row, {"status": "over", "ended_at": runtime.now()})


def refuse_all_but_lead(row: SeriesRow, player_id: str) -> None:
    """Raise NotHostOfCircle unless this player may end the series."""
    if not is_lead(row, player_id):
        raise NotHostOfCircle


def purge(now: int, most: int) -> int:
    """Delete up to `most` series that have long been over; return their number."""
    over = _series.c.ended_at <= now - KEPT_IF_NOT_BEGUN
    gone = or_(_series.c.round == 0, _series.c.ended_at <= now - KEPT)
    return delete_some(_series, most, over, gone)


def exported(player_id: str) -> list[Json]:
    """The series that the player has set up, for the export."""
    query = select(_series.c.name, _series.c.season, _series.c.wish, _series.c.created_at)
    return exported_rows(query.where(_series.c.player_id == player_id).order_by(_series.c.key))


def erase(player_id: str) -> None:
    """Take the player's name from the series that they have set up, which continue. The caller owns the commit."""
    mine = update(Series).where(_series.c.player_id == player_id)
    db.session.execute(mine.values(player_id=None))
