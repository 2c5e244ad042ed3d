"""A real server under a random load, next to the simulation's prediction for the same load.

The server has one web process on one core, and SQLite; the client has the other core. Both have priority over
everything else on the machine (nice -15, which only root may set). Times are counted from the moment at which a request
was due, not from the moment at which there was a connection for it.
"""

from __future__ import annotations

import itertools
import os
import random
import selectors
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from benchmarks.capacity.costs import Cost, Costs, cost
from benchmarks.capacity.measuring import SETTINGS, of_the_disk, posted
from benchmarks.capacity.processes import NICE
from benchmarks.capacity.simulation import Simulation, Station, quantile
from benchmarks.capacity.sites import Jobs, Slice, Stations
from benchmarks.capacity.usage import Usage
from benchmarks.measures.poll import idle_polls
from benchmarks.server import Caller, Server, request, served
from benchmarks.world import SLUGS, World, world

LOADS = (0.3, 0.6, 0.85)
"""The loads of the core, computed from the costs of single requests."""
WARM, SECONDS = 4.0, 40.0
CONNECTIONS = 64
NAMES = ("idle poll", "look at a table", "list of turns", "list of games", "move")


class Seen(NamedTuple):
    """The measured or predicted results of one load."""

    asked: float
    """The number of planned requests per second."""
    answered: float
    """The number of answered requests per second."""
    busy: float
    """The fraction of time in which the web process worked."""
    times: dict[str, tuple[float, float, float]]
    """The durations (ms) of each kind of request: the median, and the 95th and 99th percentiles."""


class Trial(NamedTuple):
    """One load: its prediction and its measurement."""

    load: float
    predicted: Seen
    seen: Seen
    beside: float
    """The number of cores that everything else on the machine used during the trial."""


Planned = list[tuple[float, str]]
"""The time (seconds) and the kind of each planned request."""


def trials(costs: Costs, usage: Usage) -> Iterator[Trial]:
    """The trial of each load."""
    core = max(os.sched_getaffinity(0))
    with world("sqlite", rate_limits=False) as made:
        for number, load in enumerate(LOADS):
            plan = _plan(costs, usage, load, random.Random(number))
            moves = _moves(made, sum(name == "move" for _, name in plan))
            requests = _requests(made)
            before = [*of_the_disk()]
            with (
                _alone(),
                served(
                    "service.web.app:create_app()", {**made.environment, **SETTINGS}, workers=1
                ) as server,
            ):
                for pid in [server._process.pid, *server._workers()]:
                    _first(pid, core)
                seen, beside = _Load(server, requests, moves).run(plan)
            [flush] = _between(before, [*of_the_disk()])  # other programs use the disk more or less
            known = Costs([*costs.all, flush])
            yield Trial(load, _predicted(known, plan, random.Random(number)), seen, beside)


def _between(before: Sequence[Cost], after: Sequence[Cost]) -> Iterator[Cost]:
    """The means of the costs measured before and after."""
    for one, other in zip(before, after, strict=True):
        each = [
            (a * one.value + b * other.value) / 2
            for a, b in zip(one.shape, other.shape, strict=True)
        ]
        yield cost(one.name, one.database, one.unit, [one.value, other.value], each)


def _plan(costs: Costs, usage: Usage, load: float, rng: random.Random) -> Planned:
    """The requests that load the core this much, at random times."""
    each = sum(
        number * costs.of(f"web: {name}", "sqlite").value for name, number in usage.requests.items()
    )
    rate = load * 1000 / each * sum(usage.requests.values())
    names, weights = [*usage.requests], [*usage.requests.values()]
    now, found = 0.0, Planned()
    while (now := now + rng.expovariate(rate)) < WARM + SECONDS:
        found.append((now, rng.choices(names, weights)[0]))
    return found


def _predicted(costs: Costs, plan: Planned, rng: random.Random) -> Seen:
    stations = Stations(Slice(1, "sqlite", web_machines=1, workers=1, thinkers=1))
    process, core = Station("web process"), Station("core")
    stations.processes = [(process, core)]
    jobs, simulation = Jobs(costs, stations, rng), Simulation(WARM, WARM + SECONDS)
    simulation.run((at, name, jobs.steps(name)) for at, name in plan)
    asked = sum(at >= WARM for at, _ in plan) / SECONDS
    return Seen(asked, asked, core.utilisation(SECONDS), _quantiles(simulation.times))


def _quantiles(times: Mapping[str, Sequence[float]]) -> dict[str, tuple[float, float, float]]:
    return {
        name: tuple(1000 * quantile(times.get(name, []), part) for part in (0.5, 0.95, 0.99))  # type: ignore[misc]
        for name in NAMES
    }


def _requests(made: World) -> dict[str, Iterator[bytes]]:
    """Endless requests of each kind except moves."""
    tables = [made.open(slug) for slug in SLUGS for _ in range(8)]
    who = [(table, made.tokens[str(table.people[0].player_id)]) for table in tables]
    return {
        "idle poll": itertools.cycle(idle_polls(made)),
        "look at a table": itertools.cycle(
            [_get(f"/api/games/{table.game.id}", token) for table, token in who]
        ),
        "list of turns": itertools.cycle([_get("/api/me/turns", token) for _, token in who]),
        "list of games": itertools.cycle([_get("/api/games?mine=true", token) for _, token in who]),
    }


def _get(path: str, token: str) -> bytes:
    return request("GET", path, {"Authorization": f"Bearer {token}"})


def _moves(made: World, number: int) -> deque[deque[bytes]]:
    """Games with twice as many moves in all, each in order: some are under way, and some end before others."""
    found, left = deque[deque[bytes]](), 2 * number + 200
    while left > 0:
        table = made.open(SLUGS[len(found) % 2])
        course = made.course(table, random.Random(len(found)))
        found.append(deque(posted(made, each) for each in course))
        left -= len(found[-1])
    return found


@contextmanager
def _alone() -> Iterator[None]:
    """A block in which this process has a core of its own, with priority."""
    cores, nice = os.sched_getaffinity(0), os.nice(0)
    _first(os.getpid(), min(cores))
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, 0, nice)


def _first(pid: int, core: int) -> None:
    """Move all threads of a process to this core, with priority; processes that it starts later inherit that."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        os.sched_setaffinity(int(task.name), {core})
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, int(task.name), NICE)


class _Connection(Caller):
    """A connection to the server, with its pending request."""

    def __init__(self, server: Server) -> None:
        super().__init__(server.address)
        self.name, self.due, self.game = "", 0.0, deque[bytes]()

    def fileno(self) -> int:
        return self._socket.fileno()


class _Load:
    """A load of planned requests, which are sent when they are due, as soon as there is a connection for each."""

    def __init__(
        self,
        server: Server,
        requests: Mapping[str, Iterator[bytes]],
        games: deque[deque[bytes]],
    ) -> None:
        self._server, self._requests, self._games = server, requests, games
        self._free = deque(_Connection(server) for _ in range(CONNECTIONS))
        self._times: dict[str, list[float]] = {}
        self._answered = 0

    def run(self, plan: Planned) -> tuple[Seen, float]:
        """Send the requests of the plan; returns the results, and the number of cores that all other processes used
        meanwhile.
        """
        waiting, used = deque(plan), (0.0, 0.0, 0.0)
        with selectors.DefaultSelector() as selector:
            began = time.perf_counter()
            while waiting or len(self._free) < CONNECTIONS:
                now = time.perf_counter() - began
                if now >= WARM and not any(used):
                    used = self._used()
                while waiting and waiting[0][0] <= now and self._free:
                    self._send(*waiting.popleft(), selector)
                pause = max(0.0, waiting[0][0] - now) if waiting and self._free else 0.05
                for key, _ in selector.select(pause):
                    assert isinstance(key.fileobj, _Connection)
                    self._take(key.fileobj, began, selector)
            passed = time.perf_counter() - began - WARM
        server, own, everything = (
            (late - early) / passed for late, early in zip(self._used(), used, strict=True)
        )
        for connection in self._free:
            connection.close()
        asked = sum(at >= WARM for at, _ in plan) / SECONDS
        seen = Seen(asked, self._answered / SECONDS, server, _quantiles(self._times))
        return seen, everything - server - own

    def _send(self, due: float, name: str, selector: selectors.BaseSelector) -> None:
        connection = self._free.popleft()
        connection.name, connection.due = name, due
        if name == "move":
            while not self._games[0]:
                self._games.popleft()
            connection.game = self._games.popleft()
            connection.send(connection.game.popleft())
        else:
            connection.send(next(self._requests[name]))
        selector.register(connection, selectors.EVENT_READ)

    def _take(
        self, connection: _Connection, began: float, selector: selectors.BaseSelector
    ) -> None:
        """Read a response, and note how long it took."""
        status = connection.status()
        assert status in {200, 201, 304}, (connection.name, status)
        ended = time.perf_counter() - began
        if connection.due >= WARM:
            self._times.setdefault(connection.name, []).append(ended - connection.due)
            self._answered += ended <= WARM + SECONDS
        selector.unregister(connection)
        if connection.name == "move":
            self._games.append(connection.game)
        self._free.append(connection)

    def _used(self) -> tuple[float, float, float]:
        """The CPU seconds that the web process, this process, and the whole machine have used so far."""
        with open("/proc/stat", encoding="utf-8") as file:
            user, nice, system, _idle, _wait, irq, softirq, *_ = map(
                int, file.readline().split()[1:]
            )
        ticks = user + nice + system + irq + softirq
        return self._server.cpu() / 1e9, time.process_time(), ticks / os.sysconf("SC_CLK_TCK")
