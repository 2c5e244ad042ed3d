"""The arithmetic of clocks: a seat's time, its deadline, and what it is charged. Pure functions of ms (UTC).

A *wait* is the time during which a seat has one question. Its clock stops while the table is paused or rests, while its
player is on vacation, and during an outage of the service; all of these only ever postpone `due`, the deadline. The
charge follows from `due` alone: time that is left is not charged, whatever its source. A day is 24 hours, so that
neither a time zone nor daylight saving can move a deadline. Only the rest of a table follows local time
(service/log/table_rows/rests.py).
"""

from __future__ import annotations

from typing import NamedTuple

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.log.table_rows.rests import Span, Standstills, Stops, overlap, stretch


class Pace(NamedTuple):
    """The time that a seat gets, in ms. Its kind is `none` (no clock), `decision` (a time for each decision) or
    `reserve` (a time bank).
    """

    kind: str
    each: int = 0
    """The time for one decision, or the time that each decision adds to the bank."""
    reserve: int = 0
    """The time in the bank at the start."""
    cap: int = 0
    """The most time that the bank can hold."""


TO_ANSWER_AGAIN = 10 * MINUTE
"""The least time (ms) for somebody who has taken an answer back, unless they never had that much."""

NONE = Pace("none")
PRESETS = {
    "none": NONE,
    "quick": Pace("reserve", 2 * MINUTE, 15 * MINUTE, 30 * MINUTE),
    "daily": Pace("decision", DAY),
    "steady": Pace("reserve", 12 * HOUR, 3 * DAY, 7 * DAY),
    "relaxed": Pace("decision", 3 * DAY),
    "weekly": Pace("decision", 7 * DAY),
}
"""The paces with a name: first the one without a clock, then from the fastest to the slowest."""


class Wait(NamedTuple):
    """The clock of a seat."""

    since: int
    """The time at which the seat got its present question."""
    due: int | None = None
    """The time at which the fallback is played; None while no clock runs."""
    reserve: int = 0
    """The time in the bank; used only by the pace `reserve`."""
    extra: int = 0
    """The extra time granted by the table, which is used up last."""
    spent: int = 0
    """All time charged so far."""
    moved: int = 0
    """The time (ms) by which quiet hours have moved the deadline."""


class ClockEntry(NamedTuple):
    """A change of a seat's time: what happened, the number of ms concerned, and the clock after it."""

    kind: str
    ms: int
    wait: Wait


class Moment(NamedTuple):
    """The time of an event, the time at which the clocks stopped (or None), and the periods in which this clock stands
    still.
    """

    now: int
    stopped_at: int | None = None
    """When the table paused, or when the outage began."""
    away: Stops = ()
    """The periods in which the player is on vacation or the table rests."""

    def clock_time(self, wait: Wait) -> int:
        """The time on the clock of `wait`: the present time or, if the clock is stopped, the later of the times at
        which it stopped and at which the question came.
        """
        return self.now if self.stopped_at is None else max(wait.since, self.stopped_at)

    @property
    def resting(self) -> Stops:
        """The periods in which the clocks of everybody at the table stand still."""
        return self.away.rest if isinstance(self.away, Standstills) else ()

    def remaining(self, wait: Wait) -> int:
        """The time left (ms) until the deadline of `wait`, which has one; negative once it has passed."""
        shown, due = self.clock_time(wait), wait.due or 0
        return due - shown - overlap((shown, due), self.away)


class QuestionChange(NamedTuple):
    """The change of a seat's question in one commit."""

    waited: bool
    waits: bool
    same: bool
    """Whether the question is still the same."""
    decided: bool
    """Whether the seat has answered, or its time-out has answered instead."""
    late: bool = False
    """Whether the time-out has answered."""
    left: int | None = None
    """The time left (ms) for a question that is asked again because its answer was taken back."""


def start(pace: Pace, now: int) -> Wait:
    """The clock of a seat at the start of a game."""
    return Wait(now, reserve=pace.reserve)


def allowance(pace: Pace, wait: Wait) -> int:
    """The time for one wait (ms)."""
    return wait.extra + (wait.reserve if pace.kind == "reserve" else pace.each)


def begin(pace: Pace, wait: Wait, at: Moment, left: int | None = None) -> Wait:
    """The clock of a seat that gets a question, with its allowance, or with only `left` of it."""
    if pace.kind == "none":
        return wait._replace(since=at.now, due=None)
    time = allowance(pace, wait) if left is None else left
    return wait._replace(since=at.now, due=stretch(at.now, time, at.away))


class GivenBack(NamedTuple):
    """What a seat gets back when its answer was taken back."""

    wait: Wait
    left: int
    """The time that was left for the question (ms)."""
    paid: int
    """The time that the answer had taken (ms)."""


def given_back(pace: Pace, wait: Wait, paid: int, reserve: int, extra: int) -> GivenBack:
    """The stopped clock as it was before an answer that took `paid` ms, and that changed the bank and the extra time by
    these amounts.
    """
    before = wait._replace(
        reserve=wait.reserve - reserve, extra=wait.extra - extra, spent=wait.spent - paid
    )
    whole = allowance(pace, before)
    return GivenBack(before, max(whole - paid, min(whole, TO_ANSWER_AGAIN)), paid)


def time_left(pace: Pace, wait: Wait, at: Moment) -> int:
    """The time left (ms), at most the allowance."""
    if wait.due is None:
        return allowance(pace, wait)
    return min(max(at.remaining(wait), 0), allowance(pace, wait))


def charge(pace: Pace, wait: Wait, at: Moment) -> Wait:
    """The clock after the end of a wait, which is charged to the bank first, then to the extra time."""
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
    """The clock of a seat after one commit, and the reasons for the change."""
    if change.same and change.waited == change.waits:
        return wait, []
    entries: list[ClockEntry] = []
    if change.waited and wait.due is not None:
        wait, entry = _ended(pace, wait, change, at)
        entries.append(entry)
    promised = wait.due
    if change.waits:
        wait = begin(pace, wait._replace(due=None), at, change.left)
        if wait.due is not None and promised is not None:
            wait = wait._replace(due=max(wait.due, promised))  # a deadline never moves forward
    else:
        wait = wait._replace(since=at.now, due=None)
    if wait.due is not None:
        entries.append(ClockEntry("asked", wait.due - at.now, wait))
    return wait, entries


def _ended(pace: Pace, wait: Wait, change: QuestionChange, at: Moment) -> tuple[Wait, ClockEntry]:
    """The clock after the end of a wait, and the reason. The deadline stays if the seat gets another question before it
    could answer.
    """
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


def extend(wait: Wait, ms: int, away: Stops = ()) -> Wait:
    """The clock after the table has granted extra time. A seat without a question keeps it for later."""
    due = None if wait.due is None else stretch(wait.due, ms, away)
    return wait._replace(extra=wait.extra + ms, due=due)


def resume(wait: Wait, at: Moment) -> Wait:
    """The clock after a pause, during which it was stopped. The deadline skips the vacations ahead."""
    if wait.due is None:
        return wait
    left = at.remaining(wait)
    if at.resting:
        left = max(left, 0)  # else it would be due before a rest ends in which it resumes
    return wait._replace(due=max(wait.due, stretch(at.now, left, at.away)))


def outage(wait: Wait, gap: Span, at: Moment) -> Wait:
    """The clock after an outage during `gap`.

    Clocks that a pause or a rest had stopped anyway gain nothing from it.
    """
    until = gap[1] if at.stopped_at is None else min(gap[1], at.stopped_at)
    begun = max(wait.since, gap[0])
    lost = until - begun - overlap((begun, until), at.resting)
    if wait.due is None or lost <= 0:
        return wait
    return wait._replace(due=stretch(wait.due, lost, at.away))


def vacation(wait: Wait, at: Moment, then: Stops) -> Wait:
    """The clock after the player's vacations have changed from `at.away` to `then`. The deadline never
    becomes earlier.
    """
    shown = at.clock_time(wait)
    if wait.due is None or wait.due <= shown:
        return wait
    return wait._replace(due=max(wait.due, stretch(shown, max(at.remaining(wait), 0), then)))


def returned(pace: Pace, wait: Wait) -> Wait:
    """The clock of a player who returns, with the time that was left, but at least enough for one decision."""
    return wait._replace(reserve=max(wait.reserve, pace.each) if pace.kind == "reserve" else 0)


def substituted(pace: Pace, wait: Wait) -> Wait:
    """The fresh clock of a substitute."""
    return wait._replace(reserve=pace.reserve, extra=0)
