"""The rest periods of a table, compared with a twin that looks at the wall clock every five minutes, over daylight
saving.
"""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.log.table_rows import rests
from service.log.table_rows.rests import Rest, Standstills, overlap, stretch

STEP = 5 * MINUTE
JUMPS = (
    ("UTC", (2026, 3, 29)),
    ("Europe/Berlin", (2026, 3, 29)),
    ("Europe/Berlin", (2026, 10, 25)),
    ("America/New_York", (2026, 3, 8)),
    ("America/New_York", (2026, 11, 1)),
    ("Australia/Lord_Howe", (2026, 4, 5)),
    ("Australia/Lord_Howe", (2026, 10, 4)),
    ("America/Santiago", (2026, 4, 5)),
    ("America/Santiago", (2026, 9, 6)),
    ("Africa/Casablanca", (2026, 2, 15)),
    ("Africa/Casablanca", (2026, 3, 22)),
    ("Africa/Cairo", (2026, 4, 24)),
    ("Antarctica/Troll", (2026, 10, 25)),
    ("Pacific/Chatham", (2026, 4, 5)),
    ("Pacific/Chatham", (2026, 9, 27)),
    ("Asia/Pyongyang", (2018, 5, 4)),
    ("America/Nuuk", (2023, 3, 25)),
    ("Pacific/Apia", (2011, 12, 30)),
    ("Pacific/Kwajalein", (1993, 8, 21)),
)
"""Days on which a zone changes its clock: by an hour, by half an hour or two hours, at midnight, by a whole day."""
DAYS_OF_WEEK = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()


def at(zone: str, *when: int) -> int:
    return int(datetime(*when, tzinfo=ZoneInfo(zone)).timestamp() * 1000)


class Twin:
    """A clock that is checked every five minutes: it stands still when the wall clock shows a rest."""

    def __init__(self, rest: Rest, away: tuple[tuple[int, int], ...] = ()) -> None:
        self.rest, self.zone, self.away = rest, ZoneInfo(rest.time_zone), away

    def stands(self, now: int) -> bool:
        wall = datetime.fromtimestamp(now / 1000, self.zone)
        if any(gone <= now < back for gone, back in self.away):
            return True
        if wall.strftime("%A") in {DAYS_OF_WEEK[day - 1] for day in self.rest.days}:
            return True
        if self.rest.open is None:
            return False
        begin, end = self.rest.open.split("-")
        shown = wall.strftime("%H:%M")
        is_open = begin <= shown < end if begin < end else shown >= begin or shown < end
        return not is_open

    def runs(self, begun: int, until: int) -> int:
        """The ms for which the clock runs."""
        return sum(STEP for now in range(begun, until, STEP) if not self.stands(now))

    def shows(self, begun: int, ms: int) -> int:
        """The time when it has run this long."""
        while ms > 0:
            ms -= 0 if self.stands(begun) else STEP
            begun += STEP
        return begun


def as_hours(begin: int, lasting: int) -> str:
    """Hours that begin and last these multiples of five minutes."""
    ends = (begin, (begin + lasting) % 288)
    return "-".join(f"{n // 12:02}:{n % 12 * 5:02}" for n in ends)


def as_hours_until(end: int, lasting: int) -> str:
    """Hours whose end and length are these multiples of five minutes."""
    return as_hours((end - lasting) % 288, lasting)


lengths = st.integers(48, 287)
near_a_jump = st.one_of(st.integers(0, 42), st.integers(260, 287))
"""Clocks jump at night: then a rest begins or ends in a gap, or in an hour that comes twice."""
hours = st.one_of(
    st.none(),
    st.builds(as_hours, st.integers(0, 287), lengths),
    st.builds(as_hours, near_a_jump, lengths),
    st.builds(as_hours_until, near_a_jump, lengths),
)
days = st.sets(st.integers(1, 7), max_size=rests.MOST_DAYS).map(lambda found: tuple(sorted(found)))


@st.composite
def weeks(draw: st.DrawFn) -> tuple[Rest, int]:
    """An allowed rest, and a moment some days before its zone changes its clock."""
    zone, day = draw(st.sampled_from(JUMPS))
    chosen = st.builds(Rest, st.just(zone), days, hours).filter(rests.is_allowed)
    before = draw(st.integers(0, 7 * 288)) * STEP
    return draw(chosen), at(zone, *day) - before


@settings(max_examples=60)
@given(weeks(), st.integers(0, 600), st.lists(st.integers(0, 2000), max_size=2, unique=True))
def test_clocks_run_as_long_as_the_wall_shows_no_rest(week, lasting, ends):
    rest, begun = week
    away = (tuple(begun + STEP * n for n in sorted(ends)),) if len(ends) == 2 else ()
    twin, stops = Twin(rest, away), Standstills(away, rest)
    due = stretch(begun, lasting * STEP, stops)
    assert twin.runs(begun, due) == lasting * STEP, "the seat gets all of its time, and no more"
    assert due == twin.shows(begun, lasting * STEP) or not lasting
    assert due - begun - overlap((begun, due), stops) == lasting * STEP


@settings(max_examples=40)
@given(weeks(), st.integers(0, 14 * 288))
def test_a_rest_ends_when_the_wall_shows_it(week, later):
    rest, begun = week
    now, twin = begun + later * STEP, Twin(rest)
    assert rest.rests_at(now) == twin.stands(now)
    ends = rest.end(now)
    assert not twin.stands(ends)
    assert all(map(twin.stands, range(now, ends, STEP)))
    begins, ends = next(rest.since(now))
    assert ends > now
    assert not twin.stands(begins - STEP)
    assert all(map(twin.stands, range(begins, ends, STEP)))


WEEKENDS = Rest("Europe/Berlin", (6, 7))


def test_a_weekend_is_an_hour_shorter_or_longer_when_the_clocks_change():
    assert (at("Europe/Berlin", 2026, 3, 28), at("Europe/Berlin", 2026, 3, 30)) == next(
        WEEKENDS.since(at("Europe/Berlin", 2026, 3, 26))
    )
    friday = at("Europe/Berlin", 2026, 10, 23, 18)
    assert stretch(friday, DAY, WEEKENDS) == friday + 3 * DAY + HOUR
    assert WEEKENDS.end(friday + DAY) == at("Europe/Berlin", 2026, 10, 26)


def test_hours_that_the_wall_skips_are_no_hours_and_those_it_repeats_count_twice():
    rest = Rest("Europe/Berlin", (), "02:30-07:00")
    night = at("Europe/Berlin", 2026, 3, 29)
    assert rest.end(night) == night + 2 * HOUR, "it shows 3:00 right after 1:59"
    night = at("Europe/Berlin", 2026, 10, 25)
    assert stretch(night, HOUR, rest) == night + 4 * HOUR, "from 2:30 to 3:00, and again"


@pytest.mark.parametrize(
    ("days", "hours", "allowed"),
    [
        ((), None, False),
        ((6, 7), None, True),
        ((1, 2, 3, 4, 5, 6), None, False),
        ((), "09:00-13:00", True),
        ((), "09:00-12:59", False),
        ((), "22:00-02:00", True),
        ((), "09:00-09:00", False),
        ((1, 2, 3, 4, 5), "09:00-13:00", True),
        ((1, 2, 3, 4, 5, 6), "09:00-13:00", False),
    ],
)
def test_how_long_a_table_can_rest(days, hours, allowed):
    assert rests.is_allowed(Rest("UTC", days, hours)) == allowed


def test_the_longest_time_at_the_table_that_rests_most_is_reckoned_quickly():
    """The longest pace ends after some years, and a move is not delayed by that."""
    rest = Rest("Asia/Tokyo", (1, 2, 3, 4, 5), "09:00-13:00")
    begun = at("Asia/Tokyo", 2026, 11, 28, 9)
    weeks = 90 * 24 // 8
    assert stretch(begun, 90 * DAY, rest) == begun + weeks * 7 * DAY - 7 * DAY + DAY + 4 * HOUR
    assert (
        stretch(begun, 90 * DAY, Standstills([(begun, begun + DAY)], rest))
        > begun + weeks * 7 * DAY
    )
