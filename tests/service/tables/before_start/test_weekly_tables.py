"""Weekly tables of circles: they open by themselves, and nobody sits there before they sit down."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from service.operations.worker.deadlines import WeeklyTables
from service.people.circles.weeklies import (
    MOST_OF_PERSON,
    MOST_UNUSED,
    MOST_WEEKLIES,
    next_time,
)
from tests.support.cast import CARAVAN, START
from tests.support.circles import found, join, path
from tests.support.clock import DAY, HOUR
from tests.support.dump import dump, execute
from tests.support.proposing import registered
from tests.support.talking import at

WEEK = 7 * DAY
BERLIN = "Europe/Berlin"
MONDAY = {"weekday": 1, "time": "20:00", "time_zone": BERLIN, "table": {"ruleset": CARAVAN}}
"""Tests begin on Saturday, 21 November 2026, at 10:00 UTC."""
FIRST = START + 2 * DAY + 9 * HOUR


@pytest.fixture
def circle_id(cast):
    """A circle of Alice, with Bob and Carol."""
    registered(*cast.everybody)
    return found(cast.alice, cast.bob, cast.carol)


def add(person, circle_id, **other):
    return person.post(path(circle_id, "weeklies"), MONDAY | other)


def open_due(app):
    """Let two workers open what is due; returns how many tables were opened."""
    with app.app_context():
        services = app.extensions["tegami"]
        return sum(WeeklyTables(services).open_all() for _ in range(2))


def listed(person, circle_id):
    return person.get(path(circle_id, "games?status=open"))["games"]


def instant(written, zone=BERLIN):
    return round(datetime.fromisoformat(written).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("after", "terms", "opens"),
    [
        ("2026-11-21T11:00", (1, "20:00"), "2026-11-23T20:00"),
        ("2026-11-23T19:59", (1, "20:00"), "2026-11-23T20:00"),
        ("2026-11-23T20:00", (1, "20:00"), "2026-11-30T20:00"),
        ("2027-03-22T20:00", (1, "20:00"), "2027-03-29T20:00"),
        ("2026-10-19T20:00", (1, "20:00"), "2026-10-26T20:00"),
    ],
)
def test_the_time_of_day_stays_the_same_when_daylight_saving_changes(after, terms, opens):
    found_time = next_time(instant(after), *terms, ZoneInfo(BERLIN))
    assert found_time == instant(opens)
    assert datetime.fromtimestamp(found_time / 1000, ZoneInfo(BERLIN)).strftime("%H:%M") == terms[1]


def test_a_time_that_the_clocks_skip_is_later_and_one_that_comes_twice_the_first():
    berlin = ZoneInfo(BERLIN)
    skipped = next_time(instant("2027-03-27T12:00"), 7, "02:30", berlin)
    assert datetime.fromtimestamp(skipped / 1000, berlin).strftime("%d %H:%M") == "28 03:30"
    twice = next_time(instant("2026-10-24T12:00"), 7, "02:30", berlin)
    assert datetime.fromtimestamp(twice / 1000, UTC).strftime("%d %H:%M") == "25 00:30"
    assert next_time(twice, 7, "02:30", berlin) - twice == WEEK + HOUR


@pytest.mark.both_databases
def test_a_table_opens_each_week_and_members_sit_down_if_they_like(app, cast, clock, circle_id):
    made = add(cast.bob, circle_id)
    assert (made["yours"], made["name"]) == (True, "Caravan")
    (shown,) = cast.carol.get(path(circle_id))["weeklies"]
    assert shown == {**made, "yours": False}
    clock.at = FIRST - 1
    assert open_due(app) == 0
    clock.at = FIRST
    assert open_due(app) == 1
    (table,) = listed(cast.carol, circle_id)
    assert (table["names"], table["seated"], table["private"]) == ([], 0, True)
    assert cast.mallory.get("/api/games")["games"] == []
    cast.mallory.refused("GET", f"/api/games/{table['id']}", "not-found")
    for person in cast.seated:
        assert person.get("/api/me/invitations")["invitations"] == []
        assert person.game(table["id"])["host"] is None
    cast.carol.post(at(table["id"], "seats"), {})
    cast.bob.post(at(table["id"], "seats"), {})
    assert cast.carol.post(at(table["id"], "start"), status=200)["status"] == "running"
    clock.forward(WEEK)
    assert open_due(app) == 1
    assert len(listed(cast.alice, circle_id)) == 1


@pytest.mark.both_databases
def test_a_worker_that_slept_for_weeks_opens_one_table(app, cast, clock, circle_id):
    add(cast.bob, circle_id)
    clock.at = FIRST + 3 * WEEK + HOUR
    assert open_due(app) == 1
    assert len(listed(cast.alice, circle_id)) == 1
    clock.at = FIRST + 4 * WEEK
    assert open_due(app) == 1


@pytest.mark.both_databases
def test_after_four_tables_that_nobody_wanted_no_more_are_opened(app, cast, clock, circle_id):
    add(cast.bob, circle_id)
    clock.at = FIRST
    for _ in range(MOST_UNUSED):
        assert open_due(app) == 1
        assert len(listed(cast.alice, circle_id)) == 1, "the one before is gone"
        clock.forward(WEEK)
    open_due(app)
    assert listed(cast.alice, circle_id) == []
    assert cast.alice.get(path(circle_id))["weeklies"] == []
    clock.forward(WEEK)
    assert open_due(app) == 0


def test_a_table_at_which_somebody_sits_stays(app, cast, clock, circle_id):
    add(cast.bob, circle_id)
    clock.at = FIRST
    open_due(app)
    (table,) = listed(cast.alice, circle_id)
    cast.carol.post(at(table["id"], "seats"), {})
    clock.forward(WEEK)
    open_due(app)
    assert len(listed(cast.alice, circle_id)) == 2
    assert execute(app, "SELECT unused FROM circle_weeklies")[0].unused == 0


def test_the_host_and_its_maker_remove_a_weekly_table(app, cast, clock, circle_id):
    made = [add(cast.bob, circle_id)["id"] for _ in range(2)]
    weeklies = [path(circle_id, f"weeklies/{each}") for each in made]
    cast.carol.refused("DELETE", weeklies[0], "not-host")
    cast.mallory.refused("DELETE", weeklies[0], "not-found")
    cast.bob.delete(weeklies[0])
    cast.alice.delete(weeklies[1])
    cast.alice.refused("DELETE", weeklies[1], "not-found")
    clock.at = FIRST
    assert open_due(app) == 0


def test_a_circle_has_five_weekly_tables(app, cast, circle_id):
    for _ in range(MOST_WEEKLIES):
        add(cast.bob, circle_id)
    told = cast.alice.refused("POST", path(circle_id, "weeklies"), "not-possible", MONDAY)
    assert told["why"] == "weeklies"
    cast.mallory.refused("POST", path(circle_id, "weeklies"), "not-found", MONDAY)


def test_bad_wishes_change_nothing(app, cast, circle_id):
    before, weeklies = dump(app), path(circle_id, "weeklies")
    for slug, wrong in (
        ("unknown-time-zone", {"time_zone": "Europe/Nowhere"}),
        ("unknown-ruleset", {"table": {"ruleset": "chess"}}),
        ("invalid-options", {"table": {"ruleset": CARAVAN, "options": {"colour": 1}}}),
        ("invalid-body", {"weekday": 8}),
        ("invalid-body", {"time": "25:00"}),
    ):
        cast.alice.refused("POST", weeklies, slug, MONDAY | wrong)
    games = path(circle_id, "games")
    cast.alice.refused(
        "POST", games, "invalid-options", {"ruleset": CARAVAN, "options": {"colour": 1}}
    )
    after = dump(app)
    for each in ("circle_weeklies", "games"):
        assert after[each] == before[each]


@pytest.mark.parametrize(
    ("wish", "listed_names"),
    [
        ({"ruleset": "gone", "options": {}}, []),
        ({"ruleset": CARAVAN, "options": {"gone": 1}}, ["Caravan"]),
        ({"ruleset": CARAVAN, "options": {}, "players": 99}, ["Caravan"]),
    ],
)
def test_weeks_with_rules_that_are_not_known_here_are_skipped(
    app, cast, clock, circle_id, wish, listed_names
):
    """After a downgrade nothing is lost: once the rules are there again, tables open as before."""
    add(cast.bob, circle_id)
    (known,) = execute(app, "SELECT wish FROM circle_weeklies")
    newer = json.dumps(json.loads(known.wish) | wish)
    execute(app, "UPDATE circle_weeklies SET wish = :wish", wish=newer)
    clock.at = FIRST
    for _ in range(MOST_UNUSED + 2):
        open_due(app)
        assert listed(cast.alice, circle_id) == []
        clock.forward(WEEK)
    shown = cast.alice.get(path(circle_id))["weeklies"]
    assert [each["name"] for each in shown] == listed_names
    assert cast.alice.send("GET", f"/plain/circles/{circle_id}").status_code == 200
    execute(app, "UPDATE circle_weeklies SET wish = :wish", wish=known.wish)
    assert open_due(app) == 1
    assert len(listed(cast.alice, circle_id)) == 1


@pytest.mark.both_databases
def test_a_table_at_which_nobody_sits_ends_with_its_weekly_table_or_circle(
    app, cast, clock, circle_id
):
    first, _ = (add(person, circle_id)["id"] for person in (cast.bob, cast.carol))
    sat = add(cast.bob, circle_id)["id"]
    clock.at = FIRST
    open_due(app)
    tables = [each["id"] for each in listed(cast.alice, circle_id)]
    query = "SELECT w.id AS weekly, g.id FROM games g JOIN circle_weeklies w ON g.key = w.game_key"
    by_weekly = {row.weekly: row.id for row in execute(app, query)}
    cast.bob.post(at(by_weekly[sat], "seats"), {})
    cast.bob.delete(path(circle_id, f"weeklies/{first}"))
    cast.bob.delete(path(circle_id, f"weeklies/{sat}"))
    left = {each["id"] for each in listed(cast.alice, circle_id)}
    assert left == set(tables) - {by_weekly[first]}
    cast.alice.delete(path(circle_id))
    assert [row.id for row in execute(app, "SELECT id FROM games")] == [by_weekly[sat]]


def test_one_person_sets_up_so_many_weekly_tables(cast):
    registered(*cast.everybody)
    for n in range(MOST_OF_PERSON // MOST_WEEKLIES):
        full = found(cast.alice, cast.bob, name=f"Circle {n}")
        for _ in range(MOST_WEEKLIES):
            add(cast.bob, full)
    other = path(found(cast.alice, cast.bob, name="One more"), "weeklies")
    told = cast.bob.refused("POST", other, "not-possible", MONDAY)
    assert told["why"] == "own-weeklies"
    cast.alice.post(other, MONDAY)


@pytest.mark.both_databases
def test_weekly_tables_go_on_without_their_maker_and_end_with_the_circle(
    app, cast, clock, circle_id
):
    add(cast.carol, circle_id)
    (told,) = cast.carol.get("/api/me/export")["circle_weeklies"]
    assert (told["circle"], told["time"]) == ("Monday club", "20:00")
    cast.carol.post("/api/me/erasure", {}, 204)
    clock.at = FIRST
    assert open_due(app) == 1
    join(cast.mallory, cast.alice.get(path(circle_id)))
    cast.alice.delete(path(circle_id))
    assert execute(app, "SELECT * FROM circle_weeklies") == []
    clock.forward(WEEK)
    assert open_due(app) == 0


def test_one_that_cannot_be_opened_keeps_no_other_waiting(app, cast, clock, circle_id):
    broken = add(cast.bob, circle_id)["id"]
    add(cast.carol, circle_id)
    execute(app, "UPDATE circle_weeklies SET wish = '{}' WHERE id = :id", id=broken)
    clock.at = FIRST
    assert open_due(app) == 1
    assert len(listed(cast.alice, circle_id)) == 1
