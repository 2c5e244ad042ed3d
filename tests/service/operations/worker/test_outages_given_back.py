"""After an outage each game gets its time back separately: none waits for another, and none loses or gains any."""

from __future__ import annotations

import json

import pytest

from service.operations.worker.deadlines import MOST, Deadlines
from tests.support.cast import CARAVAN, postgresql_only, sqlite_only
from tests.support.clock import DAY, HOUR, MINUTE, SECOND, due
from tests.support.dump import execute
from tests.support.held import held

pytestmark = [pytest.mark.own_database, pytest.mark.usefixtures("everybody")]

RESERVE = {"kind": "reserve", "reserve": 36_000, "increment": 3600, "cap": 43_200}
HOURLY = {"kind": "decision", "seconds": 3600}


class Workers:
    """Workers one after the other: each starts afresh, as after the end of the previous one."""

    def __init__(self, app, clock):
        self.app, self.clock, self.services = app, clock, app.extensions["tegami"]
        self.alive()

    def alive(self):
        """A worker starts and ends before it has done anything else; returns what it would do next."""
        deadlines = Deadlines(self.services)
        with self.app.app_context():
            deadlines.beat()
        return deadlines

    def pass_time(self, ms):
        """Time passes while some worker is alive."""
        self.clock.forward(ms)
        execute(self.app, "UPDATE heartbeats SET at = :now", now=self.clock())

    def works(self, deadlines=None):
        """Do everything that the worker can."""
        deadlines = deadlines or self.alive()
        with self.app.app_context():
            return sum(iter(deadlines.meet_all, 0))


@pytest.fixture
def workers(app, clock):
    return Workers(app, clock)


def number(cast, game_id):
    return cast.alice.game(game_id)["number"]


@postgresql_only
def test_a_game_that_somebody_holds_keeps_no_other_from_its_time(app, cast, clock, workers):
    stuck, other, late = (cast.start(CARAVAN, pace=HOURLY) for _ in range(3))
    workers.pass_time(30 * MINUTE)
    before = {each: (due(cast.alice, each), number(cast, each)) for each in (stuck, other, late)}
    clock.forward(2 * HOUR)
    worker = workers.alive()
    with held(app, "games", "id", stuck):
        assert workers.works(worker) > 0
        assert due(cast.alice, other) > before[other][0] == due(cast.alice, stuck)
        workers.pass_time(30 * MINUTE - SECOND)
        workers.works(worker)
        assert number(cast, other) == before[other][1]
        clock.forward(2 * SECOND)
        workers.works(worker)
        assert number(cast, other) > before[other][1], "its deadline is met"
        assert number(cast, stuck) == before[stuck][1], "its time has not come back"
    clock.forward(10 * SECOND)
    workers.works(worker)
    assert number(cast, stuck) == before[stuck][1]
    assert due(cast.alice, stuck) > before[stuck][0]
    assert execute(app, "SELECT * FROM outages") == []


@pytest.mark.both_databases
def test_whoever_goes_on_after_an_end_gives_nothing_back_twice(app, cast, clock, workers):
    games = [cast.start(CARAVAN, pace=HOURLY) for _ in range(3)]
    clock.forward(2 * HOUR)
    first = workers.alive()
    with app.app_context():
        first._outages._meet(first._services, games[1])
    for _ in range(2):
        assert workers.works() >= 0
    assert {due(cast.alice, each) for each in games} == {"2026-11-21T13:00:00.000Z"}
    assert execute(app, "SELECT * FROM outages") == []


@pytest.mark.both_databases
def test_an_answer_before_the_time_is_given_back_costs_what_it_would_after(
    app, cast, clock, workers
):
    game_id = cast.start(pace=RESERVE)
    workers.pass_time(2 * HOUR)
    clock.forward(7 * HOUR)
    workers.alive()
    cast.alice.answer(cast.alice.game(game_id), {"type": "pass"})
    assert cast.bob.game(game_id)["seats"][0]["reserve"] == 9 * 3600
    assert due(cast.bob, game_id) == "2026-11-22T05:00:00.000Z", "ten hours from now"
    workers.works()
    assert due(cast.bob, game_id) == "2026-11-22T05:00:00.000Z"
    assert cast.bob.game(game_id)["seats"][0]["reserve"] == 9 * 3600


@pytest.mark.both_databases
def test_a_second_outage_before_the_first_is_given_back(app, cast, clock, workers):
    slow, quick = (cast.start(CARAVAN, pace=HOURLY) for _ in range(2))
    workers.pass_time(HOUR // 2)
    clock.forward(DAY)
    first = workers.alive()
    with app.app_context():
        first._outages._meet(first._services, quick)
    workers.pass_time(MINUTE)
    assert due(cast.alice, quick) == "2026-11-22T11:00:00.000Z"
    clock.forward(DAY)
    workers.works()
    assert due(cast.alice, quick) == "2026-11-23T11:00:00.000Z", "the minute was its own"
    assert due(cast.alice, slow) == "2026-11-23T11:01:00.000Z", "it had no minute"


@sqlite_only
def test_a_game_that_begins_after_an_outage_has_lost_nothing(app, cast, clock, workers):
    cast.start(CARAVAN, pace=HOURLY)
    clock.forward(HOUR)
    cast.start(CARAVAN, pace=HOURLY)
    clock.forward(HOUR)
    workers.alive()
    game_id = cast.start(CARAVAN, pace=HOURLY)
    clock.forward(MINUTE)
    workers.works()
    assert due(cast.alice, game_id) == "2026-11-21T13:00:00.000Z"
    shown = {row.due for row in execute(app, "SELECT due FROM seats WHERE due IS NOT NULL")}
    assert len(shown) > 1


@sqlite_only
def test_many_games_are_given_back_their_time_a_few_at_a_time(app, cast, clock, workers):
    """The worker comes to its other duties in between."""
    cast.start(CARAVAN)
    execute(app, "UPDATE games SET unattended_at = created_at")
    same = ", ".join(sorted(set(execute(app, "SELECT * FROM games")[0]._fields) - {"key", "id"}))
    copied = f"INSERT INTO games (id, {same}) SELECT value, {same} FROM games, json_each(:ids)"
    execute(app, copied, ids=json.dumps([f"g_{n}" for n in range(MOST + 20)]))
    clock.forward(2 * HOUR)
    worker = workers.alive()
    with app.app_context():
        assert [worker.give_back() for _ in range(3)] == [MOST, 21, 0]
    assert execute(app, "SELECT * FROM outages") == []
