"""SIGKILL of every kind of process at random moments while people play: every acknowledged move is in the log, once.

Three people play games against the house on a whole server. In each round one process is killed: all of the web, one of
its processes, the worker, a thinker; with PostgreSQL, whose server is the run's own and waits for the disk, also its
first process or another one. Programs that do not restart automatically are started again, as a service manager does.
Each game is played out, and its record proven: every acknowledged move is there at its number, and no other one of that
person.

A hundred rounds take ten minutes on each database. It counts kills by kind, moves acknowledged, and logs proven. What
runs each day is tests/service/operations/worker/test_kills.py, which kills at each point of a move.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from contextlib import suppress

from tests.endurance.frame import Definition, Run
from tests.endurance.house_games import LOST_MOVE, HouseGames
from tests.endurance.own_database import OwnDatabase
from tests.support.processes import children
from tests.support.servers.server import Server

MOVES_A_KILL = 10
"""The fewest moves that are acknowledged for each kill."""
HASTY = "hasty-database"
"""A fault: the database does not wait for the disk, and so loses what it has confirmed when it is killed."""


class Killer:
    """Kills processes, and starts again those that do not restart automatically."""

    def __init__(self, run: Run, server: Server, database: OwnDatabase | None) -> None:
        self._run, self._server, self._database = run, server, database
        self._rng = random.Random(run.seed)
        self._kinds: dict[str, Callable[[], None]] = {
            "web": lambda: self._restart("web"),
            "web process": lambda: self._kill_child("web"),
            "worker": lambda: self._restart("worker"),
            "thinker": lambda: self._kill_child("worker"),
        }
        if database:
            self._kinds |= {"database": self._restart_database, "backend": self._kill_backend}

    def kill(self, number: int) -> None:
        """Kill one process, of each kind in turn."""
        kinds = list(self._kinds)
        kind = kinds[number % len(kinds)] if number < len(kinds) else self._rng.choice(kinds)
        self._kinds[kind]()
        self._run.count(f"killed: {kind}")

    def _restart(self, name: str) -> None:
        self._server.kill(name)
        self._server.launch(name)
        self._server.await_health()

    def _kill_child(self, name: str) -> None:
        self._kill_one(children(self._server._running[name].pid))

    def _restart_database(self) -> None:
        assert self._database
        self._database.kill()
        self._database.revive()

    def _kill_backend(self) -> None:
        assert self._database
        self._kill_one(self._database.processes())

    def _kill_one(self, processes: list[int]) -> None:
        with suppress(ProcessLookupError, IndexError):
            os.kill(self._rng.choice(processes), signal.SIGKILL)


def endure(run: Run) -> None:
    """Kill so often."""
    database = None
    if run.kind == "postgresql":
        database = OwnDatabase(run.folder / "postgresql", hasty=run.fault == HASTY)
        run.until_the_end.callback(database.stop)
    url = database.migrated(run.folder / "keys") if database else run.database()
    with Server(run.folder, url) as server, HouseGames(run, server.url) as games:
        killer = Killer(run, server, database)
        for number in range(run.rounds):
            games.go_on(run.rng.randint(MOVES_A_KILL // 2, 3 * MOVES_A_KILL // 2))
            killer.kill(number)


DEFINITION = Definition(endure, rounds=100, quick=6, faults=(LOST_MOVE,), daily=False)
