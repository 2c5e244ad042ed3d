"""The arithmetic of time, over random histories of one seat; an hour is the smallest step of these."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service import clock
from service.clock import DAY, HOUR, MINUTE, PRESETS, Moment, Pace, Step, Wait

BEGINS = [
    datetime(*day, tzinfo=ZoneInfo(zone)).timestamp()
    for day, zone in (
        ((2026, 11, 21, 10), "UTC"),
        ((2026, 3, 28, 22), "Europe/Berlin"),
        ((2026, 10, 24, 22), "Europe/Berlin"),
        ((2026, 4, 4, 20), "Australia/Lord_Howe"),
        ((2026, 11, 1, 0), "America/New_York"),
    )
]
"""Times at which a history begins: some the evening before the clocks are changed."""

paces = st.one_of(
    st.sampled_from([PRESETS[name] for name in ("daily", "steady", "relaxed", "weekly")]),
    st.builds(lambda hours: Pace("decision", hours * HOUR), st.integers(1, 60)),
    st.builds(
        lambda each, reserve, more: Pace(
            "reserve", each * HOUR, reserve * HOUR, (reserve + more) * HOUR
        ),
        st.integers(1, 20),
        st.integers(1, 60),
        st.integers(0, 60),
    ),
)
hours = st.integers(1, 30)
calm = st.one_of(
    st.tuples(st.just("pass"), hours),
    st.tuples(st.just("answer"), st.booleans()),
    st.tuples(st.sampled_from(["again", "change", "withdraw", "ask", "pause", "resume"])),
    st.tuples(st.just("extend"), hours),
)
upset = st.one_of(
    calm,
    st.tuples(st.just("down"), hours),
    st.tuples(st.just("vacation"), hours, st.integers(0, 60)),
)


class Seat:
    """One seat, driven as the service drives it; beside it a plain count of the hours on its clock."""

    def __init__(self, pace: Pace, begun: int) -> None:
        self.pace, self.now = pace, begun
        self.paused_at: int | None = None
        self.away: list[tuple[int, int]] = []
        self.wait = clock.start(pace, begun)
        self.waits = False
        self.answers = 0
        self.ran = 0
        """Hours on the clock of the present wait."""
        self.kinds: list[str] = []
        self.act("ask")

    @property
    def at(self) -> Moment:
        return Moment(self.now, self.paused_at, self.away)

    def act(self, kind: str, *how: int) -> None:
        getattr(self, f"do_{kind}")(*how)

    def step(self, *, waits: bool, same: bool = False, decided: bool = False) -> None:
        step = Step(self.waits, waits, same, decided)
        self.wait, entries = clock.after(self.pace, self.wait, step, self.at)
        self.kinds += [entry.kind for entry in entries]
        if (self.waits, same) != (waits, True):
            self.ran = 0
        self.waits = waits

    def do_pass(self, count: int, down: bool = False) -> None:
        for _ in range(count):
            gone = any(start <= self.now < end for start, end in self.away)
            if self.waits and not down and not gone and self.paused_at is None:
                self.ran += HOUR
            self.now += HOUR

    def do_ask(self) -> None:
        self.step(waits=True, same=self.waits)

    def do_answer(self, asked_again: bool) -> None:
        if self.waits:
            self.answers += 1
            self.step(waits=asked_again, decided=True)

    def do_again(self) -> None:
        """The same answer once more: it is acknowledged, nothing is logged."""
        self.step(waits=self.waits, same=True)

    def do_change(self) -> None:
        if self.waits:
            self.step(waits=True)

    def do_withdraw(self) -> None:
        if self.waits:
            self.step(waits=False)

    def do_extend(self, count: int) -> None:
        self.wait = clock.extend(self.wait, count * HOUR, self.away)

    def do_pause(self) -> None:
        self.paused_at = self.now if self.paused_at is None else self.paused_at

    def do_resume(self) -> None:
        if self.paused_at is not None:
            self.wait = clock.resume(self.wait, self.at)
            self.paused_at = None

    def do_down(self, count: int) -> None:
        begun = self.now
        self.do_pass(count, down=True)
        self.wait = clock.outage(self.wait, (begun, self.now), self.at)

    def do_vacation(self, lead: int, count: int) -> None:
        """To be away from some hours on; with 0 hours a vacation is given up."""
        then = self.now + lead * HOUR
        spans = [(then, then + count * HOUR)] if count else []
        self.wait = clock.vacation(self.wait, self.at, spans)
        self.away = spans


@pytest.fixture(params=BEGINS)
def begun(request):
    return int(request.param) * 1000


histories = st.lists(upset, max_size=40)
begins = st.sampled_from([int(each) * 1000 for each in BEGINS])


@given(paces, begins, histories)
def test_nothing_that_was_told_is_brought_forward(pace, begun, history):
    """Whatever happens between two answers of the seat itself."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        told, answers = seat.wait.due, seat.answers
        seat.act(kind, *how)
        if told is not None and seat.wait.due is not None and seat.answers == answers:
            assert seat.wait.due >= told, kind


@given(paces, begins, histories)
def test_no_seat_is_charged_without_a_decision(pace, begun, history):
    """Only what it was asked costs time, never more than was on its clock, nor more than it had."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        before, ran, waits, told = seat.wait, seat.ran, seat.waits, len(seat.kinds)
        had = clock.allowance(pace, before)
        seat.act(kind, *how)
        paid = seat.wait.spent - before.spent
        if kind in {"answer", "change"} and waits:
            assert 0 <= paid <= min(ran, had)
            assert seat.kinds[told] == {"answer": "answered", "change": "changed"}[kind]
        else:
            assert paid == 0
            assert seat.wait.reserve >= before.reserve


@given(paces, begins, histories)
def test_no_due_time_moves_when_an_answer_is_sent_twice(pace, begun, history):
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
        before = seat.wait
        seat.act("again")
        assert seat.wait == before


@given(paces, begins, histories, hours)
def test_no_extension_is_used_up_by_who_has_nothing_to_do(pace, begun, history, count):
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
    seat.act("withdraw")
    extra = seat.wait.extra
    seat.act("extend", count)
    for kind, *how in history:
        if kind in {"pass", "again", "pause", "resume", "down", "vacation"}:
            seat.act(kind, *how)
            assert seat.wait.extra == extra + count * HOUR
    seat.act("ask")
    given_time = clock.left(pace, seat.wait, seat.at)
    assert given_time == clock.allowance(pace, seat.wait)
    assert given_time >= (extra + count * HOUR)


@given(paces, begins, st.lists(calm, max_size=40))
def test_what_is_charged_is_what_was_on_the_clock(pace, begun, history):
    """To the hour, with pauses and extensions; a late answer costs no more than there was."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        before, ran, waits = seat.wait, seat.ran, seat.waits
        had = clock.allowance(pace, before)
        seat.act(kind, *how)
        if kind in {"answer", "change"} and waits:
            assert seat.wait.spent - before.spent == min(ran, had)


still = st.lists(st.one_of(calm, st.tuples(st.just("down"), hours)), max_size=40)
"""Histories without vacations: an outage that falls into one is given back all the same."""


@settings(max_examples=300)
@given(paces, begins, still)
def test_a_due_time_is_when_all_the_time_has_run(pace, begun, history):
    """To the hour, whatever made the clock stand: neither less than was promised nor more."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
        if seat.waits and seat.paused_at is None:
            assert seat.wait.due == seat.now + clock.allowance(pace, seat.wait) - seat.ran


@settings(max_examples=300)
@given(paces, begins, hours, st.integers(1, 60), st.lists(calm, max_size=20))
def test_a_vacation_is_time_that_does_not_run(pace, begun, lead, count, history):
    seat = Seat(pace, begun)
    seat.act("vacation", lead, count)
    for kind, *how in history:
        seat.act(kind, *how)
    if seat.waits and seat.paused_at is None and seat.wait.due >= seat.now:
        while seat.ran < clock.allowance(pace, seat.wait):
            seat.act("pass", 1)
        back = [end for start, end in seat.away if start <= seat.now < end]
        assert seat.wait.due in {seat.now, *back}


@given(paces, begins, histories)
def test_the_store_is_never_below_nothing_nor_above_its_cap(pace, begun, history):
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
        assert 0 <= seat.wait.reserve <= pace.cap
        assert seat.wait.extra >= 0
        assert (seat.wait.due is None) == (not seat.waits)


@given(paces, begins, histories)
def test_a_due_time_leaves_all_the_time_that_there_is(pace, begun, history):
    """A wait that begins can be used to its last hour, however the seat came to it."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
    seat.act("withdraw")
    seat.act("ask")
    if seat.paused_at is None:
        seat.act("pass", clock.allowance(pace, seat.wait) // HOUR)
        assert seat.wait.due >= seat.now
    assert clock.left(pace, seat.wait, seat.at) >= 0


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_a_day_is_24_hours_whatever_the_wall_clock_does(begun, zone):
    seat = Seat(PRESETS["daily"], begun)
    shown = datetime.fromtimestamp(seat.wait.due / 1000, ZoneInfo(zone))
    asked = datetime.fromtimestamp(begun / 1000, ZoneInfo(zone))
    assert shown.timestamp() - asked.timestamp() == timedelta(days=1).total_seconds()
    assert datetime.fromisoformat(shown.isoformat()).timestamp() * 1000 == seat.wait.due


def test_a_worker_that_was_down_for_a_day_costs_nobody_a_day(begun):
    seat = Seat(PRESETS["daily"], begun)
    seat.act("pass", 20)
    seat.act("down", 24)
    assert clock.left(seat.pace, seat.wait, seat.at) == 4 * HOUR
    seat.act("pass", 3)
    seat.act("answer", False)
    assert seat.wait.spent == 23 * HOUR


# Examples of each rule


def asked(pace: Pace, **more: int) -> Wait:
    return clock.begin(pace, clock.start(pace, 0)._replace(**more), Moment(0))


def test_without_a_clock_nothing_is_due_and_nothing_charged():
    wait, entries = clock.after(
        PRESETS["none"], asked(PRESETS["none"]), Step(True, True, False, True), Moment(DAY)
    )
    assert (wait.due, wait.spent, wait.since, entries) == (None, 0, DAY, [])


def test_so_much_time_for_each_decision():
    pace = PRESETS["daily"]
    wait, entries = clock.after(pace, asked(pace), Step(True, True, False, True), Moment(5 * HOUR))
    assert wait.due == 5 * HOUR + DAY and wait.spent == 5 * HOUR
    assert [(entry.kind, entry.ms) for entry in entries] == [("answered", 5 * HOUR), ("asked", DAY)]


def test_a_reserve_pays_and_grows_up_to_its_cap():
    pace = Pace("reserve", 2 * HOUR, 10 * HOUR, 11 * HOUR)
    wait, _ = clock.after(pace, asked(pace), Step(True, False, False, True), Moment(5 * HOUR))
    assert wait.reserve == 7 * HOUR
    wait, _ = clock.after(pace, asked(pace), Step(True, False, False, True), Moment(MINUTE))
    assert wait.reserve == 11 * HOUR
    wait, _ = clock.after(pace, asked(pace), Step(True, False, False, True), Moment(99 * HOUR))
    assert wait.reserve == 2 * HOUR, "after a time-out there is as much as a decision adds"


def test_another_question_costs_the_time_spent_and_leaves_what_was_told():
    pace = Pace("reserve", 2 * HOUR, 10 * HOUR, 11 * HOUR)
    wait, _ = clock.after(pace, asked(pace), Step(True, True, False, False), Moment(4 * HOUR))
    assert (wait.reserve, wait.due, wait.since) == (6 * HOUR, 10 * HOUR, 4 * HOUR)


def test_a_question_that_is_no_longer_asked_costs_nothing():
    pace = Pace("reserve", 2 * HOUR, 10 * HOUR, 11 * HOUR)
    wait, entries = clock.after(pace, asked(pace), Step(True, False, False, False), Moment(HOUR))
    assert (wait.reserve, wait.due) == (10 * HOUR, None)
    assert [entry.kind for entry in entries] == ["withdrawn"]


def test_time_that_was_agreed_on_is_used_last():
    pace = PRESETS["daily"]
    wait = clock.extend(asked(pace), 10 * HOUR)
    assert wait.due == 34 * HOUR
    early, _ = clock.after(pace, wait, Step(True, False, False, True), Moment(20 * HOUR))
    late, _ = clock.after(pace, wait, Step(True, False, False, True), Moment(30 * HOUR))
    assert (early.extra, late.extra) == (10 * HOUR, 4 * HOUR)


def test_a_vacation_is_not_counted():
    away = [(10 * HOUR, 50 * HOUR)]
    wait = clock.begin(PRESETS["daily"], Wait(0), Moment(0, None, away))
    assert wait.due == 64 * HOUR
    assert clock.left(PRESETS["daily"], wait, Moment(60 * HOUR, None, away)) == 4 * HOUR
    assert clock.left(PRESETS["daily"], wait, Moment(5 * HOUR, None, away)) == 19 * HOUR
    later = clock.vacation(asked(PRESETS["daily"]), Moment(0), away)
    assert later.due == 64 * HOUR
    assert clock.vacation(later, Moment(HOUR, None, away), []).due == 64 * HOUR
    assert clock.left(PRESETS["daily"], later, Moment(HOUR)) == 24 * HOUR, "never more than all"


def test_a_vacation_that_is_planned_too_late_moves_nothing():
    wait = asked(PRESETS["daily"])
    assert clock.vacation(wait, Moment(25 * HOUR), [(24 * HOUR, 48 * HOUR)]) == wait


def test_an_outage_and_a_pause_at_once_are_counted_once():
    pace = PRESETS["daily"]
    wait = clock.outage(asked(pace), (2 * HOUR, 10 * HOUR), Moment(10 * HOUR, 6 * HOUR))
    assert clock.resume(wait, Moment(20 * HOUR, 6 * HOUR)).due == 24 * HOUR + 18 * HOUR
    late = clock.begin(pace, clock.start(pace, 0), Moment(8 * HOUR, 6 * HOUR))
    assert clock.outage(late, (2 * HOUR, 10 * HOUR), Moment(10 * HOUR, 6 * HOUR)) == late


def test_who_comes_back_has_time_for_a_decision():
    pace = PRESETS["steady"]
    empty = clock.start(pace, 0)._replace(reserve=0)
    assert clock.returned(pace, empty).reserve == pace.each
    assert clock.substituted(pace, empty).reserve == pace.reserve


@pytest.mark.parametrize("pace", PRESETS.values(), ids=PRESETS)
def test_presets_are_whole_seconds_and_begin_within_their_cap(pace):
    assert pace.each % 1000 == pace.reserve % 1000 == pace.cap % 1000 == 0
    assert pace.reserve <= pace.cap
    assert (pace.kind == "none") == (pace.each == 0)


@pytest.mark.parametrize("pace", ["daily", "steady"])
def test_a_vacation_that_was_too_far_away_counts_once_the_due_time_comes_near(pace):
    """Something else makes the clock stand, and the due time moves to where its player is away."""
    away = [(200 * HOUR, 300 * HOUR)]
    pace = PRESETS[pace]
    wait = clock.vacation(asked(pace), Moment(HOUR), away)
    left = wait.due
    assert left < 200 * HOUR
    paused = clock.resume(wait, Moment(190 * HOUR, 0, away))
    assert paused.due == 290 * HOUR + left
    down = clock.outage(wait, (0, 190 * HOUR), Moment(190 * HOUR, None, away))
    assert down.due == 290 * HOUR + left
    assert clock.resume(wait, Moment(100 * HOUR, 0, away)).due == 100 * HOUR + left, "not yet"


def test_an_answer_while_nobody_works_here_costs_what_ran_before():
    pace = PRESETS["steady"]
    wait, _ = clock.after(
        pace, asked(pace), Step(True, False, False, True), Moment(40 * HOUR, 5 * HOUR)
    )
    assert wait.spent == 5 * HOUR


def test_another_question_while_nobody_works_here_takes_no_time():
    """The outage until then is given back at once, the rest of it when it is over."""
    pace = PRESETS["steady"]
    change = Step(True, True, False, False)
    wait, _ = clock.after(pace, asked(pace), change, Moment(40 * HOUR, 5 * HOUR))
    assert (wait.spent, wait.due) == (5 * HOUR, 40 * HOUR + 67 * HOUR)
    later = clock.outage(wait, (5 * HOUR, 60 * HOUR), Moment(60 * HOUR))
    assert later.due == 60 * HOUR + 67 * HOUR
