"""Weekly tables of circles: the day and time at which each opens, in the time zone of the member who set it up.

The time of day stays the same when daylight saving time begins or ends. A time that the clocks skip counts as that much
later; of a time that comes twice, the first is meant.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, time, timedelta, tzinfo
from typing import NamedTuple

from sqlalchemy import Select, delete, func, insert, select, update

import rules
from rules.kernel import Json
from service.core.database.database import Moment, changed_rows, columns, db, one_row, rows
from service.core.models.circles import Circle, CircleWeekly
from service.core.runtime.exports import exported_rows
from service.core.runtime.problems import NotFound, NotHostOfCircle, NotPossible, UnknownTimeZone
from service.core.runtime.time_and_random import Runtime
from service.core.runtime.time_zones import time_zone_of, time_zones
from service.people.circles.circles import Membership

MOST_WEEKLIES = 5
"""The largest number of weekly tables of a circle."""
MOST_OF_PERSON = 10
"""The largest number of weekly tables, in all circles, that one person has set up."""
MOST_UNUSED = 4
"""The number of consecutive tables at which nobody has sat down after which no more are opened."""


class WeeklyRow(NamedTuple):
    """A weekly table (see core/models/circles.py)."""

    id: str
    circle_key: int
    player_id: str | None
    weekday: int
    at: str
    time_zone: str
    wish: Json
    next_at: int
    game_key: int | None
    unused: int


_weekly = CircleWeekly.__table__
_WEEKLIES = select(*columns(WeeklyRow, _weekly))


def next_time(after: int, weekday: int, at: str, where: tzinfo) -> int:
    """The next time (ms UTC) after `after` at which it is that weekday and that time of day in this time zone.

    Raises ValueError for a weekday other than 1 to 7.
    """
    today = datetime.fromtimestamp(after / 1000, where).date()
    for days in range(9):
        day = today + timedelta(days=days)
        if day.isoweekday() == weekday:
            opens = datetime.combine(day, time.fromisoformat(at), where)
            moment = round(opens.timestamp() * 1000)
            if moment > after:
                return moment
    raise ValueError(f"no such day: {weekday}")


def of_circle(circle_key: int) -> list[WeeklyRow]:
    """The weekly tables of a circle, the next one first; tables of rulesets that are unknown here are left out."""
    query = _WEEKLIES.where(_weekly.c.circle_key == circle_key)
    found = rows(WeeklyRow, query.order_by(_weekly.c.next_at, _weekly.c.id))
    return [each for each in found if rules.versions(each.wish.get("ruleset", ""))]


def add(runtime: Runtime, maker: Membership, terms: Json, wish: Json) -> WeeklyRow:
    """Let a table open each week, at the `weekday`, `time` and `time_zone` of the terms; return its row.

    The caller has locked the player and the circle, and owns the commit. Raises NotPossible if the circle or the player
    has too many weekly tables, and UnknownTimeZone if there is no such time zone.
    """
    if len(of_circle(maker.key)) >= MOST_WEEKLIES:
        raise NotPossible("weeklies")
    own = select(func.count()).where(_weekly.c.player_id == maker.player_id)
    if (db.session.scalar(own) or 0) >= MOST_OF_PERSON:
        raise NotPossible("own-weeklies")
    if terms["time_zone"] not in time_zones():
        raise UnknownTimeZone
    where = time_zone_of(terms["time_zone"])
    next_at = next_time(runtime.now(), terms["weekday"], terms["time"], where)
    new: Json = {"id": runtime.new_id("y"), "circle_key": maker.key, "player_id": maker.player_id}
    row = WeeklyRow(
        **new,
        weekday=terms["weekday"],
        at=terms["time"],
        time_zone=terms["time_zone"],
        wish=wish,
        next_at=next_at,
        game_key=None,
        unused=0,
    )
    db.session.execute(insert(CircleWeekly).values(row._asdict()))
    return row


def remove(member: Membership, weekly_id: str) -> WeeklyRow:
    """Stop opening a table, as the host or as the member who set it up; return its row. The caller owns the commit.

    Raises NotFound if there is no such table, and NotHostOfCircle for other members.
    """
    here = (_weekly.c.id == weekly_id) & (_weekly.c.circle_key == member.key)
    found = one_row(WeeklyRow, _WEEKLIES.where(here))
    if found is None:
        raise NotFound
    if not member.is_host and found.player_id != member.player_id:
        raise NotHostOfCircle
    end(weekly_id)
    return found


def end(weekly_id: str) -> None:
    """Stop opening a table each week. The caller owns the commit."""
    db.session.execute(delete(CircleWeekly).where(_weekly.c.id == weekly_id))


def due(now: Moment, besides: Collection[str] = ()) -> Select[str]:
    """The query for the ids of the weekly tables that are to open, without those in `besides`, the earliest first."""
    found = select(_weekly.c.id).where(_weekly.c.next_at <= now).order_by(_weekly.c.next_at)
    return found.where(_weekly.c.id.not_in(besides)) if besides else found


def find(weekly_id: str) -> WeeklyRow | None:
    """The weekly table with this id; None if there is none."""
    return one_row(WeeklyRow, _WEEKLIES.where(_weekly.c.id == weekly_id))


def claim(runtime: Runtime, row: WeeklyRow) -> bool:
    """Set the time at which the table opens next; return False if another worker was first.

    The caller owns the commit.
    """
    next_at = next_time(runtime.now(), row.weekday, row.at, time_zone_of(row.time_zone))
    this = (_weekly.c.id == row.id) & (_weekly.c.next_at == row.next_at)
    return changed_rows(update(CircleWeekly).where(this).values(next_at=next_at)) == 1


def note_opened(row: WeeklyRow, game_key: int | None, unused: int) -> None:
    """Note the table that has opened. The caller owns the commit."""
    this = update(CircleWeekly).where(_weekly.c.id == row.id)
    db.session.execute(this.values(game_key=game_key, unused=unused))


def exported(player_id: str) -> list[Json]:
    """The weekly tables that the player has set up, for the export."""
    terms = (_weekly.c[name] for name in ("weekday", "time_zone", "wish", "next_at"))
    query = select(Circle.name.label("circle"), *terms, _weekly.c.at.label("time"))
    mine = query.join(Circle, Circle.key == _weekly.c.circle_key)
    mine = mine.where(_weekly.c.player_id == player_id)
    return exported_rows(mine.order_by(_weekly.c.id))


def erase(player_id: str) -> None:
    """Take the player's name from the weekly tables that they set up, which continue. The caller owns the commit."""
    mine = update(CircleWeekly).where(_weekly.c.player_id == player_id)
    db.session.execute(mine.values(player_id=None))
