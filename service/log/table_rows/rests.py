"""The rest of a table: days of the week, and hours outside of which nobody's clock runs, in an agreed time zone.

A rest follows local time: a table rests whenever local time falls on a day of rest or outside the table's hours. So an
hour that daylight saving time skips or repeats is skipped or repeated. A rest only stops clocks: players can still move
at any time. Times are ms UTC.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, time, timedelta
from itertools import count, pairwise
from typing import NamedTuple

from rules.kernel import Json
from service.core.runtime.time_zones import time_zone_of
from service.core.runtime.units import DAY, SECOND

Span = tuple[int, int]
"""The beginning and the end of a period, in ms UTC."""
MOST_DAYS = 5
"""The largest number of days of the week on which a table can rest."""
LEAST_OPEN = 4 * 60
"""The smallest number of minutes of a day for which a table is open, so that no deadline is years away."""
A_DAY = 24 * 60
_WEEK = 7 * DAY


class Rest(NamedTuple):
    """The times at which a table rests."""

    time_zone: str
    days: tuple[int, ...] = ()
    """The days on which the table rests, numbered as in ISO 8601: 1 for Monday … 7 for Sunday."""
    open: str | None = None
    """The hours outside of which the table rests on the other days, such as `09:00-21:00`; None if it has no such
    rests.
    """

    @classmethod
    def of(cls, row: Json | None) -> Rest | None:
        """The rests that a game's row states; None if it states none."""
        return None if row is None else cls(row["time_zone"], tuple(row["days"]), row["open"])

    @property
    def hours(self) -> tuple[time, time] | None:
        """The hours between which the table does not rest; None if it has none.

        The second is the earlier one if midnight lies between them.
        """
        if self.open is None:
            return None
        begin, end = map(time.fromisoformat, self.open.split("-"))
        return begin, end

    def rests_at(self, at: int) -> bool:
        """Whether the table rests at this time, judged by local time."""
        local, hours = datetime.fromtimestamp(at / SECOND, time_zone_of(self.time_zone)), self.hours
        if local.isoweekday() in self.days:
            return True
        if hours is None:
            return False
        (begin, end), now = hours, local.time()
        return not (begin <= now < end if begin < end else now >= begin or now < end)

    def since(self, at: int) -> Iterator[Span]:
        """All rests that end after `at`, in order, without end; no two of them touch."""
        begun = at - at % _WEEK - _WEEK  # none is as long as a week
        weeks = (span for n in count() for span in _of_week(self, begun + n * _WEEK))
        return (span for span in joined(weeks) if span[1] > at)

    def end(self, at: int) -> int:
        """The time at which the table stops resting: the end of the rest at `at`, or `at` itself outside of a rest."""
        begins, ends = next(self.since(at))
        return ends if begins <= at else at


class Standstills(NamedTuple):
    """The periods in which the clock of a seat stands still: its player's absences, and the rests of the table."""

    away: Sequence[Span]
    rest: Rest

    def since(self, at: int) -> Iterator[Span]:
        """All periods that end after `at`, in order, without end; no two of them touch."""
        found = joined(heapq.merge(sorted(self.away), self.rest.since(at)))
        return (span for span in found if span[1] > at)


Stops = Sequence[Span] | Rest | Standstills
"""The periods in which a clock stands still. Plain spans may come in any order, but do not overlap."""


def is_allowed(rest: Rest) -> bool:
    """Whether the table rests at all, and does not rest for too long."""
    if len(rest.days) > MOST_DAYS or rest.hours is None:
        return 0 < len(rest.days) <= MOST_DAYS
    begin, end = rest.hours
    lasting = (end.hour - begin.hour) * 60 + end.minute - begin.minute
    return lasting % A_DAY >= LEAST_OPEN


def stretch(begun: int, ms: int, stops: Stops) -> int:
    """The time at which `ms` have passed since `begun`, not counting `stops`."""
    for gone, back in _since(begun, stops):
        if begun + ms <= gone:
            break
        ms -= max(0, gone - begun)
        begun = back
    return begun + ms


def overlap(span: Span, stops: Stops) -> int:
    """The part of `span`, in ms, that lies in `stops`."""
    shared = 0
    for gone, back in _since(span[0], stops):
        if gone >= span[1]:
            break
        shared += max(0, min(span[1], back) - max(span[0], gone))
    return shared


def joined(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, which come in the order of their beginnings, with touching or overlapping ones merged."""
    last: Span | None = None
    for begins, ends in spans:
        if last is not None and begins <= last[1]:
            last = last[0], max(last[1], ends)
            continue
        if last is not None:
            yield last
        last = begins, ends
    if last is not None:
        yield last


def _since(at: int, stops: Stops) -> Iterator[Span]:
    if isinstance(stops, Rest | Standstills):
        return stops.since(at)
    return (span for span in sorted(stops) if span[1] > at)


@functools.lru_cache(maxsize=4096)  # a move asks for the rests of all weeks up to its deadline
def _of_week(rest: Rest, begun: int) -> tuple[Span, ...]:
    """The rests between `begun` and a week later, computed from each change of local time."""
    changes = sorted({begun, *_changes(rest, begun), begun + _WEEK})
    found = ((at, until) for at, until in pairwise(changes) if rest.rests_at(at))
    return tuple(joined(found))


def _changes(rest: Rest, begun: int) -> Iterator[int]:
    """The times in this week at which local time reaches midnight or one of the hours, or jumps."""
    zone, ends = time_zone_of(rest.time_zone), begun + _WEEK
    first = datetime.fromtimestamp(begun / SECOND, zone).date()
    for day in range(-1, 9):
        for hour in (time.min, *(rest.hours or ())):
            wall = datetime.combine(first + timedelta(days=day), hour, zone)
            for fold in (0, 1):
                at = int(wall.replace(fold=fold).timestamp() * SECOND)
                if begun < at < ends:
                    yield at
    offsets = [_offset(rest, at) for at in range(begun, ends + DAY, DAY)]
    for day, (before, after) in enumerate(pairwise(offsets)):
        if before != after:
            yield _jump(rest, begun + day * DAY, begun + (day + 1) * DAY)


def _jump(rest: Rest, before: int, after: int) -> int:
    """The time between these two, to the second, at which local time jumps to what it is at `after`."""
    while after - before > SECOND:
        middle = (before + after) // 2 // SECOND * SECOND
        if _offset(rest, middle) == _offset(rest, before):
            before = middle
        else:
            after = middle
    return after


def _offset(rest: Rest, at: int) -> timedelta | None:
    return datetime.fromtimestamp(at / SECOND, time_zone_of(rest.time_zone)).utcoffset()
