"""Vacations: whole days on which no clock of a person runs. At most 30 a year, told to the tables a day ahead.

The tables see the next one as soon as it is planned; who only reads mail is written to a day before it begins, which is
why it is planned by then.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, NamedTuple

from sqlalchemy import delete, insert, select, update

from rules.kernel import Json
from service import notices, outbox, people, settings, waits
from service.database import db, transaction
from service.models import Tenure
from service.models_mail import Outbox
from service.models_people import Vacation
from service.outside import Outside
from service.problems import InvalidVacation, NotFound

DAYS = 30
"""Of a calendar year."""
NOTICE = notices.NOTICE
"""Ms before it begins at which a vacation is planned at the latest."""
AHEAD = 366
"""Days from now within which it begins."""
ONE_DAY = timedelta(days=1)

_vacation = Vacation.metadata.tables["vacations"]


class Days(NamedTuple):
    """From the first day to the last one, both included."""

    first: date
    last: date

    def of(self, year: int) -> int:
        """How many of them are in this year."""
        first, last = max(self.first, date(year, 1, 1)), min(self.last, date(year, 12, 31))
        return max(0, (last - first).days + 1)


def plan(outside: Outside, player_id: str, days: Days) -> Any:
    """Plan a vacation; its row. Raises InvalidVacation."""
    zone, now = settings.zone(people.find(player_id)), outside.now()
    span = span_of(days, zone, now)
    with transaction():
        waits.go_away(now, player_id, span)  # locks games and player: nobody plans twice at once
        check(player_id, days, now)
        row = _add(outside, player_id, days, span)
        notices.away(outside, row)
        return row


def span_of(days: Days, zone: tzinfo, now: int) -> tuple[int, int]:
    """When these days begin and end (ms UTC). Raises InvalidVacation for days that nobody could take."""
    ahead, number = (days.first - today(now, zone)).days, (days.last - days.first).days + 1
    if number < 1:
        raise InvalidVacation(why="backwards")
    if number > 2 * DAYS:  # in two years
        raise InvalidVacation(why="too-long")
    if ahead > AHEAD:
        raise InvalidVacation(why="too-far")
    if ahead < 1 or midnight(days.first, zone) - now < NOTICE:
        raise InvalidVacation(why="too-soon")
    return midnight(days.first, zone), midnight(days.last + ONE_DAY, zone)


def check(player_id: str, days: Days, now: int) -> None:
    """That there is no other one planned, and days enough are left. Raises InvalidVacation."""
    others = of(player_id)
    if any(row.ends_at > now for row in others):
        raise InvalidVacation(why="planned")
    for year in {days.first.year, days.last.year}:
        if days.of(year) > left(others, year):
            raise InvalidVacation(why="too-long")


def _add(outside: Outside, player_id: str, days: Days, span: tuple[int, int]) -> Any:
    row: Json = {
        "id": outside.new_id("v"),
        "player_id": player_id,
        "first": days.first.isoformat(),
        "last": days.last.isoformat(),
        "begins_at": span[0],
        "ends_at": span[1],
    }
    db.session.execute(insert(_vacation).values(row))
    return _one(player_id, row["id"])


def end(outside: Outside, player_id: str, vacation_id: str) -> None:
    """Call a vacation off, or come back early: the days that are not used count no longer. Raises NotFound.

    They are used if a due time reckons with them: it stays where it is, so else days would come for nothing.
    """
    now = outside.now()
    zone = settings.zone(people.find(player_id))
    with transaction():
        row = _one(player_id, vacation_id)
        if row is None or row.ends_at <= now:
            raise NotFound
        waits.go_away(now, player_id, None)
        outbox.cancel(outside, Outbox.key.like(f"told % vacation {vacation_id}"))
        reckoned, this = _reckoned_with(row), _vacation.c.id == vacation_id
        if row.begins_at > now and not reckoned:
            db.session.execute(delete(_vacation).where(this))
            return
        last = row.last if reckoned else max(row.first, today(now, zone).isoformat())
        span = {"begins_at": min(row.begins_at, now), "ends_at": now}
        db.session.execute(update(_vacation).where(this).values(last=min(row.last, last), **span))


def _reckoned_with(vacation: Any) -> bool:
    """Whether a due time of the player has been told that lies behind this vacation."""
    seats = waits.standing(Tenure.player_id == vacation.player_id)
    return any(seat.due >= vacation.ends_at for seat in seats)


def of(player_id: str) -> list[Any]:
    """The vacations of a player, the latest first."""
    query = select(_vacation).where(_vacation.c.player_id == player_id)
    return list(db.session.execute(query.order_by(_vacation.c.begins_at.desc())))


def left(taken: list[Any], year: int) -> int:
    """How many days of a year are left, with these vacations taken."""
    days = (Days(date.fromisoformat(row.first), date.fromisoformat(row.last)) for row in taken)
    return max(0, DAYS - sum(each.of(year) for each in days))


def midnight(day: date, zone: tzinfo) -> int:
    """When a day begins (ms UTC); where the clocks skip midnight, a little later."""
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp() * 1000)


def today(now: int, zone: tzinfo) -> date:
    """The day that it is."""
    return datetime.fromtimestamp(now / 1000, UTC).astimezone(zone).date()


def _one(player_id: str, vacation_id: str) -> Any | None:
    query = select(_vacation).where(
        _vacation.c.id == vacation_id, _vacation.c.player_id == player_id
    )
    return db.session.execute(query).one_or_none()
