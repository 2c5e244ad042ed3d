"""A worker whose work fails: it logs the cause once, waits longer and longer, and logs when it is over."""

from __future__ import annotations

import random
from contextlib import contextmanager
from functools import partial

import pytest
from sqlalchemy.exc import OperationalError

from rules.players.search import Effort
from service.core.database.database import db
from service.core.runtime.backoff import LONGEST_WAIT
from service.operations.thinking.agents import Agents
from service.operations.worker.loop import Worker
from tests.support.cast import BOOMERANG, CARAVAN, sqlite_only
from tests.support.dump import execute
from tests.support.rounds import alone, logged, rounds
from tests.support.thinking import Fixed, InTurn, in_turn
from tests.support.watching import listening

COLLIDE = """
INSERT INTO events (game_key, number, body, digest, at)
SELECT game_key, events.number + 1, body, digest, at FROM events
JOIN games ON games.key = game_key WHERE games.id = :game AND events.number = games.number
"""

pytestmark = [
    pytest.mark.usefixtures("everybody"),  # whose arrival would be logged
    pytest.mark.of_service,
]


@pytest.fixture
def run(app, clock):
    """Run one round of a worker; returns the number of things that it did."""
    return rounds(app, in_turn())


@pytest.fixture
def log(capsys):
    """The lines that were logged since the last call."""
    return partial(logged, capsys)


def collided(game, log, run, clock):
    """Check that a game whose next event already exists fails every time, but is logged once."""
    run()
    (line,) = log()
    assert (line["event"], line["subject"], line["error"]) == ("failing", game, "IntegrityError")
    for _ in range(20):
        run()
    for _ in range(5):
        clock.forward(LONGEST_WAIT)
        run()
    assert log() == []


@pytest.mark.both_databases
@pytest.mark.own_database
def test_a_house_players_event_that_collides(app, cast, run, clock, log):
    game = alone(cast)
    execute(app, COLLIDE, game=game["id"])
    collided(game["id"], log, run, clock)


@pytest.mark.both_databases
@pytest.mark.own_database
def test_a_time_outs_event_that_collides(app, cast, run, clock, log):
    game = alone(cast, pace={"kind": "decision", "seconds": 60})
    run()
    execute(app, COLLIDE, game=game["id"])
    clock.forward(60_001)
    collided(game["id"], log, run, clock)


@sqlite_only
@pytest.mark.own_database
def test_an_automatic_start_that_collides(app, cast, run, clock, log):
    wish = {"ruleset": CARAVAN, "house": 1, "start": "full"}
    broken, sound = (cast.alice.post("/api/games", wish)["id"] for _ in range(2))
    first = "INSERT INTO events (game_key, number, body, digest, at)"
    execute(app, f"{first} SELECT key, 1, '', seed, 0 FROM games WHERE id = :game", game=broken)
    clock.forward(10_000)
    collided(broken, log, run, clock)
    assert cast.alice.game(broken)["status"] == "open"
    assert cast.alice.game(sound)["status"] == "running", "it is not kept waiting"


@pytest.mark.both_databases
def test_a_failing_database_is_no_failure_of_a_game(app, cast, run, clock, log):
    """No game is left alone because of it."""
    games = [alone(cast) for _ in range(3)]
    with app.app_context():
        engine = db.engine
    with listening(engine, before_cursor_execute=locked):
        assert run() == 0
    (line,) = log()
    assert (line["event"], line["task"], line["error"]) == ("failing", "worker", "OperationalError")
    assert "subject" not in line
    assert run() == 0, "not at once"
    clock.forward(1000)
    assert run() == len(games)
    (line,) = log()
    assert (line["event"], line["failures"]) == ("recovered", 1)


def locked(_connection, _cursor, statement, *_):
    if statement.startswith("INSERT INTO events"):
        raise OperationalError(statement, None, Exception("database is locked"))


class Later(InTurn):
    """Thinks until the next round, as processes do."""

    def answers(self):
        came, self._came = getattr(self, "_came", []), super().answers()
        return came


def test_a_move_that_was_thought_of_while_the_database_was_away_is_thought_of_again(
    app, cast, clock, log
):
    """The thought had been taken from the thinker, and the seat still counted as being thought about."""
    game = alone(cast, BOOMERANG, seating="random")
    run = rounds(app, Later(Agents(Fixed(Effort(1)))))
    with app.app_context():
        engine = db.engine
    with listening(engine, before_cursor_execute=away):
        for _ in range(5):
            run()
            clock.forward(LONGEST_WAIT)
    log()
    for _ in range(20):
        run()
    assert cast.alice.game(game["id"])["legal"]
    assert [line["event"] for line in log()] == ["recovered"]


def away(_connection, _cursor, statement, *_):
    if statement.startswith("SELECT"):
        raise OperationalError(statement, None, Exception("connection refused"))


def test_a_task_that_fails_keeps_no_other_waiting(app, cast, clock, log):
    worker = Worker(app.extensions["tegami"], random.Random(3), in_turn())
    worker._tasks = {"broken": lambda: 1 // 0, **worker._tasks}
    alone(cast)
    with app.app_context():
        assert worker.run_once() > 0
    (line,) = [line for line in log() if line["level"] == "error"]
    assert (line["task"], line["subject"]) == ("worker", "broken")


@contextmanager
def full_disk(app):
    """The database cannot grow by a page."""
    with app.app_context(), db.engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar()
        engine = db.engine

    def connect(connection, _record):
        connection.execute(f"PRAGMA max_page_count = {pages}")

    engine.dispose()
    with listening(engine, connect=connect):
        yield
        engine.dispose()


@sqlite_only
@pytest.mark.own_database
def test_a_full_disk(app, cast, run, clock, log):
    games = [alone(cast, BOOMERANG, seating="random") for _ in range(20)]
    with full_disk(app):
        for _ in range(5):
            run()
            clock.forward(LONGEST_WAIT)
        (line,) = log()
        assert (line["event"], line["task"], line["cause"]) == ("failing", "worker", "disk full")
        wish = {"ruleset": CARAVAN, "house": 1, "start": "full", "nonce": None}
        while cast.alice.send("POST", "/api/games", json=wish).status_code == 201:
            pass
        cast.alice.refused("POST", "/api/games", "unavailable", wish)
        (line,) = log()
        assert (line["event"], line["task"], line["cause"]) == ("failing", "web", "disk full")
        assert cast.alice.game(games[0]["id"]), "reading goes on"
    while run():
        pass
    (line,) = log()
    assert (line["event"], line["task"]) == ("recovered", "worker")
    assert all(cast.alice.game(game["id"])["legal"] for game in games)
