"""The arithmetic of clocks: how much time a seat has, its deadline, what it is charged. Pure functions of ms (UTC).

A *wait* is the time in which a seat is asked one question. Its clock stops while the table is paused, while its player
is on vacation and during an outage of the service; these only ever postpone `due`, the deadline. The charge follows
from `due` alone: time that is left is not charged, wherever it came from. A day is 24 hours, so that neither a time
zone nor daylight saving can move a deadline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from service.core.runtime.units import DAY, HOUR, MINUTE

Span = tuple[int, int]
"""From and until, in ms UTC."""


class Pace(NamedTuple):
    """How much time a seat gets, in ms. `none`: no clock; `decision`: for each decision; `reserve`: a time bank."""

    kind: str
    each: int = 0
    """Time for one decision, or what each decision adds to the reserve."""
    reserve: int = 0
    """What is in the bank at the start."""
    cap: int = 0
    """What the bank never exceeds."""


NONE = Pace("none")
PRESETS = {
    "none": NONE,
    "quick": Pace("reserve", 2 * MINUTE, 15 * MINUTE, 30 * MINUTE),
    "daily": Pace("decision", DAY),
    "steady": Pace("reserve", 12 * HOUR, 3 * DAY, 7 * DAY),
    "relaxed": Pace("decision", 3 * DAY),
    "weekly": Pace("decision", 7 * DAY),
}
"""Paces with a name: without a clock, then from the fastest to the slowest."""


class Wait(NamedTuple):
    """The clock of a seat."""

    since: int
    """Since when the seat has been asked its present question."""
    due: int | None = None
    """When the fallback is played; None while no clock runs."""
    reserve: int = 0
    """What is in the time bank; for the pace `reserve` only."""
    extra: int = 0
    """Extra time that the table agreed on: kept until all other time is used up."""
    spent: int = 0
    """All time charged so far."""
    moved: int = 0
    """By how much quiet hours have moved `due`: nothing in this module knows of it (quiet_hours.py)."""


class ClockEntry(NamedTuple):
    """A reason for the time that a seat has: what happened, how many ms it concerns, the clock then."""

    kind: str
    ms: int
    wait: Wait


class Moment(NamedTuple):
    """When something happens: now, since when the clocks have been stopped (or None), and the player's vacations."""

    now: int
    stopped_at: int | None = None
    """When the table paused, or when the outage began."""
    away: Sequence[Span] = ()

    def clock_time(self, wait: Wait) -> int:
        """The time on the clock of `wait`: when it stopped, or the question came if that was later; otherwise now."""
        return self.now if self.stopped_at is None else max(wait.since, self.stopped_at)

    def remaining(self, wait: Wait) -> int:
        """The time left until the deadline of `wait`, which has one; negative once it has passed."""
        shown, due = self.clock_time(wait), wait.due or 0
        return due - shown - overlap((shown, due), self.away)


class QuestionChange(NamedTuple):
    """How one commit changed what a seat is asked."""

    waited: bool
    waits: bool
    same: bool
    """Whether it is still the same question."""
    decided: bool
    """Whether the seat answered, or its time-out did."""
    late: bool = False
    """Whether the time-out did."""


def start(pace: Pace, now: int) -> Wait:
    """The clock of a seat when a game starts."""
    return Wait(now, reserve=pace.reserve)


def allowance(pace: Pace, wait: Wait) -> int:
    """The time for one wait, in ms."""
    return wait.extra + (wait.reserve if pace.kind == "reserve" else pace.each)


def begin(pace: Pace, wait: Wait, at: Moment) -> Wait:
    """The seat is asked a question."""
    if pace.kind == "none":
        return wait._replace(since=at.now, due=None)
    return wait._replace(since=at.now, due=stretch(at.now, allowance(pace, wait), at.away))


def time_left(pace: Pace, wait: Wait, at: Moment) -> int:
    """The time that is left, in ms; at most the allowance."""
    if wait.due is None:
        return allowance(pace, wait)
    return min(max(at.remaining(wait), 0), allowance(pace, wait))


def charge(pace: Pace, wait: Wait, at: Moment) -> Wait:
    """The wait ends and is charged: to the time bank first, then to the extra time."""
    if wait.due is None:
        return wait
    used = allowance(pace, wait) - time_left(pace, wait, at)
    ordinary = wait.reserve if pace.kind == "reserve" else pace.each
    extra = wait.extra - max(0, used - ordinary)
    reserve = max(0, ordinary - used) if pace.kind == "reserve" else 0
    return Wait(wait.since, None, reserve, extra, wait.spent + used)


def after(
    pace: Pace, wait: Wait, change: QuestionChange, at: Moment
) -> tuple[Wait, list[ClockEntry]]:
    """The clock of a seat after one commit, and the reasons for it."""
    if change.same and change.waited == change.waits:
        return wait, []
    entries: list[ClockEntry] = []
    if change.waited and wait.due is not None:
        wait, entry = _ended(pace, wait, change, at)
        entries.append(entry)
    promised = wait.due
    if change.waits:
        wait = begin(pace, wait._replace(due=None), at)
        if wait.due is not None and promised is not None:
            wait = wait._replace(due=max(wait.due, promised))  # a deadline is never brought forward
    else:
        wait = wait._replace(since=at.now, due=None)
    if wait.due is not None:
        entries.append(ClockEntry("asked", wait.due - at.now, wait))
    return wait, entries


def _ended(pace: Pace, wait: Wait, change: QuestionChange, at: Moment) -> tuple[Wait, ClockEntry]:
    """The end of a wait. The deadline stays if the seat is asked something else before it could answer."""
    if change.decided:
        charged = charge(pace, wait, at)
        paid = charged.spent - wait.spent
        if pace.kind == "reserve":
            charged = charged._replace(reserve=min(pace.cap, charged.reserve + pace.each))
        return charged, ClockEntry("late" if change.late else "answered", paid, charged)
    if change.waits:
        charged = charge(pace, wait, at)._replace(due=wait.due)
        return charged, ClockEntry("changed", charged.spent - wait.spent, charged)
    withdrawn = wait._replace(due=None)
    return withdrawn, ClockEntry("withdrawn", 0, withdrawn)


def extend(wait: Wait, ms: int, away: Sequence[Span] = ()) -> Wait:
    """The table agreed on more time; a seat that is asked nothing keeps it for later."""
    due = None if wait.due is None else stretch(wait.due, ms, away)
    return wait._replace(extra=wait.extra + ms, due=due)


def resume(wait: Wait, at: Moment) -> Wait:
    """The table resumes: the clock has been stopped since the pause. The deadline skips the vacations ahead."""
    if wait.due is None:
        return wait
    return wait._replace(due=max(wait.due, stretch(at.now, at.remaining(wait), at.away)))


def outage(wait: Wait, gap: Span, at: Moment) -> Wait:
    """There was an outage during `gap`. The clocks of a paused table had stopped anyway."""
    until = gap[1] if at.stopped_at is None else min(gap[1], at.stopped_at)
    lost = until - max(wait.since, gap[0])
    if wait.due is None or lost <= 0:
        return wait
    return wait._replace(due=stretch(wait.due, lost, at.away))


def vacation(wait: Wait, at: Moment, then: Sequence[Span]) -> Wait:
    """The vacations of the player change from `at.away` to `then`. The deadline is never brought forward."""
    shown = at.clock_time(wait)
    if wait.due is None or wait.due <= shown:
        return wait
    return wait._replace(due=max(wait.due, stretch(shown, max(at.remaining(wait), 0), then)))


def returned(pace: Pace, wait: Wait) -> Wait:
    """A player who returns gets the time that was left, at least enough for one decision."""
    return wait._replace(reserve=max(wait.reserve, pace.each) if pace.kind == "reserve" else 0)


def substituted(pace: Pace, wait: Wait) -> Wait:
    """A substitute starts with a fresh clock."""
    return wait._replace(reserve=pace.reserve, extra=0)


def stretch(begun: int, ms: int, away: Iterable[Span]) -> int:
    """When `ms` have passed since `begun`, without counting `away`."""
    for gone, back in sorted(away):
        if back > begun and begun + ms > gone:
            ms -= max(0, gone - begun)
            begun = back
    return begun + ms


def overlap(span: Span, away: Iterable[Span]) -> int:
    """How many ms of `span` lie in `away`, whose spans do not overlap each other."""
    shared = (min(span[1], back) - max(span[0], gone) for gone, back in away)
    return sum(ms for ms in shared if ms > 0)
