"""Clocks of a table that rests: random histories next to a twin that looks at the wall clock, in zones that change
theirs.
"""

from __future__ import annotations

import random
from datetime import datetime
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from service.core.runtime.units import DAY, HOUR, MINUTE
from service.log.table_rows.rests import Rest, Standstills
from service.outbox.causes.reminders import Deadline, times
from service.tables.clocks import arithmetic, quiet_hours
from service.tables.clocks.arithmetic import PRESETS, Moment, Wait
from service.tables.clocks.quiet_hours import end_of_quiet
from tests.service.log.table_rows.test_rests import STEP, Twin, at, weeks
from tests.service.tables.clocks.test_arithmetic import Seat, any_step, normal_step, paces
from tests.service.tables.clocks.test_quiet_hours import Someone
from tests.service.tables.clocks.test_time_histories import AUCTION, PACES, History
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.clock import history, hours, reasons
from tests.support.post_office import Office, part, to

__all__ = ["hours"]


class RestingSeat(Seat):
    """A seat of a table that rests; its twin says when its clock stands still."""

    def __init__(self, pace, begun, rest):
        self.rest = rest
        super().__init__(pace, begun)

    @property
    def at(self):
        return Moment(self.now, self.paused_at, Standstills(self.away, self.rest))

    def do_pass(self, count, down=False):
        until = self.now + count * HOUR
        if self.waits and not down and self.paused_at is None:
            self.ran += Twin(self.rest, tuple(self.away)).runs(self.now, until)
        self.now = until

    def do_extend(self, count):
        self.wait = arithmetic.extend(self.wait, count * HOUR, self.at.away)

    def do_vacation(self, lead, count):
        then = self.now + lead * HOUR
        spans = [(then, then + count * HOUR)] if count else []
        self.wait = arithmetic.vacation(self.wait, self.at, Standstills(spans, self.rest))
        self.away = spans


without_vacations = st.lists(
    st.one_of(normal_step, st.tuples(st.just("down"), st.integers(1, 30))), max_size=15
)


@settings(max_examples=20)
@given(paces, weeks(), without_vacations)
def test_all_the_time_has_run_at_the_deadline_whatever_stops_the_clock(pace, week, history):
    """This holds exactly: with pauses, outages, extensions and rests, even overlapping ones."""
    rest, begun = week
    seat = RestingSeat(pace, begun, rest)
    for kind, *how in history:
        seat.act(kind, *how)
        if seat.waits and seat.paused_at is None and seat.wait.due > seat.now:
            left = Twin(rest).runs(seat.now, seat.wait.due)
            assert left == arithmetic.allowance(pace, seat.wait) - seat.ran, kind
            assert left == arithmetic.time_left(pace, seat.wait, seat.at)


@settings(max_examples=25)
@given(paces, weeks(), st.lists(any_step, max_size=15))
def test_a_rest_costs_nobody_time_and_brings_no_deadline_forward(pace, week, history):
    rest, begun = week
    seat = RestingSeat(pace, begun, rest)
    for kind, *how in history:
        before, ran, answers = seat.wait, seat.ran, seat.answers
        seat.act(kind, *how)
        assert 0 <= seat.wait.spent - before.spent <= ran
        if before.due is not None and seat.wait.due is not None and seat.answers == answers:
            assert seat.wait.due >= before.due, kind
        if seat.wait.due is not None and seat.wait.due > seat.now:
            assert not Twin(rest).stands(seat.wait.due - STEP), "no deadline falls into a rest"


@settings(max_examples=25)
@given(weeks(), st.integers(0, 287), st.integers(12, 144), st.integers(1, 60 * 12))
def test_quiet_hours_move_a_deadline_to_where_neither_they_nor_a_rest_are(
    week, begin, lasting, given_time
):
    rest, begun = week
    ends = (begin, (begin + lasting) % 288)
    person = Someone("-".join(f"{n // 12:02}:{n % 12 * 5:02}" for n in ends), "Asia/Tokyo")
    stops, twin = Standstills((), rest), Twin(rest)
    plain = arithmetic.begin(
        PRESETS["daily"]._replace(each=given_time * STEP), Wait(begun), Moment(begun, None, stops)
    )
    after = quiet_hours.after_quiet(plain, person, stops)
    assert quiet_hours.plain(after) == plain
    if after.due != plain.due:
        assert not twin.stands(after.due)
        undisturbed = [
            now
            for now in range(after.due, after.due + 14 * DAY, STEP)
            if not twin.stands(now) and end_of_quiet(person, now) == now
        ]
        assert not undisturbed or undisturbed[0] == after.due


def test_whoever_is_late_when_a_table_resumes_in_a_rest_has_until_its_end():
    """The worker had not looked yet when the table paused, a minute after the deadline."""
    rest, zone = Rest("Europe/Berlin", (6, 7)), "Europe/Berlin"
    thursday, saturday, monday = (at(zone, 2026, 11, day, 18) for day in (19, 21, 23))
    stops = Standstills((), rest)
    wait = arithmetic.begin(PRESETS["daily"], Wait(thursday), Moment(thursday, None, stops))
    paused_at = wait.due + MINUTE
    wait = arithmetic.resume(wait, Moment(saturday, paused_at, stops))
    assert wait.due == monday - 18 * HOUR


@settings(max_examples=25)
@given(weeks(), st.integers(1, 72), st.lists(st.integers(5, 4000), max_size=3, unique=True))
def test_reminders_come_when_so_much_is_left_on_the_clock(week, given_time, leads):
    rest, begun = week
    leads = [lead // 5 * 5 for lead in leads]
    stops, twin = Standstills((), rest), Twin(rest)
    due = arithmetic.stretch(begun, given_time * HOUR, stops)
    row = {**rest._asdict(), "days": list(rest.days)}
    deadline = Deadline(1, 0, 1, begun, due, "t", "p", leads, row)
    found = times(deadline, begun)
    assert {twin.runs(reminder, due) for reminder in found} <= {lead * MINUTE for lead in leads}
    early_enough = [lead for lead in leads if lead * MINUTE < given_time * HOUR * 3 // 4]
    assert len(found) == len(early_enough)


WEEKENDS = {"time_zone": "Europe/Berlin", "days": [6, 7], "open": None}
RESTS = [
    ((2027, 3, 20), WEEKENDS),
    ((2027, 3, 8), {"time_zone": "America/New_York", "days": [], "open": "08:00-20:00"}),
    ((2027, 3, 27), {"time_zone": "Australia/Lord_Howe", "days": [3], "open": "18:00-01:30"}),
]
"""The start and the rest periods of the table: each reaches a change of the wall clock."""


class RestingHistory(History):
    """A game at a table that rests."""

    def __init__(self, app, clock, rng, pace, begins, rest):
        clock.forward(at(rest["time_zone"], *begins) - clock())
        self.rest, self.twin = rest, twin_of(rest)
        super().__init__(app, clock, rng, pace)

    def start(self, pace):
        wish = {"pace": pace, "rest": self.rest, "takeover": 2, "players": 3}
        return self.people.start_anew(AUCTION, **wish)

    def run(self, ms):
        """Let time pass, and the clocks run where the wall shows no rest."""
        until = self.clock() + ms
        while (now := self.clock()) < until:
            stands, then = self.twin.stands(now), now
            while then < until and self.twin.stands(then) == stands:
                then += STEP - then % STEP
            step = min(then, until) - now
            if stands:
                self.clock.forward(step)
            else:
                super().run(step)

    def wrong(self, old, new, mine, count, table):
        rests = "timeout" in mine and self.twin.stands(self.clock() - 1)
        return super().wrong(old, new, mine, count, table) or rests * "timed out during a rest"


def twin_of(rest):
    return Twin(Rest(rest["time_zone"], tuple(rest["days"]), rest["open"]))


@pytest.mark.of_service
@sqlite_only
@pytest.mark.parametrize("which", range(len(RESTS)))
@pytest.mark.parametrize(
    "number", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(1, 10))]
)
def test_nobody_is_timed_out_while_the_table_rests(app, clock, which, number):
    """In random histories of whole games nobody loses time except by deciding, and none because of a rest."""
    pace = PACES[("decision", "reserve")[(which + number) % 2]]
    history = RestingHistory(app, clock, random.Random(number), pace, *RESTS[which])
    for _ in range(100):
        history.happen()


DAILY = {"pace": "daily", "rest": WEEKENDS}
"""The tests begin on a Saturday at ten."""
MONDAY = "2026-11-22T23:00:00.000Z"


@pytest.mark.both_databases
def test_moves_are_played_while_the_table_rests(cast, hours):
    game_id = cast.start(**DAILY)
    person, game = cast.asked(game_id)
    assert game["rest"] == {"begins_at": "2026-11-20T23:00:00.000Z", "ends_at": MONDAY}
    assert game["pace"]["rest"]["words"].startswith("The table rests at weekends (Europe/Berlin)")
    assert game["waiting"][0]["due"] == "2026-11-23T23:00:00.000Z"
    assert reasons(person, game_id)[-2:] == ["asked", "rest"]
    person.answer(game)
    again = person.game(game_id)
    assert again["number"] > game["number"]
    hours.later(2 * DAY)
    assert person.game(game_id)["rest"]["begins_at"] == "2026-11-27T23:00:00.000Z"
    assert not [each for each in history(person, game_id) if each.get("by") == "timeout"]


def test_a_tag_is_another_one_after_a_rest(cast, clock):
    game_id = cast.start(**DAILY)
    path = f"/api/games/{game_id}"
    tag = cast.alice.send("GET", path).headers["ETag"]
    clock.forward(ms_until(MONDAY, clock) - 1)
    assert cast.alice.send("GET", path, headers={"If-None-Match": tag}).headers["ETag"] != tag, (
        "the game is quieter"
    )
    tag = cast.alice.send("GET", path).headers["ETag"]
    assert cast.alice.send("GET", path, headers={"If-None-Match": tag}).status_code == 304
    clock.forward(1)
    assert cast.alice.send("GET", path, headers={"If-None-Match": tag}).status_code == 200


def ms_until(then, clock):
    return int(datetime.fromisoformat(then).timestamp() * 1000) - clock()


@pytest.mark.parametrize(
    ("pace", "rest", "why"),
    [
        ("none", {}, "no-clock"),
        (None, {}, "no-clock"),
        ("quick", {}, "too-fast"),
        ({"kind": "decision", "seconds": 30}, {}, "too-fast"),
        ("daily", {"time_zone": "Europe/Atlantis"}, "time-zone"),
        ("daily", {"days": []}, "too-long"),
        ("daily", {"days": [1, 2, 3, 4, 5, 6]}, "too-long"),
        ("daily", {"open": "09:00-12:59"}, "too-long"),
    ],
)
@sqlite_only
def test_a_rest_that_makes_no_sense_is_refused(cast, pace, rest, why):
    wish = {"ruleset": BOOMERANG, "rest": WEEKENDS | rest}
    wish |= {"pace": pace} if pace else {}
    found = cast.alice.refused("POST", "/api/games", "invalid-rest", wish)
    assert found["why"] == why
    assert cast.alice.get("/api/games?mine=true")["games"] == []


@pytest.mark.parametrize(
    "rest",
    [
        {"days": [0]},
        {"days": [8]},
        {"days": [6, 6]},
        {"days": ["6"]},
        {"days": None},
        {"open": "9-17"},
        {"open": "09:00-24:00"},
        {"time_zone": None},
        {"time_zone": "../etc/passwd"},
        {"zone": "UTC"},
    ],
)
@sqlite_only
def test_a_rest_that_is_none_is_an_invalid_body(cast, rest):
    wish = {"ruleset": BOOMERANG, "pace": "daily", "rest": WEEKENDS | rest}
    found = cast.alice.refused("POST", "/api/games", "invalid-body", wish)
    assert set(found["errors"]) == {"rest"}


@pytest.mark.both_databases
def test_mails_lists_calendars_and_pages_say_that_the_table_rests(app, cast):
    """This is said to everybody who is asked, in their language and zone."""
    office = Office(app)
    office.address(cast.alice, zone="Europe/Berlin")
    office.address(cast.bob, language="ja", zone="Asia/Tokyo")
    made = cast.alice.post("/api/games", {"ruleset": CARAVAN, **DAILY})
    listed = cast.bob.get("/api/games?status=open")["games"][0]["pace"]
    assert listed["words"] == "A move a day, rests at weekends"
    cast.bob.post(f"/api/games/{made['id']}/seats", {})
    cast.alice.post(f"/api/games/{made['id']}/start", status=200)
    said = {
        cast.alice: ("The table rests until Monday", "rests at weekends"),
        cast.bob: ("までお休みです", "週末がお休みです"),
    }
    letters = office.deliver()[::-1]  # reminders come after what they remind of
    mails = {str(mail["To"]): part(mail) for mail in letters}
    assert mails.keys() == set(map(to, said))
    for person, (until, always) in said.items():
        assert until in mails[to(person)]
        feed = person.post("/api/me/feeds", {"label": "calendar"})["feed"]["deadlines"]
        data = cast.nobody.send("GET", urlsplit(feed).path).data
        (event,) = Calendar.from_ical(data).walk("VEVENT")
        assert always in str(event["DESCRIPTION"])
        assert event["DTSTART"].dt.isoformat() == "2026-11-23T23:00:00+00:00"
    page = cast.alice.send("GET", f"/plain/games/{made['id']}").get_data(as_text=True)
    assert said[cast.alice][0] in page
    told = [each["words"] for each in cast.alice.get(f"/api/games/{made['id']}/clock")["entries"]]
    assert any("The table rests meanwhile" in each and "1 day 13 hours" in each for each in told)
