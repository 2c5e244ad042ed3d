"""Quiet hours: times of the day, in somebody's own time zone, in which nothing is mailed and no deadline falls.

A deadline that would fall into them moves to their end, and no further: only of a question that comes in them, which
nobody is told of before they end, it leaves some time to answer after that. Everything else that happens to a clock is
reckoned from the deadline that it has without quiet hours, its *plain* one: neither what is charged nor a later
deadline builds on time that quiet hours have added, however often they are changed. Hours go by the clock on the wall,
so that daylight saving makes a night an hour longer or shorter. Pure functions of ms (UTC).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from typing import Protocol

from service.core.runtime.time_zones import time_zone_of
from service.core.runtime.units import HOUR, SECOND
from service.outbox.causes.after_move import ONLINE_DELAY
from service.tables.clocks import arithmetic
from service.tables.clocks.arithmetic import ClockEntry, Moment, Pace, QuestionChange, Span, Wait

LONGEST = 12 * 60
"""The most minutes that quiet hours can last."""
A_DAY = 24 * 60
TO_ANSWER = HOUR
"""Ms that are left to answer a question at least, after the quiet hours in which it came, if the pace gives so much."""


class Quiet(Protocol):
    """Somebody who may have quiet hours."""

    @property
    def quiet(self) -> str | None:
        """From and until: `22:00-07:00`; None: there are none."""

    @property
    def time_zone(self) -> str | None:
        """The name of the time zone; None: UTC."""


def _parsed(text: str) -> tuple[time, time]:
    """From and until of `22:00-07:00`; until is before from if midnight lies between them."""
    begin, end = map(time.fromisoformat, text.split("-"))
    return begin, end


def is_allowed(text: str) -> bool:
    """Whether they last at least a minute and at most LONGEST."""
    begin, end = _parsed(text)
    lasting = (end.hour - begin.hour) * 60 + end.minute - begin.minute
    return 0 < lasting % A_DAY <= LONGEST


def end_of_quiet(person: Quiet, at: int) -> int:
    """When somebody can be reached again at the time `at`: the end of the quiet hours, or `at` outside them."""
    if person.quiet is None:
        return at
    zone = time_zone_of(person.time_zone)
    (begin, end), local = _parsed(person.quiet), datetime.fromtimestamp(at / SECOND, zone)
    now = local.time()
    if not (begin <= now < end if begin < end else now >= begin or now < end):
        return at
    is_tomorrow = end < begin <= now
    wall = datetime.combine(local.date() + timedelta(days=is_tomorrow), end, zone)
    ends = (int(wall.replace(fold=fold).timestamp() * SECOND) for fold in (0, 1))
    return next((end for end in ends if end > at), at)


def plain(wait: Wait) -> Wait:
    """The clock as it is without quiet hours."""
    return wait if wait.due is None else wait._replace(due=wait.due - wait.moved, moved=0)


def moved_to(wait: Wait, due: int) -> Wait:
    """A plain clock with this deadline instead."""
    return wait._replace(due=due, moved=due - (wait.due or 0))


def after_quiet(wait: Wait, person: Quiet, away: Sequence[Span], told: int = 0) -> Wait:
    """A plain clock with its deadline outside the quiet hours, and not before the one that was told.

    It is not too soon after them if nobody is told before. What they add does not run during a vacation.
    """
    if wait.due is None:
        return wait
    due, mailed_at = end_of_quiet(person, wait.due), wait.since + ONLINE_DELAY
    told_at = end_of_quiet(person, mailed_at)
    if told_at > mailed_at:
        due = max(due, told_at + min(TO_ANSWER, wait.due - wait.since))
    added = due - wait.due
    return moved_to(wait, max(told, arithmetic.stretch(wait.due, added, away)))


def after_commit(
    pace: Pace, wait: Wait, change: QuestionChange, at: Moment, person: Quiet
) -> tuple[Wait, list[ClockEntry]]:
    """The clock of a seat after one commit, and the reasons for it, as `arithmetic.after` has them without them."""
    before = plain(wait)
    after, entries = arithmetic.after(pace, before, change, at)
    if not entries or after.due is None:
        return (after if entries else wait), entries
    told = (wait.due or 0) if change.waited and not change.decided else 0
    stays = told and after.due == before.due
    new = moved_to(after, told) if stays else after_quiet(after, person, at.away, told)
    return new, [*_shown(entries, told), *_added(new, max(told, after.due))]


def postponed(
    wait: Wait, person: Quiet, away: Sequence[Span], shown: int, change: Callable[[Wait], Wait]
) -> Wait:
    """The clock after a change of its deadline by something other than a move, when it showed the time `shown`.

    If only time is left that quiet hours have added, it is that time which is postponed.
    """
    before, all_of_it = plain(wait), change(wait)
    after = change(before)
    if wait.due is None or before.due is None or after.due is None or all_of_it.due is None:
        return after
    if shown >= before.due:
        return all_of_it
    if after.due == before.due:
        return moved_to(after, all_of_it.due)
    return after_quiet(after, person, away, told=wait.due)


def reasons(kind: str, before: Wait, after: Wait, ms: int | None = None) -> list[ClockEntry]:
    """Why the deadline has changed: by `kind` (by `ms`, or as much as it shows), and then by quiet hours."""
    if before.due is None or after.due is None:
        return [ClockEntry(kind, ms or 0, after)]
    alone = after.due - after.moved
    by = alone - (before.due - before.moved)
    is_moved = by and after.moved > before.moved
    due = max(before.due, alone) if is_moved else after.due
    ms = by or due - before.due if ms is None else ms
    return [ClockEntry(kind, ms, after._replace(due=due)), *_added(after, due)] if ms else []


def begun(kind: str, now: int, wait: Wait, person: Quiet, away: Sequence[Span]) -> list[ClockEntry]:
    """Why somebody who takes a seat now has the time of this plain clock, and what quiet hours add to it."""
    due = wait.due or now
    return [ClockEntry(kind, due - now, wait), *_added(after_quiet(wait, person, away), due)]


def _added(wait: Wait, due: int) -> list[ClockEntry]:
    """The reason for a deadline that quiet hours have moved from `due`."""
    added = (wait.due or 0) - due
    return [ClockEntry("quiet", added, wait)] if added > 0 else []


def _shown(entries: list[ClockEntry], told: int) -> list[ClockEntry]:
    """Reasons with the deadline that was told, where that is the later one."""
    return [
        each._replace(wait=each.wait._replace(due=max(each.wait.due, told)))
        if each.wait.due is not None
        else each
        for each in entries
    ]
