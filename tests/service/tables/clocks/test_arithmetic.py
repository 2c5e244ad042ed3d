"""The arithmetic of clocks: random histories of one seat in steps of an hour, then an example of each rule."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.tables.clocks import arithmetic
from service.tables.clocks.arithmetic import PRESETS, Moment, Pace, QuestionChange, Wait

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
"""The beginnings of histories: some on the evening before daylight saving begins or ends."""

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
normal_step = st.one_of(
    st.tuples(st.just("pass"), hours),
    st.tuples(st.just("answer"), st.booleans()),
    st.tuples(st.sampled_from(["again", "change", "withdraw", "ask", "pause", "resume"])),
    st.tuples(st.just("extend"), hours),
)
any_step = st.one_of(
    normal_step,
    st.tuples(st.just("down"), hours),
    st.tuples(st.just("vacation"), hours, st.integers(0, 60)),
)


class Seat:
    """One seat, driven as the service drives it, and an independent count of the time on its clock."""

    def __init__(self, pace: Pace, begun: int) -> None:
        self.pace, self.now = pace, begun
        self.paused_at: int | None = None
        self.away: list[tuple[int, int]] = []
        self.wait = arithmetic.start(pace, begun)
        self.waits = False
        self.answers = 0
        self.ran = 0
        """The ms for which the clock has run in the present wait."""
        self.kinds: list[str] = []
        self.act("ask")

    @property
    def at(self) -> Moment:
        return Moment(self.now, self.paused_at, self.away)

    def act(self, kind: str, *how: int) -> None:
        getattr(self, f"do_{kind}")(*how)

    def step(self, *, waits: bool, same: bool = False, decided: bool = False) -> None:
        step = QuestionChange(self.waits, waits, same, decided)
        self.wait, entries = arithmetic.after(self.pace, self.wait, step, self.at)
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
        """Send the same answer again: it is acknowledged and nothing is logged."""
        self.step(waits=self.waits, same=True)

    def do_change(self) -> None:
        if self.waits:
            self.step(waits=True)

    def do_withdraw(self) -> None:
        if self.waits:
            self.step(waits=False)

    def do_extend(self, count: int) -> None:
        self.wait = arithmetic.extend(self.wait, count * HOUR, self.away)

    def do_pause(self) -> None:
        self.paused_at = self.now if self.paused_at is None else self.paused_at

    def do_resume(self) -> None:
        if self.paused_at is not None:
            self.wait = arithmetic.resume(self.wait, self.at)
            self.paused_at = None

    def do_down(self, count: int) -> None:
        begun = self.now
        self.do_pass(count, down=True)
        self.wait = arithmetic.outage(self.wait, (begun, self.now), self.at)

    def do_vacation(self, lead: int, count: int) -> None:
        """Plan to be away `lead` hours from now for `count` hours; 0 cancels the vacation."""
        then = self.now + lead * HOUR
        spans = [(then, then + count * HOUR)] if count else []
        self.wait = arithmetic.vacation(self.wait, self.at, spans)
        self.away = spans


@pytest.fixture(params=BEGINS)
def begun(request):
    return int(request.param) * 1000


histories = st.lists(any_step, max_size=40)
begins = st.sampled_from([int(each) * 1000 for each in BEGINS])


@given(paces, begins, histories)
def test_deadlines_are_never_brought_forward(pace, begun, history):
    """This holds whatever happens between two answers of the same seat."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        promised, answers = seat.wait.due, seat.answers
        seat.act(kind, *how)
        if promised is not None and seat.wait.due is not None and seat.answers == answers:
            assert seat.wait.due >= promised, kind


@given(paces, begins, histories)
def test_no_seat_is_charged_without_a_decision(pace, begun, history):
    """A decision, or a changed question, costs at most the time that has run on the clock and at most the time there
    was.
    """
    seat = Seat(pace, begun)
    for kind, *how in history:
        before, ran, waits, count = seat.wait, seat.ran, seat.waits, len(seat.kinds)
        had = arithmetic.allowance(pace, before)
        seat.act(kind, *how)
        paid = seat.wait.spent - before.spent
        if kind in {"answer", "change"} and waits:
            assert 0 <= paid <= min(ran, had)
            assert seat.kinds[count] == {"answer": "answered", "change": "changed"}[kind]
        else:
            assert paid == 0
            assert seat.wait.reserve >= before.reserve


@given(paces, begins, histories)
def test_sending_an_answer_twice_moves_no_deadline(pace, begun, history):
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
        before = seat.wait
        seat.act("again")
        assert seat.wait == before


@given(paces, begins, histories, hours)
def test_an_extension_is_not_used_up_while_nothing_is_asked(pace, begun, history, count):
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
    given_time = arithmetic.time_left(pace, seat.wait, seat.at)
    assert given_time == arithmetic.allowance(pace, seat.wait)
    assert given_time >= (extra + count * HOUR)


@given(paces, begins, st.lists(normal_step, max_size=40))
def test_a_decision_is_charged_the_time_on_the_clock(pace, begun, history):
    """This holds exactly, even with pauses and extensions; a late answer costs no more than there was."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        before, ran, waits = seat.wait, seat.ran, seat.waits
        had = arithmetic.allowance(pace, before)
        seat.act(kind, *how)
        if kind in {"answer", "change"} and waits:
            assert seat.wait.spent - before.spent == min(ran, had)


without_vacations = st.lists(st.one_of(normal_step, st.tuples(st.just("down"), hours)), max_size=40)
"""Histories without vacations, because an outage is credited even if it falls into one."""


@settings(max_examples=300)
@given(paces, begins, without_vacations)
def test_the_deadline_is_when_all_the_time_has_run(pace, begun, history):
    """This holds exactly, whatever stopped the clock: the deadline is neither earlier nor later than promised."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
        if seat.waits and seat.paused_at is None:
            assert seat.wait.due == seat.now + arithmetic.allowance(pace, seat.wait) - seat.ran


@settings(max_examples=300)
@given(paces, begins, hours, st.integers(1, 60), st.lists(normal_step, max_size=20))
def test_the_clock_does_not_run_during_a_vacation(pace, begun, lead, count, history):
    seat = Seat(pace, begun)
    seat.act("vacation", lead, count)
    for kind, *how in history:
        seat.act(kind, *how)
    if seat.waits and seat.paused_at is None and seat.wait.due >= seat.now:
        while seat.ran < arithmetic.allowance(pace, seat.wait):
            seat.act("pass", 1)
        back = [end for start, end in seat.away if start <= seat.now < end]
        assert seat.wait.due in {seat.now, *back}


@given(paces, begins, histories)
def test_the_reserve_stays_between_zero_and_its_cap(pace, begun, history):
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
        assert 0 <= seat.wait.reserve <= pace.cap
        assert seat.wait.extra >= 0
        assert (seat.wait.due is None) == (not seat.waits)


@given(paces, begins, histories)
def test_a_new_deadline_leaves_all_the_time_that_there_is(pace, begun, history):
    """A new wait can be used to its last hour, whatever has happened before."""
    seat = Seat(pace, begun)
    for kind, *how in history:
        seat.act(kind, *how)
    seat.act("withdraw")
    seat.act("ask")
    if seat.paused_at is None:
        seat.act("pass", arithmetic.allowance(pace, seat.wait) // HOUR)
        assert seat.wait.due >= seat.now
    assert arithmetic.time_left(pace, seat.wait, seat.at) >= 0


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_a_day_is_24_hours_even_when_daylight_saving_changes(begun, zone):
    seat = Seat(PRESETS["daily"], begun)
    shown = datetime.fromtimestamp(seat.wait.due / 1000, ZoneInfo(zone))
    asked = datetime.fromtimestamp(begun / 1000, ZoneInfo(zone))
    assert shown.timestamp() - asked.timestamp() == timedelta(days=1).total_seconds()
    assert datetime.fromisoformat(shown.isoformat()).timestamp() * 1000 == seat.wait.due


def test_a_day_without_a_worker_costs_nobody_a_day(begun):
    seat = Seat(PRESETS["daily"], begun)
    seat.act("pass", 20)
    seat.act("down", 24)
    assert arithmetic.time_left(seat.pace, seat.wait, seat.at) == 4 * HOUR
    seat.act("pass", 3)
    seat.act("answer", False)
    assert seat.wait.spent == 23 * HOUR


# An example of each rule


def asked(pace: Pace, **more: int) -> Wait:
    return arithmetic.begin(pace, arithmetic.start(pace, 0)._replace(**more), Moment(0))


def test_without_a_clock_there_is_no_deadline_and_no_charge():
    wait, entries = arithmetic.after(
        PRESETS["none"],
        asked(PRESETS["none"]),
        QuestionChange(True, True, False, True),
        Moment(DAY),
    )
    assert (wait.due, wait.spent, wait.since, entries) == (None, 0, DAY, [])


def test_each_decision_has_its_own_time():
    pace = PRESETS["daily"]
    wait, entries = arithmetic.after(
        pace, asked(pace), QuestionChange(True, True, False, True), Moment(5 * HOUR)
    )
    assert wait.due == 5 * HOUR + DAY and wait.spent == 5 * HOUR
    assert [(entry.kind, entry.ms) for entry in entries] == [("answered", 5 * HOUR), ("asked", DAY)]


def test_a_reserve_is_spent_and_refilled_up_to_its_cap():
    pace = Pace("reserve", 2 * HOUR, 10 * HOUR, 11 * HOUR)
    wait, _ = arithmetic.after(
        pace, asked(pace), QuestionChange(True, False, False, True), Moment(5 * HOUR)
    )
    assert wait.reserve == 7 * HOUR
    wait, _ = arithmetic.after(
        pace, asked(pace), QuestionChange(True, False, False, True), Moment(MINUTE)
    )
    assert wait.reserve == 11 * HOUR
    wait, _ = arithmetic.after(
        pace, asked(pace), QuestionChange(True, False, False, True), Moment(99 * HOUR)
    )
    assert wait.reserve == 2 * HOUR, "after a time-out there is one increment"


def test_a_changed_question_costs_the_time_spent_and_keeps_the_deadline():
    pace = Pace("reserve", 2 * HOUR, 10 * HOUR, 11 * HOUR)
    wait, _ = arithmetic.after(
        pace, asked(pace), QuestionChange(True, True, False, False), Moment(4 * HOUR)
    )
    assert (wait.reserve, wait.due, wait.since) == (6 * HOUR, 10 * HOUR, 4 * HOUR)


def test_a_withdrawn_question_costs_nothing():
    pace = Pace("reserve", 2 * HOUR, 10 * HOUR, 11 * HOUR)
    wait, entries = arithmetic.after(
        pace, asked(pace), QuestionChange(True, False, False, False), Moment(HOUR)
    )
    assert (wait.reserve, wait.due) == (10 * HOUR, None)
    assert [entry.kind for entry in entries] == ["withdrawn"]


def test_extra_time_is_used_last():
    pace = PRESETS["daily"]
    wait = arithmetic.extend(asked(pace), 10 * HOUR)
    assert wait.due == 34 * HOUR
    early, _ = arithmetic.after(
        pace, wait, QuestionChange(True, False, False, True), Moment(20 * HOUR)
    )
    late, _ = arithmetic.after(
        pace, wait, QuestionChange(True, False, False, True), Moment(30 * HOUR)
    )
    assert (early.extra, late.extra) == (10 * HOUR, 4 * HOUR)


def test_a_vacation_does_not_count():
    away = [(10 * HOUR, 50 * HOUR)]
    wait = arithmetic.begin(PRESETS["daily"], Wait(0), Moment(0, None, away))
    assert wait.due == 64 * HOUR
    assert arithmetic.time_left(PRESETS["daily"], wait, Moment(60 * HOUR, None, away)) == 4 * HOUR
    assert arithmetic.time_left(PRESETS["daily"], wait, Moment(5 * HOUR, None, away)) == 19 * HOUR
    later = arithmetic.vacation(asked(PRESETS["daily"]), Moment(0), away)
    assert later.due == 64 * HOUR
    assert arithmetic.vacation(later, Moment(HOUR, None, away), []).due == 64 * HOUR
    assert arithmetic.time_left(PRESETS["daily"], later, Moment(HOUR)) == 24 * HOUR, (
        "never more than the allowance"
    )


def test_a_vacation_planned_after_the_deadline_changes_nothing():
    wait = asked(PRESETS["daily"])
    assert arithmetic.vacation(wait, Moment(25 * HOUR), [(24 * HOUR, 48 * HOUR)]) == wait


def test_an_outage_during_a_pause_is_credited_once():
    pace = PRESETS["daily"]
    wait = arithmetic.outage(asked(pace), (2 * HOUR, 10 * HOUR), Moment(10 * HOUR, 6 * HOUR))
    assert arithmetic.resume(wait, Moment(20 * HOUR, 6 * HOUR)).due == 24 * HOUR + 18 * HOUR
    late = arithmetic.begin(pace, arithmetic.start(pace, 0), Moment(8 * HOUR, 6 * HOUR))
    assert arithmetic.outage(late, (2 * HOUR, 10 * HOUR), Moment(10 * HOUR, 6 * HOUR)) == late


def test_a_returning_player_has_time_for_a_decision():
    pace = PRESETS["steady"]
    empty = arithmetic.start(pace, 0)._replace(reserve=0)
    assert arithmetic.returned(pace, empty).reserve == pace.each
    assert arithmetic.substituted(pace, empty).reserve == pace.reserve


@pytest.mark.parametrize("pace", PRESETS.values(), ids=PRESETS)
def test_presets_are_in_whole_seconds_and_start_within_their_cap(pace):
    assert pace.each % 1000 == pace.reserve % 1000 == pace.cap % 1000 == 0
    assert pace.reserve <= pace.cap
    assert (pace.kind == "none") == (pace.each == 0)


@pytest.mark.parametrize("pace", ["daily", "steady"])
def test_a_later_vacation_counts_once_the_deadline_reaches_it(pace):
    """Something else stops the clock, which moves the deadline into the player's vacation."""
    away = [(200 * HOUR, 300 * HOUR)]
    pace = PRESETS[pace]
    wait = arithmetic.vacation(asked(pace), Moment(HOUR), away)
    left = wait.due
    assert left < 200 * HOUR
    paused = arithmetic.resume(wait, Moment(190 * HOUR, 0, away))
    assert paused.due == 290 * HOUR + left
    down = arithmetic.outage(wait, (0, 190 * HOUR), Moment(190 * HOUR, None, away))
    assert down.due == 290 * HOUR + left
    assert arithmetic.resume(wait, Moment(100 * HOUR, 0, away)).due == 100 * HOUR + left, (
        "still before the vacation"
    )


def test_an_answer_during_an_outage_costs_only_the_time_before_it():
    pace = PRESETS["steady"]
    wait, _ = arithmetic.after(
        pace, asked(pace), QuestionChange(True, False, False, True), Moment(40 * HOUR, 5 * HOUR)
    )
    assert wait.spent == 5 * HOUR


def test_a_question_changed_during_an_outage_loses_no_time():
    """The outage so far is credited at once, the rest of it when it is over."""
    pace = PRESETS["steady"]
    change = QuestionChange(True, True, False, False)
    wait, _ = arithmetic.after(pace, asked(pace), change, Moment(40 * HOUR, 5 * HOUR))
    assert (wait.spent, wait.due) == (5 * HOUR, 40 * HOUR + 67 * HOUR)
    later = arithmetic.outage(wait, (5 * HOUR, 60 * HOUR), Moment(60 * HOUR))
    assert later.due == 60 * HOUR + 67 * HOUR
