"""Quiet hours: deadlines move to their end and no further, and no mail is sent in them."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.tables.clocks import quiet_hours
from service.tables.clocks.quiet_hours import end_of_quiet
from tests.support.cast import BOOMERANG, sqlite_only
from tests.support.clock import HOUR, MINUTE, due, hours, reasons
from tests.support.post_office import Office

__all__ = ["hours"]

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Lord_Howe")


class Someone(NamedTuple):
    """Quiet hours, and their time zone."""

    quiet: str | None
    time_zone: str | None


def ms(text: str, zone: str = "UTC", fold: int = 0) -> int:
    at = datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone), fold=fold)
    return int(at.timestamp() * 1000)


@pytest.mark.parametrize(
    ("quiet", "zone", "at", "end"),
    [
        ("22:00-07:00", "UTC", "2026-11-21T21:59:59", None),
        ("22:00-07:00", "UTC", "2026-11-21T22:00", "2026-11-22T07:00"),
        ("22:00-07:00", "UTC", "2026-11-22T06:59:59", "2026-11-22T07:00"),
        ("22:00-07:00", "UTC", "2026-11-22T07:00", None),
        ("13:00-14:30", "Asia/Tokyo", "2026-11-22T13:15", "2026-11-22T14:30"),
        ("23:00-07:00", "Europe/Berlin", "2026-03-28T23:30", "2026-03-29T07:00"),
        ("23:00-07:00", "Europe/Berlin", "2026-10-24T23:30", "2026-10-25T07:00"),
    ],
)
def test_the_end_is_by_the_clock_on_the_wall(quiet, zone, at, end):
    expected = ms(end or at, zone)
    assert end_of_quiet(Someone(quiet, zone), ms(at, zone)) == expected


def test_nights_of_daylight_saving():
    berlin = Someone("23:00-07:00", "Europe/Berlin")
    lengths = []
    for day in ("2026-03-28", "2026-06-01", "2026-10-24"):
        at = ms(f"{day}T23:00", "Europe/Berlin")
        lengths.append((end_of_quiet(berlin, at) - at) // HOUR)
    assert lengths == [7, 8, 9]
    skipped = end_of_quiet(
        Someone("01:00-02:30", "Europe/Berlin"), ms("2026-03-29T01:30", "Europe/Berlin")
    )
    assert skipped == ms("2026-03-29T03:30", "Europe/Berlin")
    twice = Someone("01:00-02:30", "Europe/Berlin")
    assert end_of_quiet(twice, ms("2026-10-25T02:10", "Europe/Berlin", fold=1)) == ms(
        "2026-10-25T02:30", "Europe/Berlin", fold=1
    )


minutes = st.integers(0, 24 * 60 - 1)


@given(minutes, st.integers(1, quiet_hours.LONGEST), st.sampled_from(ZONES), st.data())
def test_nobody_gains_more_than_the_rest_of_the_quiet_hours(begin, lasting, zone, data):
    end = (begin + lasting) % quiet_hours.A_DAY
    text = "-".join(f"{each // 60:02}:{each % 60:02}" for each in (begin, end))
    assert quiet_hours.is_allowed(text)
    someone = Someone(text, zone)
    at = data.draw(st.integers(ms("2026-01-01T00:00"), ms("2027-12-31T00:00")))
    moved = end_of_quiet(someone, at)
    assert at <= moved <= at + lasting * MINUTE + HOUR
    assert end_of_quiet(someone, moved) == moved, "moving it again changes nothing"
    if moved > at:
        local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
        minute = local.hour * 60 + local.minute
        assert (minute - begin) % quiet_hours.A_DAY < lasting
        assert end_of_quiet(someone, moved - 1) == moved or moved - at <= 2 * HOUR


@pytest.mark.parametrize("wrong", ["22:00", "7:00-8:00", "24:00-07:00", "22:00-07:00 "])
@sqlite_only
def test_wrong_hours_are_refused(cast, wrong):
    found = cast.alice.refused("PATCH", "/api/me/settings", "invalid-body", {"quiet": wrong})
    assert found["errors"].keys() == {"quiet"}
    assert cast.alice.get("/api/me/settings")["settings"]["quiet"] is None


@pytest.mark.parametrize("wrong", ["22:00-22:00", "08:00-21:00"])
@sqlite_only
def test_hours_that_are_empty_or_too_long_are_refused(cast, wrong):
    cast.alice.refused("PATCH", "/api/me/settings", "invalid-quiet-hours", {"quiet": wrong})
    assert cast.alice.get("/api/me/settings")["settings"]["quiet"] is None


def rest(person, quiet, zone="UTC"):
    wish = {"quiet": quiet, "time_zone": zone}
    person.send("PATCH", "/api/me/settings", json=wish)


@pytest.mark.both_databases
def test_a_deadline_moves_to_their_end_and_the_clock_says_so(cast, clock, hours):
    """The tests begin at ten o'clock."""
    rest(cast.alice, "09:00-12:00")
    game_id = cast.start(BOOMERANG, pace="daily")
    assert cast.asked(game_id)[0] is cast.alice
    assert due(cast.alice, game_id) == "2026-11-22T12:00:00.000Z"
    assert reasons(cast.alice, game_id)[-2:] == ["asked", "quiet"]
    rest(cast.alice, "11:00-20:00")
    assert due(cast.alice, game_id) == "2026-11-22T12:00:00.000Z", "what was told stays"
    hours.outage(HOUR)
    assert due(cast.alice, game_id) == "2026-11-22T20:00:00.000Z"
    assert reasons(cast.alice, game_id)[-2:] == ["outage", "quiet"]


@pytest.mark.parametrize(
    ("pace", "ends"),
    [(6 * 3600, "21:00"), (600, "20:10"), (10 * 3600 + 600, "21:00"), (86_400, "20:00")],
)
def test_whoever_is_asked_at_night_has_time_in_the_morning(app, cast, clock, pace, ends):
    """The tests begin at ten. The mail comes when the quiet hours end; then there is an hour, or the pace's time."""
    office = Office(app)
    office.address(cast.alice)
    rest(cast.alice, "09:00-20:00")
    game_id = cast.start(BOOMERANG, pace={"kind": "decision", "seconds": pace})
    day = 22 if pace == 86_400 else 21
    assert due(cast.alice, game_id) == f"2026-11-{day}T{ends}:00.000Z"
    clock.forward(10 * HOUR - 1)
    assert office.deliver(now=False) == []
    clock.forward(1)
    assert str(office.deliver(now=False)[0]["Subject"]).startswith("Your turn")


def test_whoever_is_asked_right_before_the_night_has_time_in_the_morning(cast):
    """A mail to somebody who is online comes five minutes later, and so after the night."""
    rest(cast.alice, "10:05-20:00")
    game_id = cast.start(BOOMERANG, pace={"kind": "decision", "seconds": 3 * 3600})
    assert due(cast.alice, game_id) == "2026-11-21T21:00:00.000Z"


def test_a_clock_outside_them_is_as_ever(cast):
    rest(cast.alice, "22:00-07:00")
    game_id = cast.start(BOOMERANG, pace="daily")
    assert due(cast.alice, game_id) == "2026-11-22T10:00:00.000Z"
    assert "quiet" not in reasons(cast.alice, game_id)


def test_no_mail_about_games_is_sent_in_them(app, cast, clock):
    office = Office(app)
    office.address(cast.alice)
    rest(cast.alice, "09:00-12:00")
    cast.start(BOOMERANG)
    assert office.deliver() == []
    clock.forward(2 * HOUR - 1)
    assert office.deliver(now=False) == []
    clock.forward(1)
    assert len(office.deliver(now=False)) == 1


def test_a_reminder_does_not_leave_together_with_the_question_that_quiet_hours_put_off(
    app, cast, clock
):
    """The tests begin at ten. Reminders are due at fifteen and at nineteen, and the question comes at twenty."""
    office = Office(app)
    office.address(cast.alice)
    cast.alice.send("PATCH", "/api/me/settings", json={"reminders": [420, 180, 60]})
    rest(cast.alice, "09:00-20:00")
    cast.start(BOOMERANG, pace={"kind": "decision", "seconds": 12 * 3600})
    clock.forward(10 * HOUR)
    assert [str(each["Subject"])[:9] for each in office.deliver(now=False)] == ["Your turn"]
    clock.forward(HOUR)
    assert len(office.deliver(now=False)) == 1, "the last one is due later"


def test_of_two_reminders_in_quiet_hours_one_leaves_afterwards(app, cast, clock):
    office = Office(app)
    office.address(cast.alice)
    cast.alice.send("PATCH", "/api/me/settings", json={"reminders": [300, 180]})
    rest(cast.alice, "13:00-20:00")
    cast.start(BOOMERANG, pace={"kind": "decision", "seconds": 11 * 3600})
    clock.forward(HOUR)
    assert len(office.deliver(now=False)) == 1, "the question"
    clock.forward(9 * HOUR)
    assert len(office.deliver(now=False)) == 1, "one reminder of two"


def test_what_was_asked_for_comes_at_once(app, cast):
    office = Office(app)
    office.address(cast.alice)
    rest(cast.alice, "09:00-12:00")
    cast.nobody.post("/api/links", {"who": "alice", "kind": "sign-in"}, status=202)
    assert len(office.deliver()) == 1
