"""Quiet hours never give more time than from a deadline to their end, however often somebody changes them.

Two seats live through the same history, one of them with quiet hours that its player changes at any moment, in any time
zone. Without the time that quiet hours add, both clocks are always the same; and they add at most one night.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.log.table_rows.rests import Span, overlap
from service.outbox.causes.after_move import ONLINE_DELAY
from service.tables.clocks import arithmetic, quiet_hours
from service.tables.clocks.arithmetic import Moment, Pace, QuestionChange, Wait
from service.tables.clocks.quiet_hours import A_DAY
from tests.service.tables.clocks.test_arithmetic import begins, paces
from tests.service.tables.clocks.test_quiet_hours import ZONES
from tests.support.cast import CARAVAN
from tests.support.clock import Hours, reasons

LONGEST = quiet_hours.LONGEST * MINUTE
SAVING = HOUR
"""The time by which daylight saving lengthens a night."""


class Someone(NamedTuple):
    """Quiet hours, and where."""

    quiet: str | None = None
    time_zone: str | None = None


NOBODY = Someone()


def as_text(begin: int, lasting: int) -> str:
    """Quiet hours that begin at this minute of the day."""
    return "-".join(f"{m // 60:02}:{m % 60:02}" for m in (begin, (begin + lasting) % A_DAY))


MIDNIGHT = 20_000 * DAY
NIGHT = Someone("22:00-07:00", "UTC")
ASKED = Wait(MIDNIGHT - DAY, MIDNIGHT + 7 * HOUR, moved=8 * HOUR)
"""Somebody whose time ends an hour before midnight, and who has quiet hours until seven o'clock."""


class Seat:
    """One clock, of somebody with or without quiet hours."""

    def __init__(self, pace: Pace, now: int) -> None:
        self.pace, self.person = pace, NOBODY
        self.wait = arithmetic.start(pace, now)

    def commit(self, change: QuestionChange, at: Moment) -> None:
        """A commit that asks this seat something, or not."""
        self.wait, _ = quiet_hours.after_commit(self.pace, self.wait, change, at, self.person)

    def postpone(self, away: list[Span], shown: int, change) -> None:
        """Something other than a move."""
        if self.wait.due is not None:
            self.wait = quiet_hours.postponed(self.wait, self.person, away, shown, change)


class Twins:
    """Two seats to which the same happens."""

    def __init__(self, pace: Pace, now: int) -> None:
        self.now, self.paused_at, self.waits = now, None, False
        self.away: list[Span] = []
        self.called_off: list[Span] = []
        """Cancelled vacations: the deadlines that they postponed stay postponed."""
        self.plain, self.quiet = Seat(pace, now), Seat(pace, now)
        self.do_ask()

    @property
    def at(self) -> Moment:
        return Moment(self.now, self.paused_at, self.away)

    def commit(self, *, waits: bool, same: bool = False, decided: bool = False) -> None:
        change = QuestionChange(self.waits, waits, same, decided)
        for seat in (self.plain, self.quiet):
            seat.commit(change, self.at)
        self.waits = waits

    def postpone(self, change, shown: int | None = None) -> None:
        for seat in (self.plain, self.quiet):
            now = self.at.clock_time(seat.wait) if shown is None else shown
            seat.postpone(self.away, now, change)

    def do_pass(self, ms: int) -> None:
        self.now += ms

    def do_rest(self, quiet: str | None, zone: str) -> None:
        """Set other quiet hours, from now on."""
        self.quiet.person = Someone(quiet, zone)

    def do_rest_then(self, before: int, zone: str) -> None:
        """Quiet hours of the longest kind, around the present deadline."""
        at = datetime.fromtimestamp((self.quiet.wait.due or self.now) / 1000, ZoneInfo(zone))
        begin = (at.hour * 60 + at.minute - before) % A_DAY
        self.do_rest(as_text(begin, quiet_hours.LONGEST), zone)

    def do_ask(self) -> None:
        self.commit(waits=True, same=self.waits)

    def do_answer(self, again: bool) -> None:
        if self.waits:
            self.commit(waits=again, decided=True)

    def do_change(self) -> None:
        if self.waits:
            self.commit(waits=True)

    def do_withdraw(self) -> None:
        if self.waits:
            self.commit(waits=False)

    def do_extend(self, ms: int) -> None:
        if self.waits:
            self.postpone(lambda wait: arithmetic.extend(wait, ms, self.away))

    def do_pause(self) -> None:
        self.paused_at = self.now if self.paused_at is None else self.paused_at

    def do_resume(self) -> None:
        if self.paused_at is not None:
            self.postpone(lambda wait: arithmetic.resume(wait, self.at))
            self.paused_at = None

    def do_down(self, ms: int) -> None:
        begun, self.now = self.now, self.now + ms
        self.postpone(lambda wait: arithmetic.outage(wait, (begun, self.now), self.at), begun)

    def do_vacation(self, days: int) -> None:
        """Plan to be away from tomorrow on or, if the vacation has not begun, cancel it."""
        if any(begins <= self.now < ends for begins, ends in self.away):
            return
        begins = self.now - self.now % DAY + 2 * DAY
        then = [(begins, begins + days * DAY)] if days else []
        before = self.at
        self.away, gone = then, self.away
        self.called_off += [each for each in gone if each not in then]
        self.postpone(
            lambda wait: arithmetic.vacation(wait, before._replace(away=gone), then),
            before.clock_time(self.plain.wait),
        )

    @property
    def added(self) -> int:
        """The time on the clock between both deadlines."""
        span = self.plain.wait.due, self.quiet.wait.due
        assert span[0] is not None and span[1] is not None and span[0] <= span[1]
        put_off = [*self.away, *(each for each in self.called_off if each not in self.away)]
        return span[1] - span[0] - sum(overlap(span, [each]) for each in {*put_off})


times = st.integers(MINUTE, 30 * HOUR)
nights = st.one_of(
    st.none(),
    st.builds(as_text, st.integers(0, A_DAY - 1), st.sampled_from([1, 60, quiet_hours.LONGEST])),
)
steps = st.one_of(
    st.tuples(st.just("rest"), nights, st.sampled_from(ZONES)),
    st.tuples(st.just("rest_then"), st.integers(0, 60), st.sampled_from(ZONES)),
    st.tuples(st.just("pass"), times),
    st.tuples(st.just("answer"), st.booleans()),
    st.tuples(st.sampled_from(["ask", "change", "change", "withdraw", "pause", "resume"])),
    st.tuples(st.just("extend"), times),
    st.tuples(st.just("down"), times),
    st.tuples(st.just("vacation"), st.integers(0, 3)),
)


@settings(max_examples=200)
@given(paces, begins, st.lists(steps, max_size=40))
def test_changing_quiet_hours_gains_no_more_than_one_night(pace, begun, history):
    twins = Twins(pace, begun)
    for kind, *how in history:
        told, decides = twins.quiet.wait.due, kind in {"answer", "withdraw"}
        getattr(twins, f"do_{kind}")(*how)
        plain, wait = twins.plain.wait, twins.quiet.wait
        assert quiet_hours.plain(wait) == plain, "it is charged and postponed as without them"
        if wait.due is not None:
            assert twins.added <= LONGEST + SAVING + ONLINE_DELAY
            assert told is None or decides or wait.due >= told, "a deadline was brought forward"
            assert "rest" not in kind or wait.due == told, "what was told stays"


@given(paces, begins, nights, st.sampled_from(ZONES))
def test_a_deadline_is_outside_of_them_when_a_question_comes(pace, begun, quiet, zone):
    twins = Twins(pace, begun)
    twins.do_answer(again=False)
    twins.do_rest(quiet, zone)
    twins.do_ask()
    due, mailed_at = twins.quiet.wait.due, twins.now + ONLINE_DELAY
    expected = quiet_hours.end_of_quiet(twins.quiet.person, twins.plain.wait.due or 0)
    told_at = quiet_hours.end_of_quiet(twins.quiet.person, mailed_at)
    if told_at > mailed_at:
        allowed = (twins.plain.wait.due or 0) - twins.now
        expected = max(expected, told_at + min(allowed, quiet_hours.TO_ANSWER))
    assert due == expected
    assert quiet_hours.end_of_quiet(twins.quiet.person, due or 0) == due


def test_what_quiet_hours_add_does_not_run_on_vacation():
    away = [(MIDNIGHT, MIDNIGHT + 3 * DAY)]
    wait = Wait(MIDNIGHT - DAY, MIDNIGHT - HOUR)
    assert quiet_hours.after_quiet(wait, NIGHT, away).due == MIDNIGHT + 3 * DAY + 7 * HOUR


def test_an_outage_after_the_deadline_of_the_pace_takes_nothing_of_the_night():
    gap = MIDNIGHT + 5 * HOUR, MIDNIGHT + 8 * HOUR
    after = quiet_hours.postponed(
        ASKED, NIGHT, (), gap[0], lambda wait: arithmetic.outage(wait, gap, Moment(gap[1]))
    )
    assert after.due == MIDNIGHT + 10 * HOUR
    assert [entry.kind for entry in quiet_hours.reasons("outage", ASKED, after)] == ["outage"]


def test_a_vacation_that_begins_in_the_night_takes_nothing_of_it():
    away, now = [(MIDNIGHT, MIDNIGHT + DAY)], MIDNIGHT - 5 * HOUR
    after = quiet_hours.postponed(
        ASKED, NIGHT, away, now, lambda wait: arithmetic.vacation(wait, Moment(now), away)
    )
    assert after.due == MIDNIGHT + DAY + 7 * HOUR
    assert [entry.kind for entry in quiet_hours.reasons("vacation", ASKED, after)] == ["vacation"]


def test_a_question_that_changes_in_the_night_keeps_the_deadline_that_was_told():
    """The bank of three hours has run out an hour before midnight."""
    pace, now = Pace("reserve", HOUR, 3 * HOUR, DAY), MIDNIGHT - 2 * HOUR
    later = Someone("22:00-10:00", "UTC")
    wait = ASKED._replace(since=MIDNIGHT - 4 * HOUR, reserve=3 * HOUR)
    change = QuestionChange(waited=True, waits=True, same=False, decided=False)
    after, entries = quiet_hours.after_commit(pace, wait, change, Moment(now), later)
    assert (after.due, after.moved, after.reserve) == (wait.due, wait.moved, HOUR)
    assert [(entry.kind, entry.wait.due) for entry in entries] == [
        ("changed", wait.due),
        ("asked", wait.due),
    ]


def rested(person, quiet):
    person.send("PATCH", "/api/me/settings", json={"quiet": quiet, "time_zone": "UTC"})


RESERVE = {"kind": "reserve", "reserve": 24 * 3600, "increment": 3600, "cap": 24 * 3600}


@pytest.mark.parametrize("quiet", [None, "09:00-20:00"])
def test_a_time_bank_is_charged_as_without_them(cast, clock, quiet):
    """The tests begin at ten o'clock: after a day the bank is empty, and quiet hours end ten hours later."""
    rested(cast.alice, quiet)
    game_id = cast.start(CARAVAN, pace=RESERVE)
    clock.forward(20 * HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    assert cast.alice.game(game_id)["seats"][0]["reserve"] == 5 * 3600


def test_quiet_hours_that_follow_a_deadline_around_move_it_once(cast, app, clock):
    """After each outage the deadline would fall into other quiet hours."""
    hours = Hours(app, clock)
    rested(cast.alice, "09:00-20:00")
    game_id = cast.start(CARAVAN, pace="daily")
    for quiet in ("20:00-08:00", "19:00-07:00", "20:30-08:30"):
        (waits,) = (each for each in cast.alice.game(game_id)["waiting"] if each["seat"] == 0)
        assert waits["due"] == "2026-11-22T20:00:00.000Z"
        rested(cast.alice, quiet)
        hours.outage(HOUR)
    assert reasons(cast.alice, game_id, 0) == ["asked", "quiet", "outage", "outage", "outage"]
