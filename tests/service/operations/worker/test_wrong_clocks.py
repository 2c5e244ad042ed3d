"""A clock that jumped once, or is ahead of others, times nobody out, deletes nothing and leaves nothing wrong."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from sqlalchemy import BigInteger

from service.core.database.database import transaction
from service.core.database.tables import Base
from service.core.readiness import clock_jumps, clock_repair
from service.core.runtime.judged_clock import OF_WORKER
from service.core.runtime.time_and_random import Runtime, steady_clock, system_clock
from service.core.runtime.units import DAY, HOUR, MINUTE, SECOND
from service.operations.worker.deadlines import Deadlines
from service.operations.worker.loop import Worker
from service.people.accounts.guests import GUESTS_KEPT
from service.tables.clocks import wrong_times
from service.tables.play.proposals import VOTING_TIME
from tests.support import operator_command
from tests.support.cast import START, Cast, postgresql_only, sqlite_only
from tests.support.dump import dump, execute
from tests.support.post_office import Office
from tests.support.receiving import made
from tests.support.rounds import alone
from tests.support.thinking import in_turn

JUMP = 500 * DAY
DURATIONS = {"reserve", "extra", "spent", "moved", "ms", "pid", "after"}


class Machine:
    """A machine whose clock is set by hand."""

    def __init__(self):
        self.steady, self.ahead = 0, START

    def now(self):
        return self.steady + self.ahead


def beats(app):
    return dict(execute(app, "SELECT name, at FROM heartbeats"))


def people(app):
    return execute(app, "SELECT count(*) FROM players WHERE erased_at IS NULL")[0][0]


@pytest.mark.of_service
@sqlite_only
@pytest.mark.own_database
@pytest.mark.parametrize("jump", [JUMP, -JUMP])
def test_a_clock_that_jumped_for_a_moment(config, lending, jump, capsys):
    machine = Machine()
    runtime = Runtime(machine.now, random.Random(1).randbytes, steady=lambda: machine.steady)
    runtime = replace(runtime, believed_after=OF_WORKER)
    with lending.app(config, runtime) as app:
        cast = Cast(app)
        game = alone(cast, pace={"kind": "decision", "seconds": 3600})
        assert cast.mallory.get("/api/me")
        worker = Worker(app.extensions["tegami"], random.Random(3), in_turn())

        def later(seconds):
            for _ in range(seconds):
                machine.steady += SECOND
                with app.app_context():
                    worker.run_once()

        later(60)
        before = cast.alice.game(game["id"])
        machine.ahead += jump
        later(12)
        assert cast.mallory.get("/api/me"), "still signed in"
        assert people(app) == 2
        machine.ahead -= jump
        later(40)
        after = cast.alice.game(game["id"])
        assert after["waiting"] == before["waiting"] and after["number"] == before["number"]
        assert max(beats(app).values()) <= machine.now()
        assert cast.nobody.get("/readyz")["status"] == "ready"
        with app.app_context():
            assert clock_jumps.holds_purge(machine.now())
    assert capsys.readouterr().err.count('"event": "clock set"') == 1


@postgresql_only
@pytest.mark.own_database
@pytest.mark.parametrize("ahead", [4 * SECOND, JUMP])
def test_deadlines_are_judged_by_the_databases_time(config, lending, ahead):
    """A machine whose clock is ahead plays for nobody before their time."""
    runtime = Runtime(lambda: system_clock() + ahead, steady=steady_clock)
    with lending.app(config, runtime) as app:
        cast = Cast(app)
        game = alone(cast, pace={"kind": "decision", "seconds": 3600})
        worker = Worker(app.extensions["tegami"], random.Random(3), in_turn())
        known = "extract(epoch FROM clock_timestamp()) * 1000"

        def run_when_due_in(ms):
            execute(app, f"UPDATE seats SET due = {known} + {ms} WHERE waiting AND due IS NOT NULL")
            with app.app_context():
                worker.run_once()
            return cast.alice.game(game["id"])["number"]

        first = run_when_due_in(HOUR)
        if ahead < MINUTE:
            assert run_when_due_in(ahead - SECOND) == first
        else:
            assert run_when_due_in(MINUTE) == first
        assert run_when_due_in(-1) > first
        assert abs(beats(app)["worker"] - system_clock()) < MINUTE


@pytest.mark.both_databases
@pytest.mark.own_database
def test_what_a_wrong_clock_has_left_is_set_back(app, cast, clock):
    """This concerns heartbeats, so that the server is ready and the purge continues; for a day nothing is purged."""
    cast.nobody.post("/api/players", {"name": "Guest"})
    services = app.extensions["tegami"]
    for name in ("worker", "purge", "clock set"):
        execute(app, "INSERT INTO heartbeats (name, at) VALUES (:n, :at)", n=name, at=START + JUMP)
    assert cast.nobody.send("GET", "/readyz").status_code == 503
    worker = Worker(services, random.Random(3), in_turn())

    def later(ms):
        clock.forward(ms)
        with app.app_context():
            worker.run_once()

    later(0)
    later(MINUTE)
    assert max(at for name, at in beats(app).items() if name != "set back") <= clock.at
    assert cast.nobody.get("/readyz")["status"] == "ready"
    execute(app, "UPDATE credentials SET seen_at = :at", at=clock.at - GUESTS_KEPT)
    execute(app, "UPDATE players SET created_at = :at", at=clock.at - GUESTS_KEPT - 1)
    there = people(app)
    for _ in range(20):
        later(HOUR)
    assert people(app) == there
    for _ in range(10):
        later(HOUR)
    assert people(app) < there, "the purge goes on"


@pytest.mark.both_databases
@pytest.mark.own_database
def test_a_clock_that_was_behind_makes_no_outage_of_it(app, cast, clock):
    """It has set back correct heartbeats; when its own clock is right, they count again."""
    game = alone(cast, pace={"kind": "decision", "seconds": 3600})
    deadlines = Deadlines(app.extensions["tegami"])
    with app.app_context():
        deadlines.beat()
        clock.forward(-JUMP)
        deadlines.beat()
        clock.forward(MINUTE)
        deadlines.beat()
        assert beats(app)["worker"] == clock.at
        clock.forward(JUMP)
        deadlines.beat()
    assert cast.alice.game(game["id"])["waiting"] == game["waiting"]


@pytest.mark.both_databases
@pytest.mark.own_database
def test_the_operators_command(app, config, cast):
    """It sets back all times in the future; correct ones stay."""
    cast.start()
    now = system_clock()
    move = "UPDATE {} SET {} = {} + :ms"
    for table, column in (("seats", "since"), ("credentials", "seen_at"), ("games", "created_at")):
        execute(app, move.format(table, column, column), ms=now - START - MINUTE)
    before = dump(app)
    told = operator_command.told(config, "repair-clock")
    assert told == "heartbeats: 0\n"
    after = dump(app)
    assert {name for name in before if before[name] != after[name]} <= {"heartbeats", "key_checks"}
    execute(app, move.format("credentials", "seen_at", "seen_at"), ms=JUMP)
    execute(app, "INSERT INTO heartbeats (name, at) VALUES ('worker', :at)", at=now + JUMP)
    execute(app, "UPDATE seats SET since = :at", at=now + JUMP)
    told = operator_command.told(config, "repair-clock")
    assert "heartbeats: 1" in told and "seats.since: 3" in told and "credentials.seen_at" in told
    late = execute(app, "SELECT max(since) FROM seats")[0][0]
    assert abs(late - system_clock()) < MINUTE
    assert beats(app)["worker"] <= system_clock()


@pytest.mark.both_databases
@pytest.mark.own_database
def test_a_deadline_that_a_wrong_clock_has_counted_is_set_back(app, cast, clock):
    """A server was started with it: the skipped time was given back, and somebody was asked then."""
    services = app.extensions["tegami"]
    alone(cast, pace={"kind": "decision", "seconds": 3600})

    def later(ms):
        clock.forward(ms)
        with app.app_context():
            Deadlines(services).meet_all()

    def left():
        return execute(app, "SELECT max(due) FROM seats")[0][0] - clock.at

    def set_back():
        with app.app_context(), transaction():
            return wrong_times.set_back(clock.at)

    later(0)
    later(4 * MINUTE)
    later(JUMP)
    assert left() == 56 * MINUTE
    clock.forward(MINUTE - JUMP)
    assert left() > JUMP
    assert set_back() == {"seats.due": 1}
    assert left() == 56 * MINUTE, "as much as there was when it was counted last"
    (outage,) = execute(app, "SELECT at, ms FROM time_entries WHERE kind = 'outage'")
    assert outage == (clock.at, MINUTE), "as long as it was"
    assert set_back() == {}

    ask = "UPDATE seats SET since = :at, due = :due WHERE due IS NOT NULL"
    execute(app, ask, at=clock.at + JUMP, due=clock.at + JUMP + HOUR)
    assert set_back() == {"seats.due": 1}
    assert left() == HOUR


@sqlite_only
@pytest.mark.own_database
def test_the_operators_command_sets_deadlines_back_too(app, config, cast):
    game = cast.start(pace={"kind": "decision", "seconds": 3600})
    now = system_clock()
    far = now + JUMP
    cast.alice.post(f"/api/games/{game}/proposals", {"kind": "pause", "seconds": 60})
    execute(
        app,
        "UPDATE seats SET since = :far, due = :due WHERE due IS NOT NULL",
        far=far,
        due=far + HOUR,
    )
    execute(app, "UPDATE proposals SET due = :due", due=far + HOUR)
    execute(app, "UPDATE games SET paused_at = :far, paused_until = :due", far=far, due=far + DAY)
    told = operator_command.told(config, "repair-clock")
    for name in ("seats.due", "proposals.due", "games.paused_until", "games.paused_at"):
        assert f"{name}: 1" in told
    for column, most in (
        ("seats.due", HOUR),
        ("proposals.due", VOTING_TIME),
        ("games.paused_until", DAY),
    ):
        table, name = column.split(".")
        latest = execute(app, f"SELECT max({name}) FROM {table}")[0][0]
        assert abs(latest - now - most) < MINUTE, column


STAY = """
accounts.registered_at accounts.undelivered_at admissions.ends_at admissions.made_at
admissions.used_at analyses.asked_at analyses.ended_at authorization_codes.created_at
authorization_codes.ends_at authorization_codes.used_at blocks.created_at bounces.at
bounces.lifted_at bounces.since changes.at circle_members.joined_at circle_members.removed_at
circle_messages.at circle_messages.hidden_at circles.created_at credentials.created_at
credentials.ended_at credentials.expires_at daily_deals.committed_at daily_tries.begun_at
daily_tries.ended_at damaged_games.found_at deliveries.done_at delivery_attempts.at events.at
follows.created_at games.clock_due games.created_at games.ended_at games.logged_at
games.paused_until games.started_at heartbeats.at invitations.declined_at invitations.made_at
log_checks.began_at log_checks.ended_at messages.at messages.hidden_at mutes.created_at
notes.changed_at outages.began_at outbox.created_at outbox.done_at outbox.pushed_at
played_games.ended_at players.away_from players.away_until players.created_at players.erased_at
proposals.due proposals.ended_at proposals.made_at puzzle_answers.answered_at rated_results.ended_at ratings.ended_at
receivers.delivered_at receivers.made_at receivers.off_at receivers.rotated_at reports.closed_at
reports.made_at reports.said_at seats.acts_from seats.due series.created_at series.ended_at
series_entries.joined_at standing_orders.ended_at
standing_orders.made_at suppressed.at tenures.ended_at tenures.sat_at time_entries.at
time_entries.due unsubscribed.at vacations.begins_at vacations.ends_at votes.at
""".split()
"""Times that prevent nothing, and those that rightly lie far ahead."""


def test_each_table_says_which_of_its_times_are_set_back():
    """Each new time has to declare whether it prevents something until it has come."""
    repaired = {f"{each.table.name}.{each.name}" for each, _ in clock_repair.repaired_times()}
    times = {
        f"{table.name}.{column.name}"
        for table in Base.metadata.sorted_tables
        for column in table.c
        if isinstance(column.type, BigInteger) and column.name not in DURATIONS
    }
    assert times - repaired == set(STAY)


@sqlite_only
@pytest.mark.own_database
def test_what_would_wait_for_a_time_that_was_wrong_is_set_back(app, config, cast):
    office = Office(app)
    office.address(cast.alice, cast.bob)
    cast.start()
    made(cast.alice)
    far = system_clock() + JUMP
    for change in (
        "outbox SET run_at = :far, created_at = :far WHERE id = (SELECT min(id) FROM outbox)",
        "receivers SET tried_at = :far",
        "games SET starts_at = :far, credited_until = :far",
    ):
        execute(app, f"UPDATE {change}", far=far)
    told = operator_command.told(config, "repair-clock")
    for name in ("outbox.run_at", "receivers.tried_at", "games.starts_at", "games.credited_until"):
        assert f"{name}: 1" in told
