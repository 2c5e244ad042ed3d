"""Reminders: before the deadline, at the lead times that a player chose, and only while they matter."""

from __future__ import annotations

import pytest

from service.core.database.database import transaction
from service.outbox.causes import reminders
from service.tables.clocks import seat_clocks
from tests.support.cast import START, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, hours
from tests.support.dump import execute
from tests.support.post_office import Office

__all__ = ["hours"]


@pytest.fixture
def reachable(app, cast):
    """alice, bob and carol have addresses; bob has chosen other lead times."""
    office = Office(app)
    office.address(*cast.seated)
    execute(app, "UPDATE players SET reminders = '[120, 30]' WHERE id = :bob", bob=cast.bob.id)
    return office


@pytest.fixture
def game_id(cast, reachable):
    return cast.start(pace="relaxed")


def planned(app, person=None):
    """The times at which reminders are due (ms since START), without the cancelled ones."""
    query = "SELECT run_at, player_id FROM outbox WHERE kind = 'reminder' AND done_at IS NULL"
    rows = execute(app, query + " ORDER BY run_at")
    return [row.run_at - START for row in rows if not person or row.player_id == person.id]


def test_reminders_come_at_the_chosen_lead_times_by_default_a_day_and_three_hours(
    app, cast, game_id
):
    assert planned(app) == [2 * DAY, 3 * DAY - 3 * HOUR]
    cast.alice.answer(cast.alice.game(game_id))
    assert planned(app, cast.bob) == [3 * DAY - 2 * HOUR, 3 * DAY - 30 * MINUTE]


@sqlite_only
@pytest.mark.parametrize(
    ("days", "hours_before"),
    [(1, [3]), (2, [24, 3]), (3, [24, 3]), (5, [24, 3]), (6, [48, 24, 3]), (7, [48, 24, 3])],
)
def test_reminders_fit_the_time_unless_others_were_chosen(app, cast, reachable, days, hours_before):
    cast.start(pace={"kind": "decision", "seconds": days * 86_400})
    assert planned(app, cast.alice) == [days * DAY - each * HOUR for each in hours_before]


def test_no_reminder_soon_after_the_question(app, cast, reachable):
    cast.start(pace="daily")
    assert planned(app) == [21 * HOUR], "none a day before: that is when the question is asked"
    cast.start(pace={"kind": "decision", "seconds": 3 * 3600})
    assert planned(app) == [21 * HOUR]


def test_no_reminder_without_an_address_or_a_clock(app, cast):
    cast.start(pace="relaxed")
    assert planned(app) == []
    Office(app).address(cast.alice)
    cast.start()
    assert planned(app) == []


@pytest.mark.both_databases
def test_reminders_move_with_the_deadline(app, cast, clock, hours, game_id):
    hours.outage(DAY)
    assert planned(app) == [3 * DAY, 4 * DAY - 3 * HOUR]
    agree(cast, game_id, {"kind": "extend", "seconds": 86_400, "seat": 0})
    assert planned(app) == [4 * DAY, 5 * DAY - 3 * HOUR]
    with app.app_context(), transaction():
        seat_clocks.set_vacation(clock(), cast.alice.id, (START + 2 * DAY, START + 4 * DAY))
    assert planned(app) == [5 * DAY, 6 * DAY, 7 * DAY - 3 * HOUR]


def agree(cast, game_id, wish):
    game = cast.bob.post(f"/api/games/{game_id}/proposals", wish)
    path = f"/api/games/{game_id}/proposals/{game['proposals'][-1]['id']}/votes"
    for person in (cast.alice, cast.carol):
        person.post(path, {"agrees": True}, status=200)


def test_no_reminder_during_a_pause(app, cast, clock, game_id):
    agree(cast, game_id, {"kind": "pause", "seconds": 20 * 86_400})
    assert planned(app) == []
    cast.alice.answer(cast.alice.game(game_id))
    assert planned(app) == []
    clock.forward(DAY)
    agree(cast, game_id, {"kind": "resume"})
    assert planned(app) == [4 * DAY - 2 * HOUR, 4 * DAY - 30 * MINUTE]


def test_no_reminder_after_resigning(app, cast, game_id):
    cast.alice.post(f"/api/games/{game_id}/resignation", status=200)
    assert planned(app, cast.alice) == []
    cast.alice.post(f"/api/games/{game_id}/return", status=200)
    assert planned(app, cast.alice) == [2 * DAY, 3 * DAY - 3 * HOUR]


@pytest.mark.both_databases
def test_a_reminder_is_sent_on_time_and_only_while_it_matters(cast, clock, reachable, game_id):
    clock.forward(2 * DAY - 1)
    assert len(reachable.deliver(now=False)) == 1, "the turn mail"
    clock.forward(1)
    (mail,) = reachable.deliver(now=False)
    assert "alice@example.org" in mail["To"]
    cast.alice.answer(cast.alice.game(game_id))
    clock.forward(21 * HOUR)
    arrived = reachable.deliver(now=False)
    assert not [each for each in arrived if "alice@example.org" in each["To"]]


def test_a_new_question_with_the_same_deadline_has_new_reminders(app, cast, clock, reachable):
    """In an auction in which everybody is asked at once, each bid changes the question for the others."""
    pace = {"kind": "reserve", "reserve": 864_000, "increment": 60, "cap": 864_000}
    game_id = cast.start("abbott-auction", pace=pace, players=3)
    before = cast.bob.game(game_id)
    clock.forward(HOUR)
    cast.alice.answer(cast.alice.game(game_id))
    game = cast.bob.game(game_id)
    dues = [{each["seat"]: each["due"] for each in found["waiting"]}[1] for found in (before, game)]
    assert dues[0] == dues[1] and before["asked"] != game["asked"]
    query = (
        "SELECT number FROM outbox WHERE kind = 'reminder' AND tenure_id = :t AND done_at IS NULL"
    )
    planned_for = {row.number for row in execute(app, query, t=game["tenure"])}
    assert planned_for == {game["asked"]}


def test_none_comes_in_the_first_quarter_of_the_time():
    def left(since, *minutes, now=0):
        row = reminders.Deadline(1, 0, 1, since, 400 * MINUTE, "t", "p", list(minutes))
        return [400 - at // MINUTE for at in reminders.times(row, now)]

    assert left(0, 301, 300, 299, 10) == [299, 10]
    assert left(200 * MINUTE, 200, 150, 149, 1) == [149, 1]
    assert left(0, 299, 200, 199, now=200 * MINUTE) == [199]


@sqlite_only
def test_a_pause_cancels_reminders_alone(app, cast, reachable, game_id):
    reachable.deliver()
    cast.alice.answer(cast.alice.game(game_id))
    assert [row.player_id for row in reachable.due("turn")] == [cast.bob.id]
    agree(cast, game_id, {"kind": "pause", "seconds": 86_400})
    assert planned(app) == []
    assert [row.player_id for row in reachable.due("turn")] == [cast.bob.id]


@pytest.mark.both_databases
def test_a_pause_cancels_the_reminders_of_its_table_alone(app, cast, reachable, game_id):
    other = cast.start(pace="relaxed")
    planned_there = planned(app)[::2]
    assert planned(app) == sorted(2 * planned_there)
    agree(cast, game_id, {"kind": "pause", "seconds": 86_400})
    assert planned(app) == planned_there
    agree(cast, other, {"kind": "pause", "seconds": 86_400})
    assert planned(app) == []
