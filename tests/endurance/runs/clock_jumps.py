"""Clocks jump, for a moment or for good: nobody is timed out, signed out or deleted, and no deadline comes earlier.

A machine's clock is set by a random amount from a second to 500 days, ahead or back, while people play at tables with a
deadline of an hour; it is set back before the minutes are over in which nobody believes it. The worker works, mails
leave and people move in the meantime. After each jump, everybody who was signed in still is, nobody was deleted or
timed out, each deadline is where it was or later by the length of the jump, and the server says that it is ready.

A hundred jumps take a minute. It counts jumps by their direction, moves, and the largest jump in days. The run is on
SQLite, since with PostgreSQL the clock of the database is asked (tests/service/operations/worker/test_wrong_clocks.py).
"""

from __future__ import annotations

import random
from dataclasses import replace

from service.core.runtime.judged_clock import OF_WORKER
from service.core.runtime.time_and_random import Runtime, rfc3339
from service.core.runtime.units import DAY, HOUR, SECOND
from service.operations.worker.loop import Worker
from service.web.app import create_app
from tests.endurance.application import services_of, settings
from tests.endurance.frame import Definition, Run
from tests.support.cast import CARAVAN, START, Cast, Json
from tests.support.dump import execute
from tests.support.servers.databases import disconnect
from tests.support.thinking import in_turn

LONGEST_JUMP = 500 * DAY
HOUR_EACH = {"kind": "decision", "seconds": 3600}
TABLES = 4


class Machine:
    """A machine whose clock is set by hand; `steady` is the time that really passes."""

    def __init__(self) -> None:
        self.steady, self.ahead = 0, START

    def now(self) -> int:
        """The time on its clock."""
        return self.steady + self.ahead


class Tables:
    """People at tables, a machine and a worker."""

    def __init__(self, run: Run) -> None:
        self.run, self.machine = run, Machine()
        machine = self.machine
        runtime = Runtime(
            machine.now, random.Random(run.seed).randbytes, steady=lambda: machine.steady
        )
        credulous = run.fault == "believing"
        runtime = Runtime(machine.now) if credulous else replace(runtime, believed_after=OF_WORKER)
        self.app = create_app(settings(run), runtime)
        run.until_the_end.callback(disconnect, self.app)
        self.cast = Cast(self.app)
        self.games = [self.cast.start(CARAVAN, pace=HOUR_EACH) for _ in range(TABLES)]
        assert self.cast.mallory.get("/api/me")
        self.worker = Worker(services_of(self.app), run.rng, in_turn())
        self.later(10 * SECOND)

    def later(self, ms: int) -> None:
        """Let time pass; the worker works each second."""
        for _ in range(ms // SECOND):
            self.machine.steady += SECOND
            with self.app.app_context():
                self.worker.run_once()

    def move(self) -> None:
        """Make one move at some table; a game that is over is followed by another."""
        n = self.run.rng.randrange(TABLES)
        if self.cast.alice.game(self.games[n])["status"] == "over":
            self.games[n] = self.cast.start(CARAVAN, pace=HOUR_EACH)
        person, shown = self.cast.asked(self.games[n])
        person.answer(shown)
        self.run.count("moves")

    def waiting(self) -> dict[str, list[Json]]:
        """Who is waited for at each table, and until when."""
        return {game_id: self.cast.alice.game(game_id)["waiting"] for game_id in self.games}

    def people(self) -> int:
        """The number of people."""
        found: int = execute(self.app, "SELECT count(*) FROM players WHERE erased_at IS NULL")[0][0]
        return found


def endure(run: Run) -> None:
    """Let the clock jump this often."""
    tables = Tables(run)
    for _ in range(run.rounds):
        by = round(10 ** run.rng.uniform(3, 10.6)) * run.rng.choice([1, -1])
        by = max(-LONGEST_JUMP, min(LONGEST_JUMP, by))
        run.count("jumps ahead" if by > 0 else "jumps back")
        run.most("largest jump, days", abs(by) / DAY)
        jump(tables, by)
        for _ in range(4):
            tables.move()


def jump(tables: Tables, by: int) -> None:
    """Let the clock be wrong by this much for some seconds."""
    before, people = tables.waiting(), tables.people()
    tables.machine.ahead += by
    tables.later(tables.run.rng.randint(2, 20) * SECOND)
    after = tables.waiting()
    assert_same(before, after, f"while the clock is wrong by {by} ms")
    assert tables.cast.mallory.send("GET", "/api/me").status_code == 200, "signed out"
    tables.move()
    before = tables.waiting()
    tables.machine.ahead -= by
    tables.later(20 * SECOND)
    assert_same(before, tables.waiting(), f"after the clock was wrong by {by} ms")
    assert tables.people() == people, "somebody was deleted"
    assert tables.cast.mallory.send("GET", "/api/me").status_code == 200, "signed out"
    ready = tables.cast.nobody.send("GET", "/readyz")
    assert ready.status_code == 200, ready.text
    late = rfc3339(tables.machine.now() + 3 * HOUR)
    assert all(seat["due"] < late for seats in tables.waiting().values() for seat in seats)


def assert_same(before: dict[str, list[Json]], after: dict[str, list[Json]], when: str) -> None:
    """Check that the same seats are waited for, until the same time or later."""
    for game_id, seats in before.items():
        then = {seat["seat"]: seat for seat in after[game_id]}
        assert then.keys() == {seat["seat"] for seat in seats}, f"{when}: {seats}, {after[game_id]}"
        for seat in seats:
            assert then[seat["seat"]]["due"] >= seat["due"], f"{when}: {seat}, {then}"


DEFINITION = Definition(endure, rounds=100, quick=2, kinds=("sqlite",), faults=("believing",))
