"""Mails with the standings of a series: to whom, when, and what they say."""

from __future__ import annotations

import pytest

from service.core.words.words import phrases
from service.notifications.mail_texts import standings_mail
from tests.support.browsers import Browser, PushService
from tests.support.cast import START, Cast, Clock
from tests.support.circles import found, join, member, path
from tests.support.clock import DAY, HOUR, MINUTE
from tests.support.post_office import Office, part, to
from tests.support.series import enter, of, opened, work
from tests.support.watching import watched

WEEK = 7 * DAY
SUNDAY = START + DAY + 8 * HOUR
"""When the first week begins: the tests start on a Saturday, at ten."""


@pytest.fixture
def office(app, cast: Cast) -> Office:
    office = Office(app)
    office.address(*cast.seated)
    return office


@pytest.fixture
def circle_id(cast: Cast, office: Office) -> str:
    """A circle of Alice, with Bob and Carol."""
    return found(cast.alice, cast.bob, cast.carol)


@pytest.fixture
def series_id(app, cast: Cast, clock: Clock, circle_id: str) -> str:
    """A series of all three, which has just begun."""
    clock.at = START - DAY
    made = opened(cast.alice, circle_id, starts_in=1, round_days=30)
    for person in cast.seated:
        enter(person, made)
    look(app, clock, START)
    return made


def look(app, clock, at: int) -> None:
    clock.at = at
    work(app)


def readers(mails) -> list[str]:
    return sorted(str(mail["To"]) for mail in mails)


@pytest.mark.both_databases
def test_everybody_who_plays_gets_the_standings_once_a_week(app, cast, clock, office, series_id):
    office.deliver()
    look(app, clock, SUNDAY - 2 * MINUTE)
    assert office.due("standings") == []
    look(app, clock, SUNDAY)
    assert len(office.due("standings")) == 3
    exported = cast.bob.get("/api/me/export")["mails"]
    assert [each["kind"] for each in exported].count("standings") == 1
    assert not [each for each in office.deliver(now=False) if "Standings" in each["Subject"]]
    clock.at = START + DAY + 22 * HOUR  # Monday at eight
    mails = office.deliver(now=False)
    assert readers(mails) == sorted(to(each) for each in cast.seated)
    mail = next(each for each in mails if each["To"] == to(cast.bob))
    assert mail["Subject"] == "Standings of the series “Autumn league”, season 1"
    assert "Bob, round 1 is being played." in part(mail)
    assert "of 3, with 0 points" in part(mail) and "Carol – 0 points" in part(mail)
    assert "/series\n" in part(mail) and mail["List-Unsubscribe"]
    for hours in range(1, 6 * 24):
        look(app, clock, SUNDAY + hours * HOUR)
    assert office.due("standings") == []
    look(app, clock, SUNDAY + WEEK + HOUR)
    assert len(office.due("standings")) == 3


def test_a_week_without_a_worker_is_told_of_once(app, clock, office, series_id):
    look(app, clock, SUNDAY + 3 * WEEK + 2 * DAY)
    assert len(office.due("standings")) == 3
    look(app, clock, SUNDAY + 3 * WEEK + 3 * DAY)
    assert len(office.due("standings")) == 3


def test_it_is_monday_morning_where_the_reader_lives(app, clock, cast, office, series_id):
    zones = {"Alice": "Pacific/Kiritimati", "Bob": "Asia/Tokyo", "Carol": "America/Los_Angeles"}
    for person in cast.seated:
        office.change("UPDATE players SET time_zone = :z", person, z=zones[person.name])
    look(app, clock, SUNDAY)
    midnight = START + DAY + 14 * HOUR
    at = {each.player_id: each.run_at for each in office.due("standings")}
    assert [at[each.id] - midnight for each in cast.seated] == [
        -6 * HOUR,
        -HOUR,
        16 * HOUR,
    ]


def test_nobody_who_has_left_gets_one(app, cast, clock, office, circle_id, series_id):
    look(app, clock, SUNDAY)
    cast.bob.delete(of(series_id, "entry"))
    circle = cast.alice.get(path(circle_id))
    cast.alice.delete(path(circle_id, f"members/{member(circle, 'Carol')}"))
    mails = [each for each in office.deliver() if "Standings" in each["Subject"]]
    assert readers(mails) == [to(cast.alice)]
    look(app, clock, SUNDAY + WEEK)
    assert len(office.due("standings")) == 1


def test_substitutes_get_none_and_whoever_wants_none_gets_none(
    app, cast, clock, office, circle_id, series_id
):
    cast.bob.send("PATCH", "/api/me/settings", json={"unwanted": ["standings"]})
    office.address(cast.mallory)
    join(cast.mallory, cast.alice.get(path(circle_id)))
    assert not enter(cast.mallory, series_id)["entry"]["plays"]
    look(app, clock, SUNDAY)
    mails = [each for each in office.deliver() if "Standings" in each["Subject"]]
    assert readers(mails) == [to(cast.alice), to(cast.carol)]


@pytest.mark.both_databases
def test_the_end_is_told_at_once_and_earlier_mails_are_not_sent(
    app, cast, clock, office, series_id
):
    look(app, clock, SUNDAY)
    cast.alice.delete(of(series_id))
    mails = [each for each in office.deliver() if "Standings" in each["Subject"]]
    assert readers(mails) == sorted(to(each) for each in cast.seated)
    assert all("the series is over" in part(each) for each in mails)
    look(app, clock, SUNDAY + WEEK)
    assert office.due("standings") == []


@pytest.mark.both_databases
def test_the_worker_queues_all_mails_with_the_same_few_statements(
    app, cast, clock, office, series_id
):
    def statements(at: int) -> int:
        with watched(app) as seen:
            look(app, clock, at)
        return len([each for each in seen.statements if each != ";"])

    of_three = statements(SUNDAY)
    cast.carol.delete(of(series_id, "entry"))
    look(app, clock, SUNDAY + DAY)
    of_two = statements(SUNDAY + WEEK)
    assert len(office.due("standings")) == 3 + 2
    assert of_three == of_two


def test_a_series_that_has_not_begun_tells_nothing(app, cast, clock, office, circle_id):
    made = opened(cast.alice, circle_id, starts_in=20)
    enter(cast.alice, made)
    look(app, clock, SUNDAY + WEEK)
    cast.alice.delete(of(made))
    assert office.due("standings") == []


def test_of_many_people_the_best_are_named():
    people = [
        {"name": f"Person {n}", "you": n == 30, "place": n, "points": 40.0 - n / 2}
        for n in range(1, 41)
    ]
    said = standings_mail.lines(people, phrases("en"))
    assert said[0] == "Your place is 30 of 40, with 25 points."
    assert said[1] == "1. Person 1 – 39.5 points" and len(said) == 12
    assert said[-1] == "The others, 30 in all, are on the page of the series."


def test_a_notified_browser_opens_the_series(app, cast, clock, series_id):
    """Whoever reads that notification is signed in there, unlike readers of emails."""
    browser = Browser()
    browser.subscribe(cast.alice)
    look(app, clock, SUNDAY)
    opened_by = [each["url"] for each in PushService(app, browser).fetch()]
    assert f"/series/{series_id}" in opened_by
