"""Time: how much of it a seat has, until when it may think, and what it is charged. Pure arithmetic on ms (UTC).

A *wait* is one question that a seat is asked. Its clock stands still while the table is paused, while its player is
away and while nobody worked here (an outage); all of that only ever moves `due` back. What is charged follows from
`due` alone: the time that was left is not charged, whatever made it more. A day is 24 hours, so that neither a zone
nor daylight saving can move a due time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

Span = tuple[int, int]
"""From, and until: ms UTC."""


class Pace(NamedTuple):
    """How much time there is, in ms. `none`: no clock; `decision`: so much for each; `reserve`: a store that grows."""

    kind: str
    each: int = 0
    """Time for one decision, or what each decision adds to the reserve."""
    reserve: int = 0
    """What is in store at the start."""
    cap: int = 0
    """What the store never exceeds."""


NONE = Pace("none")
PRESETS = {
    "none": NONE,
    "quick": Pace("reserve", 2 * MINUTE, 15 * MINUTE, 30 * MINUTE),
    "daily": Pace("decision", DAY),
    "steady": Pace("reserve", 12 * HOUR, 3 * DAY, 7 * DAY),
    "relaxed": Pace("decision", 3 * DAY),
    "weekly": Pace("decision", 7 * DAY),
}
"""Paces with a name, from the fastest to the slowest behind the one without a clock."""


class Wait(NamedTuple):
    """A seat's time."""

    since: int
    """Since when it is, or was last, asked."""
    due: int | None = None
    """When the fallback is played; None while no clock runs."""
    reserve: int = 0
    """What is in store, by the pace `reserve`."""
    extra: int = 0
    """Time that the table agreed on: used after all other, kept until then."""
    spent: int = 0
    """All that was charged so far."""


class Entry(NamedTuple):
    """One line of the answer to "why is my time this?": what happened, how many ms it is about, and the time then."""

    kind: str
    ms: int
    wait: Wait


class Moment(NamedTuple):
    """When something happens: now, since when the clocks have stood (or None), and when the seat's player is away."""

    now: int
    stood_at: int | None = None
    """When the table paused, or when a worker was alive last, if that is an outage."""
    away: Sequence[Span] = ()

    def shown(self, wait: Wait) -> int:
        """What the clock of `wait` shows: it stands since then, or since it was asked after that."""
        return self.now if self.stood_at is None else max(wait.since, self.stood_at)

    def rest(self, wait: Wait) -> int:
        """The time until `wait` is due, by its clock: below 0 if that is over. A clock has to run."""
        shown, due = self.shown(wait), wait.due or 0
        return due - shown - overlap((shown, due), self.away)


class Step(NamedTuple):
    """What one commit did to what a seat is asked."""

    waited: bool
    waits: bool
    same: bool
    """Whether it is still the same question."""
    decided: bool
    """Whether the seat, or its time-out, answered."""
    late: bool = False
    """Whether it was the time-out."""


def start(pace: Pace, now: int) -> Wait:
    """The time of a seat that has just been taken at the beginning of a game."""
    return Wait(now, reserve=pace.reserve)


def allowance(pace: Pace, wait: Wait) -> int:
    """The time for one wait, in ms."""
    return wait.extra + (wait.reserve if pace.kind == "reserve" else pace.each)


def begin(pace: Pace, wait: Wait, at: Moment) -> Wait:
    """The seat is asked."""
    if pace.kind == "none":
        return wait._replace(since=at.now, due=None)
    return wait._replace(since=at.now, due=stretch(at.now, allowance(pace, wait), at.away))


def left(pace: Pace, wait: Wait, at: Moment) -> int:
    """The time that is left, in ms: never more than there was."""
    if wait.due is None:
        return allowance(pace, wait)
    return min(max(at.rest(wait), 0), allowance(pace, wait))


def charge(pace: Pace, wait: Wait, at: Moment) -> Wait:
    """The wait ends and costs what it took: of the reserve first, then of what was agreed on."""
    if wait.due is None:
        return wait
    used = allowance(pace, wait) - left(pace, wait, at)
    store = wait.reserve if pace.kind == "reserve" else pace.each
    extra = wait.extra - max(0, used - store)
    reserve = max(0, store - used) if pace.kind == "reserve" else 0
    return Wait(wait.since, None, reserve, extra, wait.spent + used)


def add(pace: Pace, wait: Wait) -> Wait:
    """What a decision adds to the reserve."""
    if pace.kind != "reserve":
        return wait
    return wait._replace(reserve=min(pace.cap, wait.reserve + pace.each))


def after(pace: Pace, wait: Wait, step: Step, at: Moment) -> tuple[Wait, list[Entry]]:
    """A seat's time after one commit, and why it is that."""
    if step.same and step.waited == step.waits:
        return wait, []
    entries: list[Entry] = []
    if step.waited and wait.due is not None:
        wait, entry = _ended(pace, wait, step, at)
        entries.append(entry)
    told = wait.due
    if step.waits:
        wait = begin(pace, wait._replace(due=None), at)
        if wait.due is not None and told is not None:
            wait = wait._replace(due=max(wait.due, told))  # what was told stands
    else:
        wait = wait._replace(since=at.now, due=None)
    if wait.due is not None:
        entries.append(Entry("asked", wait.due - at.now, wait))
    return wait, entries


def _ended(pace: Pace, wait: Wait, step: Step, at: Moment) -> tuple[Wait, Entry]:
    """The end of a wait. `due` stays if the seat is asked something else before it could decide."""
    if step.decided:
        charged = charge(pace, wait, at)
        paid = charged.spent - wait.spent
        charged = add(pace, charged)
        return charged, Entry("late" if step.late else "answered", paid, charged)
    if step.waits:
        charged = charge(pace, wait, at)._replace(due=wait.due)
        return charged, Entry("changed", charged.spent - wait.spent, charged)
    gone = wait._replace(due=None)
    return gone, Entry("withdrawn", 0, gone)


def extend(wait: Wait, ms: int, away: Sequence[Span] = ()) -> Wait:
    """The table agreed on more time; who is asked nothing keeps it for later."""
    due = None if wait.due is None else stretch(wait.due, ms, away)
    return wait._replace(extra=wait.extra + ms, due=due)


def resume(wait: Wait, at: Moment) -> Wait:
    """The table goes on: the clock has stood since the pause. A vacation that lies ahead now is not counted."""
    if wait.due is None:
        return wait
    return wait._replace(due=max(wait.due, stretch(at.now, at.rest(wait), at.away)))


def outage(wait: Wait, gap: Span, at: Moment) -> Wait:
    """Nobody worked here during `gap`; while the table was paused its clocks stood anyway."""
    until = gap[1] if at.stood_at is None else min(gap[1], at.stood_at)
    lost = until - max(wait.since, gap[0])
    if wait.due is None or lost <= 0:
        return wait
    return wait._replace(due=stretch(wait.due, lost, at.away))


def vacation(wait: Wait, at: Moment, then: Sequence[Span]) -> Wait:
    """The player, who was to be away at `at.away`, will be away at `then`. What was told is never brought forward."""
    shown = at.shown(wait)
    if wait.due is None or wait.due <= shown:
        return wait
    return wait._replace(due=max(wait.due, stretch(shown, max(at.rest(wait), 0), then)))


def returned(pace: Pace, wait: Wait) -> Wait:
    """Who comes back finds the time that was left, and at least that of one decision."""
    return wait._replace(reserve=max(wait.reserve, pace.each) if pace.kind == "reserve" else 0)


def substituted(pace: Pace, wait: Wait) -> Wait:
    """Somebody else begins with the time of a beginning."""
    return wait._replace(reserve=pace.reserve, extra=0)


def stretch(begun: int, ms: int, away: Iterable[Span]) -> int:
    """When `ms` of time have passed since `begun`, not counting `away`."""
    for gone, back in sorted(away):
        if back > begun and begun + ms > gone:
            ms -= max(0, gone - begun)
            begun = back
    return begun + ms


def overlap(span: Span, away: Iterable[Span]) -> int:
    """How many ms of `span` lie in `away`, whose spans may touch but not overlap."""
    shared = (min(span[1], back) - max(span[0], gone) for gone, back in away)
    return sum(ms for ms in shared if ms > 0)
