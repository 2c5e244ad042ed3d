"""The statements of a move, a GET, a poll and the worker use indexes, however many games there are."""

from __future__ import annotations

import itertools
import re

import pytest

from service.core.database.database import db
from service.core.database.tables import Base
from service.core.runtime.units import MINUTE
from service.operations.worker import sending
from service.operations.worker.deadlines import LATE
from service.operations.worker.glance import NOW, Glance
from service.outbox import queue
from service.tables.before_start import ready_checks
from service.tables.before_start.departures import expired_tables
from service.tables.before_start.table_setup import starting_tables
from service.tables.play.house_players import waiting_seats
from tests.support.cast import BOOMERANG
from tests.support.clock import Hours
from tests.support.post_office import Office
from tests.support.watching import watched

pytestmark = pytest.mark.both_databases

PARTIAL = "|".join(
    str(index.name)
    for table in Base.metadata.tables.values()
    for index in table.indexes
    if index.dialect_options["sqlite"]["where"] is not None
)
"""The indexes of the few rows that wait for something: they are scanned as a whole."""
SCANNED = re.compile(
    rf"SCAN ([a-z]\w*)\b(?! USING (?:COVERING )?INDEX (?:{PARTIAL}))|Seq Scan on (\w+)"
)
SMALL = {"new", "heartbeats", "outages", "process_beats", "receivers"}
"""Tables that are scanned as a whole: the rows of the statement itself, rows of processes, and webhooks."""
OF_OPEN_TABLES = {starting_tables, expired_tables, ready_checks.over, ready_checks.deserted}
"""Statements that search all open tables, of which there are few."""
NAMED = re.compile(r"%\((\w+?)(?:_\d+)?\)s")
BOOLEANS = {"waiting"}
"""Parameters whose type only the driver knows."""
GET = {
    "a table": "/api/games/{}",
    "its history": "/api/games/{}/events",
    "earlier tables": "/api/games/{}/views",
    "its clock": "/api/games/{}/clock",
    "what waits for somebody": "/api/me/turns",
    "somebody's games": "/api/games?mine=true",
}


def asked(app, do):
    """The statements that reach the database during this context."""
    with watched(app) as seen:
        do()
        return [each for each in seen.statements if each != ";"]


def scanned(app, statements):
    """The tables that the database scans as a whole for these statements, with the statement."""
    with app.app_context(), db.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("SET enable_seqscan = off")  # the tables are small here
        return {
            (table, each)
            for each in statements
            for row in connection.exec_driver_sql(explained(each, connection.dialect.name))
            for found in SCANNED.findall(str(tuple(row)))
            for table in found
            if table and table not in SMALL
        }


def explained(statement, kind):
    """The statement that asks for another one's plan, whatever its parameters are."""
    if kind == "sqlite":
        return f"EXPLAIN QUERY PLAN {statement}"
    numbers = itertools.count(1)

    def number(found):
        return f"${next(numbers)}{'::boolean' * (found[1] in BOOLEANS)}"

    numbered = NAMED.sub(number, statement)
    return f"EXPLAIN (GENERIC_PLAN) {numbered}".replace("%", "%%")


def test_a_table_that_is_looked_through_is_noticed(app, cast):
    cast.start(BOOMERANG)
    assert {
        table for table, _ in scanned(app, ["SELECT id FROM games WHERE seating = 'order'"])
    } == {"games"}


def test_a_move_with_a_clock_and_with_mail(app, cast):
    Office(app).address(*cast.seated)
    game_id = cast.start(BOOMERANG, pace="relaxed")
    for _ in range(4):
        person, shown = cast.asked(game_id)
        statements = asked(app, lambda: person.answer(shown))  # noqa: B023 - called at once
        assert len(statements) >= 4
        assert scanned(app, statements) == set()


@pytest.mark.parametrize("path", GET.values(), ids=GET)
def test_a_look(app, cast, path):
    game_id = cast.start(BOOMERANG, pace="relaxed")
    for person in (cast.alice, cast.bob):
        address = path.format(game_id)
        statements = asked(app, lambda: person.get(address))  # noqa: B023 - called at once
        assert statements
        assert scanned(app, statements) == set()


def test_a_poll_and_a_stranger_s_look(app, cast):
    game_id = cast.start(BOOMERANG)
    path = f"/api/games/{game_id}"
    tag = {"If-None-Match": cast.alice.send("GET", path).headers["ETag"]}
    polls = asked(app, lambda: cast.alice.send("GET", path, headers=tag))
    looks = asked(app, lambda: cast.mallory.get(path))
    assert polls
    assert looks
    assert scanned(app, polls + looks) == set()


def test_a_glance_of_the_worker(app, cast):
    cast.start(BOOMERANG)
    with app.app_context():
        loop = (waiting_seats(), *(late(NOW) for late in LATE))
        runtime = app.extensions["tegami"]
        threads = [Glance(runtime, *each) for each in (loop, (queue.DUE,), sending.DUE)]
        statements = asked(app, lambda: [each.sees_work() for each in threads])
    assert len(statements) == len(threads)
    assert scanned(app, statements) == set()


@pytest.mark.parametrize("late", [each for each in LATE if each not in OF_OPEN_TABLES])
def test_what_is_late_is_not_looked_for_in_all_running_games(app, late):
    with app.app_context():
        query = late(NOW).params(now=0).compile(db.engine, compile_kwargs={"literal_binds": True})
        with db.engine.connect() as connection:
            plan = connection.exec_driver_sql(explained(str(query), connection.dialect.name))
            assert "status_private" not in str(plan.all())


def test_what_rounds_of_the_worker_look_for(app, cast, clock):
    hours = Hours(app, clock)
    cast.start(BOOMERANG, pace="relaxed")
    against = {"ruleset": BOOMERANG, "house": 2, "start": "full", "nonce": None}
    cast.alice.post("/api/games", against)
    statements = asked(app, hours.look) + asked(app, lambda: hours.later(MINUTE))
    looks = [each for each in statements if each.startswith("SELECT")]
    assert len(looks) < len(statements), "moves are written"
    assert scanned(app, looks) == set()
