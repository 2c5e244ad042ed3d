"""Vacations: at most 30 days a year, told a day ahead, one at a time, in the days of one's own time zone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.service.cast import Person, sqlite_only
from tests.service.dump import execute

DAY = 86_400_000
PATH = "/api/me/vacations"
"""The tests begin on 21 November 2026, at ten in the morning, UTC."""


def plan(person, first, last):
    return person.post(PATH, {"first": first, "last": last})["vacation"]


def refused(person, first, last, why):
    told = person.refused("POST", PATH, "invalid-vacation", {"first": first, "last": last})
    assert told["why"] == why


def left(person):
    return {each["year"]: each["days"] for each in person.get(PATH)["days_left"]}


def test_a_vacation_is_whole_days_of_the_players_time_zone(app, cast):
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Asia/Tokyo"})
    made = plan(cast.alice, "2026-12-24", "2026-12-26")
    assert made["begins_at"] == "2026-12-23T15:00:00.000Z"
    assert made["ends_at"] == "2026-12-26T15:00:00.000Z"
    assert cast.alice.get(PATH)["vacations"] == [made]
    (row,) = execute(app, "SELECT * FROM players WHERE id = :id", id=cast.alice.id)
    assert row.away_until - row.away_from == 3 * DAY


@sqlite_only
def test_days_are_those_of_the_clocks_that_change(cast):
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Europe/Paris"})
    made = plan(cast.alice, "2027-03-28", "2027-03-28")
    assert made["begins_at"] == "2027-03-27T23:00:00.000Z"
    assert made["ends_at"] == "2027-03-28T22:00:00.000Z"


def test_thirty_days_a_year_are_counted_by_year(cast, clock):
    assert left(cast.alice) == {2026: 30, 2027: 30}
    plan(cast.alice, "2026-12-12", "2027-01-10")
    assert left(cast.alice) == {2026: 10, 2027: 20}
    clock.forward(60 * DAY)
    assert left(cast.alice)[2027] == 20
    refused(cast.alice, "2027-02-01", "2027-02-21", "too-long")
    plan(cast.alice, "2027-02-01", "2027-02-20")
    assert left(cast.alice) == {2027: 0, 2028: 30}


@sqlite_only
def test_a_vacation_of_a_year_at_most(cast):
    refused(cast.alice, "2027-01-01", "2027-01-31", "too-long")
    refused(cast.alice, "2027-01-01", "2027-12-31", "too-long")
    plan(cast.alice, "2027-01-01", "2027-01-30")


@sqlite_only
def test_the_tables_are_told_a_day_ahead(cast, clock):
    refused(cast.alice, "2026-11-22", "2026-11-25", "too-soon")
    refused(cast.alice, "2026-11-21", "2026-11-25", "too-soon")
    refused(cast.alice, "2020-01-01", "2020-01-02", "too-soon")
    clock.at += 14 * 3_600_000
    plan(cast.alice, "2026-11-23", "2026-11-25")


@sqlite_only
def test_days_make_sense(cast):
    refused(cast.alice, "2026-12-02", "2026-12-01", "backwards")
    refused(cast.alice, "2028-01-01", "2028-01-02", "too-far")
    refused(cast.alice, "9999-12-31", "9999-12-31", "too-far")
    refused(cast.alice, "0001-01-01", "0001-01-01", "too-soon")
    for wrong in (
        "2026-02-30",
        "0000-01-01",
        "20261201",
        "2026-W50-1",
        "2026-12-1",
        "",
        None,
        5,
        [],
    ):
        cast.alice.refused("POST", PATH, "invalid-body", {"first": wrong, "last": "2026-12-24"})


def test_the_tables_see_it_at_once(cast):
    game_id = cast.start()
    before = cast.bob.game(game_id)
    made = plan(cast.alice, "2026-12-01", "2026-12-02")
    after = cast.bob.game(game_id)
    assert after["revision"] > before["revision"]
    told = {"begins_at": made["begins_at"], "ends_at": made["ends_at"]}
    assert [seat["away"] for seat in after["seats"]] == [told, None, None]
    cast.alice.delete(f"{PATH}/{made['id']}")
    assert cast.bob.game(game_id)["seats"][0]["away"] is None


def due_of(person, game_id):
    """Until when this person has time."""
    game = person.game(game_id)
    (due,) = [each["due"] for each in game["waiting"] if each["seat"] == game["seat"]]
    return due


def test_one_at_a_time(cast):
    plan(cast.alice, "2026-12-01", "2026-12-02")
    refused(cast.alice, "2026-12-10", "2026-12-11", "planned")
    plan(cast.bob, "2026-12-10", "2026-12-11")


def test_what_is_called_off_counts_no_longer(app, cast):
    made = plan(cast.alice, "2026-12-01", "2026-12-20")
    cast.carol.refused("DELETE", f"{PATH}/{made['id']}", "not-found")
    cast.alice.delete(f"{PATH}/{made['id']}")
    cast.alice.refused("DELETE", f"{PATH}/{made['id']}", "not-found")
    assert left(cast.alice)[2026] == 30
    (row,) = execute(app, "SELECT away_from FROM players WHERE id = :id", id=cast.alice.id)
    assert row.away_from is None
    plan(cast.alice, "2026-12-02", "2026-12-03")


def test_who_comes_back_early_has_the_rest_left(cast, clock):
    made = plan(cast.alice, "2026-11-23", "2026-12-02")
    clock.forward(3 * DAY)
    cast.alice.delete(f"{PATH}/{made['id']}")
    assert left(cast.alice)[2026] == 28
    assert cast.alice.get(PATH)["vacations"][0]["last"] == "2026-11-24"
    clock.forward(10 * DAY)
    cast.alice.refused("DELETE", f"{PATH}/{made['id']}", "not-found")


@pytest.mark.parametrize("begun", [False, True])
def test_days_that_a_due_time_reckons_with_are_used(cast, clock, begun):
    """Else a vacation that is called off again and again would put off an answer for ever."""
    game_id = cast.start("caravan", pace="weekly")
    made = plan(cast.alice, "2026-11-23", "2026-12-02")
    due = due_of(cast.alice, game_id)
    assert due.startswith("2026-12-08")
    clock.forward((3 if begun else 1) * DAY)
    cast.alice.delete(f"{PATH}/{made['id']}")
    assert left(cast.alice)[2026] == 20
    assert due_of(cast.alice, game_id) == due
    cast.alice.refused("DELETE", f"{PATH}/{made['id']}", "not-found")
    plan(cast.alice, "2026-12-20", "2026-12-21")


def test_once_the_answer_is_given_the_days_are_free(cast):
    game_id = cast.start("caravan", pace="weekly")
    made = plan(cast.alice, "2026-11-23", "2026-12-02")
    cast.alice.answer(cast.alice.game(game_id))
    assert [each["seat"] for each in cast.alice.game(game_id)["waiting"]] == [1]
    cast.alice.delete(f"{PATH}/{made['id']}")
    assert left(cast.alice)[2026] == 30


@sqlite_only
def test_a_vacation_that_is_over_cannot_be_ended(cast, clock):
    made = plan(cast.alice, "2026-11-23", "2026-11-24")
    clock.forward(10 * DAY)
    cast.alice.refused("DELETE", f"{PATH}/{made['id']}", "not-found")
    assert left(cast.alice)[2026] == 28


@pytest.mark.parametrize("attempt", range(3))
def test_of_two_at_the_same_moment_one_is_planned(app, cast, attempt):
    """In two processes the row of the player decides."""
    together = threading.Barrier(2)

    def try_it(month):
        person = Person(app)
        person.headers = cast.bob.headers
        together.wait()
        days = {"first": f"2026-12-{month}1", "last": f"2026-12-{month}2"}
        return person.send("POST", PATH, json=days).status_code

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(try_it, (0, 1))) == [201, 422], attempt
