"""Quiet hours: times of the day, in somebody's own time zone, in which nothing is mailed and no deadline falls.

A deadline that would fall into them moves to their end, and no further: moving it once more changes nothing. Hours go
by the clock on the wall, so that daylight saving makes a night an hour longer or shorter. Pure functions of ms (UTC).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Protocol
from zoneinfo import ZoneInfo

from service.clocks.arithmetic import Entry, Wait
from service.core.units import SECOND

LONGEST = 12 * 60
"""The most minutes that quiet hours can last."""
A_DAY = 24 * 60


class Quiet(Protocol):
    """Somebody who may have quiet hours."""

    @property
    def quiet(self) -> str | None:
        """From and until: `22:00-07:00`; None: there are none."""

    @property
    def time_zone(self) -> str | None:
        """The name of the time zone; None: UTC."""


class QuietHours(NamedTuple):
    """From and until, in minutes after midnight; until is before from if midnight lies between them."""

    begin: int
    end: int

    def covers(self, minute: int) -> bool:
        """Whether they include this minute of the day."""
        if self.begin < self.end:
            return self.begin <= minute < self.end
        return minute >= self.begin or minute < self.end


def parse(text: str) -> QuietHours:
    """`22:00-07:00`."""
    begin, end = (int(each[:2]) * 60 + int(each[3:]) for each in text.split("-"))
    return QuietHours(begin, end)


def is_allowed(text: str) -> bool:
    """Whether they last at least a minute and at most LONGEST."""
    hours = parse(text)
    return 0 < (hours.end - hours.begin) % A_DAY <= LONGEST


def end_of_quiet(person: Quiet, at: int) -> int:
    """When somebody can be reached again at the time `at`: the end of the quiet hours, or `at` outside them."""
    if person.quiet is None:
        return at
    zone = ZoneInfo(person.time_zone) if person.time_zone else UTC
    hours, local = parse(person.quiet), datetime.fromtimestamp(at / SECOND, zone)
    minute = local.hour * 60 + local.minute
    if not hours.covers(minute):
        return at
    is_tomorrow = hours.end < hours.begin <= minute
    day = local.date() + timedelta(days=is_tomorrow)
    wall = datetime(day.year, day.month, day.day, *divmod(hours.end, 60), tzinfo=zone)
    ends = (int(wall.replace(fold=fold).timestamp() * SECOND) for fold in (0, 1))
    return next((end for end in ends if end > at), at)


def after_quiet(wait: Wait, person: Quiet) -> tuple[Wait, list[Entry]]:
    """The clock with a deadline outside the quiet hours, and the reason for it if that has moved it."""
    if wait.due is None:
        return wait, []
    due = end_of_quiet(person, wait.due)
    if due == wait.due:
        return wait, []
    moved = wait._replace(due=due)
    return moved, [Entry("quiet", due - wait.due, moved)]
