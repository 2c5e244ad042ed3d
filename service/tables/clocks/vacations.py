"""Vacations: whole days on which none of a player's clocks run, at most 30 a year.

The player's tables show the next vacation as soon as it is planned. Everybody there gets an email a day before it
begins, so it has to be planned by then.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import NamedTuple

from sqlalchemy import Select, delete, insert, select, update

from rules.kernel import Json
from service.core.database.database import columns, db, rows, transaction
from service.core.models.games import Seat, Tenure
from service.core.models.mail import Outbox
from service.core.models.people import Vacation, VacationAnswers
from service.core.runtime.problems import InvalidVacation, NotFound
from service.core.runtime.time_and_random import Runtime
from service.outbox import queue
from service.outbox.causes import announcements
from service.people import players
from service.people.accounts import preferences
from service.tables.clocks import own_answers, seat_clocks

DAYS_A_YEAR = 30
"""The days of vacation that a player has in a calendar year."""
MOST_DAYS_AHEAD = 366
"""The most days from today to the first day of a vacation."""
ONE_DAY = timedelta(days=1)
ALL, ORDERS, NOTHING = "all", "orders", "nothing"
"""Names for the answers that the service gives for a player on vacation: those of standing orders and only moves, those
of orders alone, or none.
"""
ANSWERS: dict[str, VacationAnswers | None] = {ALL: None, ORDERS: "orders", NOTHING: "nothing"}
"""The stored form of each name."""


class VacationRow(NamedTuple):
    """A vacation: its days as ISO dates, and the period that they span (ms UTC)."""

    id: str
    player_id: str
    first: str
    last: str
    begins_at: int
    ends_at: int
    answers: VacationAnswers | None

    @property
    def allows(self) -> str:
        """The name (of ANSWERS) for the answers that the service gives for the player on these days."""
        return self.answers or ALL


class Days(NamedTuple):
    """The first and the last day, both included."""

    first: date
    last: date

    def of(self, year: int) -> int:
        """How many of these days are in this year."""
        first, last = max(self.first, date(year, 1, 1)), min(self.last, date(year, 12, 31))
        return max(0, (last - first).days + 1)


def plan(runtime: Runtime, player_id: str, days: Days, answers: str = ALL) -> VacationRow:
    """Plan a vacation, and return it. `answers` is the name (of ANSWERS) for the answers that the service gives
    meanwhile. Raises InvalidVacation.
    """
    zone, now = preferences.time_zone(players.get(player_id)), runtime.now()
    span = span_of(days, zone, now)
    with transaction():
        # Locking the games and the player keeps anybody from planning two vacations at once.
        seat_clocks.set_vacation(now, player_id, span)
        check(of_player(player_id), days, now)
        first, last = days.first.isoformat(), days.last.isoformat()
        row = VacationRow(runtime.new_id("v"), player_id, first, last, *span, ANSWERS[answers])
        db.session.execute(insert(Vacation).values(row._asdict()))
        announcements.vacation_planned(runtime, row.id)
        return row


def span_of(days: Days, zone: tzinfo, now: int) -> tuple[int, int]:
    """The beginning and end of these days (ms UTC). Raises InvalidVacation for impossible days."""
    ahead, number = (days.first - today(now, zone)).days, (days.last - days.first).days + 1
    if number < 1:
        raise InvalidVacation(why="backwards")
    if number > 2 * DAYS_A_YEAR:  # all that two years allow
        raise InvalidVacation(why="too-long")
    if ahead > MOST_DAYS_AHEAD:
        raise InvalidVacation(why="too-far")
    if ahead < 1 or midnight(days.first, zone) - now < announcements.VACATION_NOTICE:
        raise InvalidVacation(why="too-soon")
    return midnight(days.first, zone), midnight(days.last + ONE_DAY, zone)


def check(others: list[VacationRow], days: Days, now: int) -> None:
    """Raise InvalidVacation if another vacation is planned already, or too few days are left."""
    if any(row.ends_at > now for row in others):
        raise InvalidVacation(why="planned")
    for year in {days.first.year, days.last.year}:
        if days.of(year) > days_left(others, year):
            raise InvalidVacation(why="too-long")


def end(runtime: Runtime, player_id: str, vacation_id: str) -> None:
    """Cancel a vacation, or end it early: unused days no longer count. Raises NotFound.

    If it has postponed a deadline, all its days count as used, because the deadline stays.
    """
    now = runtime.now()
    zone = preferences.time_zone(players.get(player_id))
    with transaction():
        row = next((each for each in of_player(player_id) if each.id == vacation_id), None)
        if row is None or row.ends_at <= now:
            raise NotFound
        seat_clocks.set_vacation(now, player_id, None)
        if row.begins_at <= now:
            own_answers.wait_anew(now, Seat.tenure_id.in_(tenures_of(player_id)))
        queue.cancel(runtime, Outbox.key.like(f"told % away % {vacation_id}"))
        seats = seat_clocks.timed_seats(Tenure.player_id == player_id)
        has_postponed = any(seat.due is not None and seat.due >= row.ends_at for seat in seats)
        this = Vacation.id == vacation_id
        if row.begins_at > now and not has_postponed:
            db.session.execute(delete(Vacation).where(this))
            return
        last = row.last if has_postponed else max(row.first, today(now, zone).isoformat())
        span = {"begins_at": min(row.begins_at, now), "ends_at": now}
        db.session.execute(update(Vacation).where(this).values(last=min(row.last, last), **span))


def tenures_of(player_id: str) -> Select[str]:
    """The query for the ids of the player's present tenures."""
    return select(Tenure.id).where(Tenure.player_id == player_id, Tenure.ended_at.is_(None))


def present(player_id: str, now: int) -> VacationRow | None:
    """The vacation that a player is on at the time `now`; None if they are on none."""
    return next((row for row in of_player(player_id) if row.begins_at <= now < row.ends_at), None)


def of_player(player_id: str) -> list[VacationRow]:
    """The vacations of a player, the latest first."""
    query = select(*columns(VacationRow, Vacation.__table__)).where(Vacation.player_id == player_id)
    return rows(VacationRow, query.order_by(Vacation.begins_at.desc()))


def days_left(vacations: list[VacationRow], year: int) -> int:
    """The number of days left in a year after these vacations."""
    days = (Days(date.fromisoformat(row.first), date.fromisoformat(row.last)) for row in vacations)
    return max(0, DAYS_A_YEAR - sum(each.of(year) for each in days))


def midnight(day: date, zone: tzinfo) -> int:
    """The beginning of a day (ms UTC), which is a little after midnight if the clocks skip midnight."""
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp() * 1000)


def today(now: int, zone: tzinfo) -> date:
    """Today's date in a time zone."""
    return datetime.fromtimestamp(now / 1000, UTC).astimezone(zone).date()


def exported(player_id: str) -> list[Json]:
    """The player's vacations, for the export."""
    return [
        {"first": row.first, "last": row.last, "answers": row.allows}
        for row in of_player(player_id)
    ]


def erase(player_id: str) -> None:
    """Delete the player's vacations. The caller owns the commit."""
    db.session.execute(delete(Vacation).where(Vacation.player_id == player_id))
