"""Vacations: at most 30 days a year, announced a day ahead, one at a time, in days of the player's time zone.

The tests begin on 21 November 2026 at 10:00 UTC.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.support.cast import Person, sqlite_only
from tests.support.dump import execute

DAY = 86_400_000
PATH = "/api/me/vacations"


def plan(person, first, last):
    return person.post(PATH, {"first": first, "last": last})["vacation"]


def refused(person, first, last, why):
    problem = person.refused("POST", PATH, "invalid-vacation", {"first": first, "last": last})
    assert problem["why"] == why


def left(person):
    return {each["year"]: each["days"] for each in person.get(PATH)["days_left"]}


@pytest.mark.both_databases
def test_a_vacation_is_whole_days_in_the_players_time_zone(app, cast):
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Asia/Tokyo"})
    made = plan(cast.alice, "2026-12-24", "2026-12-26")
    assert made["begins_at"] == "2026-12-23T15:00:00.000Z"
    assert made["ends_at"] == "2026-12-26T15:00:00.000Z"
    assert cast.alice.get(PATH)["vacations"] == [made]
    (row,) = execute(app, "SELECT * FROM players WHERE id = :id", id=cast.alice.id)
    assert row.away_until - row.away_from == 3 * DAY


@sqlite_only
def test_days_follow_daylight_saving(cast):
    cast.alice.send("PATCH", "/api/me/settings", json={"time_zone": "Europe/Paris"})
    made = plan(cast.alice, "2027-03-28", "2027-03-28")
    assert made["begins_at"] == "2027-03-27T23:00:00.000Z"
    assert made["ends_at"] == "2027-03-28T22:00:00.000Z"


def test_thirty_days_are_allowed_in_each_calendar_year(cast, clock):
    assert left(cast.alice) == {2026: 30, 2027: 30}
    plan(cast.alice, "2026-12-12", "2027-01-10")
    assert left(cast.alice) == {2026: 10, 2027: 20}
    clock.forward(60 * DAY)
    assert left(cast.alice)[2027] == 20
    refused(cast.alice, "2027-02-01", "2027-02-21", "too-long")
    plan(cast.alice, "2027-02-01", "2027-02-20")
    assert left(cast.alice) == {2027: 0, 2028: 30}


@sqlite_only
def test_a_vacation_is_at_most_the_days_of_a_year(cast):
    refused(cast.alice, "2027-01-01", "2027-01-31", "too-long")
    refused(cast.alice, "2027-01-01", "2027-12-31", "too-long")
    plan(cast.alice, "2027-01-01", "2027-01-30")


@sqlite_only
def test_a_vacation_has_to_be_planned_a_day_ahead(cast, clock):
    refused(cast.alice, "2026-11-22", "2026-11-25", "too-soon")
    refused(cast.alice, "2026-11-21", "2026-11-25", "too-soon")
    refused(cast.alice, "2020-01-01", "2020-01-02", "too-soon")
    clock.at += 14 * 3_600_000
    plan(cast.alice, "2026-11-23", "2026-11-25")


@sqlite_only
def test_impossible_days_are_refused(cast):
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


def test_a_players_tables_show_a_vacation_at_once(cast):
    game_id = cast.start()
    before = cast.bob.game(game_id)
    made = plan(cast.alice, "2026-12-01", "2026-12-02")
    after = cast.bob.game(game_id)
    assert after["revision"] > before["revision"]
    planned = {"begins_at": made["begins_at"], "ends_at": made["ends_at"]}
    assert [seat["away"] for seat in after["seats"]] == [planned, None, None]
    cast.alice.delete(f"{PATH}/{made['id']}")
    assert cast.bob.game(game_id)["seats"][0]["away"] is None


def due_of(person, game_id):
    """The deadline of this person."""
    game = person.game(game_id)
    (due,) = [each["due"] for each in game["waiting"] if each["seat"] == game["seat"]]
    return due


def test_a_player_plans_one_vacation_at_a_time(cast):
    plan(cast.alice, "2026-12-01", "2026-12-02")
    refused(cast.alice, "2026-12-10", "2026-12-11", "planned")
    plan(cast.bob, "2026-12-10", "2026-12-11")


def test_a_cancelled_vacation_no_longer_counts(app, cast):
    made = plan(cast.alice, "2026-12-01", "2026-12-20")
    cast.carol.refused("DELETE", f"{PATH}/{made['id']}", "not-found")
    cast.alice.delete(f"{PATH}/{made['id']}")
    cast.alice.refused("DELETE", f"{PATH}/{made['id']}", "not-found")
    assert left(cast.alice)[2026] == 30
    (row,) = execute(app, "SELECT away_from FROM players WHERE id = :id", id=cast.alice.id)
    assert row.away_from is None
    plan(cast.alice, "2026-12-02", "2026-12-03")


def test_ending_a_vacation_early_frees_the_remaining_days(cast, clock):
    made = plan(cast.alice, "2026-11-23", "2026-12-02")
    clock.forward(3 * DAY)
    cast.alice.delete(f"{PATH}/{made['id']}")
    assert left(cast.alice)[2026] == 28
    assert cast.alice.get(PATH)["vacations"][0]["last"] == "2026-11-24"
    clock.forward(10 * DAY)
    cast.alice.refused("DELETE", f"{PATH}/{made['id']}", "not-found")


@pytest.mark.parametrize("begun", [False, True])
def test_days_that_have_postponed_a_deadline_stay_used(cast, clock, begun):
    """Otherwise planning and cancelling again and again would postpone an answer forever."""
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


def test_days_can_be_freed_again_after_the_answer(cast):
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


@pytest.mark.both_databases
@pytest.mark.parametrize("attempt", range(3))
def test_only_one_of_two_simultaneous_vacations_is_planned(app, cast, attempt):
    """The row of the player is locked, across processes too."""
    together = threading.Barrier(2)

    def plan_in(month):
        person = Person(app)
        person.headers = cast.bob.headers
        together.wait()
        days = {"first": f"2026-12-{month}1", "last": f"2026-12-{month}2"}
        return person.send("POST", PATH, json=days).status_code

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(plan_in, (0, 1))) == [201, 422], attempt
