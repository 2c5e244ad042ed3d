"""A row that somebody else holds stops none of the worker's other work, and is tried again soon after it is
released.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial

import pytest

from service.core.runtime.backoff import LONGEST_WAIT_FOR_ROWS
from service.core.settings.database_address import USUAL
from tests.support.cast import postgresql_only
from tests.support.clock import MINUTE
from tests.support.dump import execute
from tests.support.held import held
from tests.support.post_office import Office
from tests.support.rounds import alone, logged, rounds
from tests.support.thinking import in_turn

LOCK = 1.0
MINUTES = {"kind": "decision", "seconds": 60}

pytestmark = [postgresql_only, pytest.mark.own_database, pytest.mark.usefixtures("everybody")]


@pytest.fixture
def app(config, runtime, lending):
    with lending.app(replace(config, patience=USUAL._replace(lock=LOCK)), runtime) as app:
        yield app


@pytest.fixture
def run(app, clock):
    return rounds(app, in_turn())


@pytest.fixture
def log(capsys):
    return partial(logged, capsys)


def failing(log):
    return [each["task"] for each in log() if each["event"] == "failing"]


def number(cast, game):
    return cast.alice.game(game["id"])["number"]


def test_house_players_and_deadlines_of_other_games_go_on(app, cast, run, clock, log):
    games = [alone(cast, pace=MINUTES) for _ in range(2)]
    run()
    stuck, other = (cast.alice.game(each["id"]) for each in games)
    clock.forward(MINUTE)
    log()
    with held(app, "games", "id", stuck["id"]):
        run()
        assert failing(log) == ["time-out"]
        assert number(cast, other) > other["number"], "it was played for"
        assert number(cast, stuck) == stuck["number"]
        begun = time.monotonic()
        for _ in range(10):
            clock.forward(LONGEST_WAIT_FOR_ROWS)
            run()
        assert time.monotonic() - begun < 10 * LOCK, "it is tried again, but not waited for"
        assert log() == []
    clock.forward(LONGEST_WAIT_FOR_ROWS)
    run()
    assert number(cast, stuck) > stuck["number"]
    assert [each["event"] for each in log()] == ["recovered"]


def test_a_held_house_player_delays_no_other(app, cast, run, clock, log):
    stuck, other = alone(cast), alone(cast)
    for _ in range(4):
        run()
    for game in (stuck, other):
        while (shown := cast.alice.game(game["id"]))["legal"]:
            cast.alice.answer(shown)
    before = number(cast, stuck), number(cast, other)
    with held(app, "games", "id", stuck["id"]):
        for _ in range(3):
            run()
        assert (number(cast, stuck), number(cast, other) > before[1]) == (before[0], True)
        assert failing(log) == ["house player"]
    clock.forward(LONGEST_WAIT_FOR_ROWS)
    run()
    run()
    assert number(cast, stuck) > before[0]


def test_a_held_heartbeat_stops_no_deadline(app, cast, run, clock, log):
    game = alone(cast, pace=MINUTES)
    run()
    clock.forward(MINUTE)
    log()
    with held(app, "heartbeats", "name", "worker"):
        run()
        assert failing(log) == ["heartbeat"]
        assert number(cast, game) > game["number"]


def test_a_held_mail_delays_no_other(app, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    for _ in range(2):
        cast.start()
    stuck, *_ = rows = execute(app, "SELECT id FROM outbox WHERE done_at IS NULL ORDER BY id")
    assert len(rows) > 1
    execute(app, "UPDATE outbox SET run_at = 0")
    with held(app, "outbox", "id", stuck[0]):
        assert len(office.deliver(now=False)) == len(rows) - 1
    assert len(office.deliver()) == 1
