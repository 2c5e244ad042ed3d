"""Quiet hours: times of day, in a person's own time zone, in which nothing is mailed and no deadline falls.

A deadline that would fall into quiet hours moves to their end, and usually no further. Only if the question itself
comes during them, so that nobody is told of it before they end, some time to answer is left after that. Everything else
that happens to a clock is computed from the deadline that it would have without quiet hours, its *plain* deadline:
neither a charge nor a later deadline builds on time that quiet hours have added, however often they are changed. The
hours follow local time, so daylight saving makes a night an hour longer or shorter. If the table rests when they end,
the deadline moves to the end of that rest. The functions are pure, and count in ms (UTC).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Protocol

from service.core.runtime.time_zones import time_zone_of
from service.core.runtime.units import HOUR, SECOND
from service.log.table_rows.rests import Standstills, Stops, overlap, stretch
from service.outbox.causes.after_move import ONLINE_DELAY
from service.tables.clocks import arithmetic
from service.tables.clocks.arithmetic import ClockEntry, Moment, Pace, QuestionChange, Wait

LONGEST = 12 * 60
"""The most minutes that quiet hours can last."""
A_DAY = 24 * 60
TO_ANSWER = HOUR
"""The least time (ms) to answer after the quiet hours in which a question came, if the pace gives that much."""
MOST_NIGHTS = 14
"""The most quiet hours that are passed over in a row, each followed by a rest of the table that ends in the next quiet
hours.
"""


class Quiet(Protocol):
    """A person who may have quiet hours."""

    @property
    def quiet(self) -> str | None:
        """The beginning and end of the quiet hours, such as `22:00-07:00`; None if there are none."""

    @property
    def time_zone(self) -> str | None:
        """The name of the time zone; None means UTC."""


def _parsed(text: str) -> tuple[time, time]:
    """The beginning and the end of quiet hours such as `22:00-07:00`; the end is earlier if midnight lies
    between them.
    """
    begin, end = map(time.fromisoformat, text.split("-"))
    return begin, end


def is_allowed(text: str) -> bool:
    """Whether the quiet hours last at least a minute and at most LONGEST."""
    begin, end = _parsed(text)
    lasting = (end.hour - begin.hour) * 60 + end.minute - begin.minute
    return 0 < lasting % A_DAY <= LONGEST


def end_of_quiet(person: Quiet, at: int) -> int:
    """The next time at which somebody can be reached: the end of the quiet hours at the time `at`, or `at` outside of
    them.
    """
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
    """The clock without the effect of quiet hours."""
    return wait if wait.due is None else wait._replace(due=wait.due - wait.moved, moved=0)


def moved_to(wait: Wait, due: int) -> Wait:
    """A plain clock whose deadline quiet hours have moved to `due`."""
    return wait._replace(due=due, moved=due - (wait.due or 0))


def after_quiet(wait: Wait, person: Quiet, away: Stops, told: int = 0) -> Wait:
    """The clock with its deadline outside the quiet hours, and not before the deadline that was already `told`.

    If the person is told of the question only after the quiet hours, the deadline leaves some time to answer. Time that
    quiet hours add does not run during a vacation.
    """
    if wait.due is None:
        return wait
    due, mailed_at = _undisturbed(person, wait.due, away), wait.since + ONLINE_DELAY
    told_at = end_of_quiet(person, mailed_at)
    if told_at > mailed_at:
        due = max(due, _answerable(wait, told_at, away))
    return moved_to(wait, max(told, _present(person, wait.due, due, away)))


def _undisturbed(person: Quiet, at: int, away: Stops) -> int:
    """The end of the quiet hours at the time `at`, or of the rest in which they end; `at` itself outside of quiet
    hours.

    If the quiet hours begin before the table's rest ends, day after day, it is nevertheless the end of a rest.
    """
    if not isinstance(away, Standstills):
        return end_of_quiet(person, at)
    for _ in range(MOST_NIGHTS):
        end = end_of_quiet(person, at)
        if end == at:
            break
        at = away.rest.end(end)
    return at


def _answerable(wait: Wait, told_at: int, away: Stops) -> int:
    """The earliest deadline for a person who is told of the question only at `told_at`; `wait` is the plain clock."""
    begun, due = wait.since, wait.due or wait.since
    if not isinstance(away, Standstills):
        return told_at + min(TO_ANSWER, due - begun)
    given = due - begun - overlap((begun, due), away.rest)
    return stretch(told_at, min(TO_ANSWER, given), away.rest)


def _present(person: Quiet, plain_due: int, due: int, away: Stops) -> int:
    """The deadline `due`, to which quiet hours have moved `plain_due`, with the time that they added counted only
    outside of vacations.
    """
    if not isinstance(away, Standstills):
        return stretch(plain_due, due - plain_due, away)
    later = stretch(plain_due, due - plain_due, away.away)
    return due if later == due else _undisturbed(person, away.rest.end(later), away)


def after_commit(
    pace: Pace, wait: Wait, change: QuestionChange, at: Moment, person: Quiet
) -> tuple[Wait, list[ClockEntry]]:
    """The clock of a seat after one commit, and the reasons for the change, like `arithmetic.after` but with quiet
    hours.
    """
    before = plain(wait)
    after, entries = arithmetic.after(pace, before, change, at)
    if not entries or after.due is None:
        return (after if entries else wait), entries
    told = (wait.due or 0) if change.waited and not change.decided else 0
    stays = told and after.due == before.due
    new = moved_to(after, told) if stays else after_quiet(after, person, at.away, told)
    return new, [*_shown(entries, told), *_added(new, max(told, after.due))]


def postponed(
    wait: Wait, person: Quiet, away: Stops, shown: int, change: Callable[[Wait], Wait]
) -> Wait:
    """The clock after something other than a move has changed its deadline; `shown` is the time that it showed.

    If only time that quiet hours have added is left, that time is postponed.
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
    """The reasons for a change of the deadline: `kind`, with `ms` or else the difference, and then quiet hours."""
    if before.due is None or after.due is None:
        return [ClockEntry(kind, ms or 0, after)]
    alone = after.due - after.moved
    by = alone - (before.due - before.moved)
    is_moved = by and after.moved > before.moved
    due = max(before.due, alone) if is_moved else after.due
    ms = by or due - before.due if ms is None else ms
    return [ClockEntry(kind, ms, after._replace(due=due)), *_added(after, due)] if ms else []


def begun(kind: str, now: int, wait: Wait, person: Quiet, away: Stops) -> list[ClockEntry]:
    """The reasons for the time of a person who takes a seat now with this plain clock, including quiet hours."""
    due = wait.due or now
    return [ClockEntry(kind, due - now, wait), *_added(after_quiet(wait, person, away), due)]


def _added(wait: Wait, due: int) -> list[ClockEntry]:
    """The entry in the clock's history that says by how much quiet hours have moved the deadline from `due`; empty if
    they have not.
    """
    added = (wait.due or 0) - due
    return [ClockEntry("quiet", added, wait)] if added > 0 else []


def _shown(entries: list[ClockEntry], told: int) -> list[ClockEntry]:
    """The reasons; where the deadline that was `told` is later than theirs, they have that one."""
    return [
        each._replace(wait=each.wait._replace(due=max(each.wait.due, told)))
        if each.wait.due is not None
        else each
        for each in entries
    ]
