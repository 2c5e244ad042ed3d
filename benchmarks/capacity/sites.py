"""Servers of several sizes: their machines, and how jobs pass through their stations.

A large site consists of equal slices: some web machines, one part of the database, some workers. Random arrivals that
are divided at random are still random (Poisson), so one slice is simulated, with the load of the fullest slice.
"""

from __future__ import annotations

import itertools
import math
import random
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks.capacity.costs import Costs
from benchmarks.capacity.simulation import Arrivals, Simulation, Station, Step, quantile
from benchmarks.capacity.usage import DAY, WORLD, Usage, busiest, busyness
from service.operations.thinking.thinking_time import duration, share

BUSY = 0.6
"""The largest fraction of time for which a part may be busy in the busiest hour."""
SMTP_SECONDS = 0.25
"""How long (seconds) a mail server takes to accept an email."""
GLANCE = 1.0
"""The interval (seconds) between two looks of an idle worker."""
SENDERS = 4
"""The value of a worker's setting SMTP_CONNECTIONS."""
JOBS, LEAST, MOST = 30_000, 5.0, 120.0
"""The approximate number of jobs that are counted in each hour, and the least and the most seconds for counting
them.
"""
HOURS = range(0, 24, 2)
"""The hours that are simulated."""
WARM = 4.0
"""The seconds before anything is counted: more than any job takes."""
SEED = 36


class Slice(NamedTuple):
    """The machines of one slice of a site."""

    players: float
    database: str
    web_machines: int
    """The number of web machines, each with two cores and a web process for each core; with SQLite, one machine that
    does everything.
    """
    workers: int
    thinkers: int
    database_cores: int = 0
    """The cores of the slice's part of the database; with SQLite, the database works in the other processes."""


class Site(NamedTuple):
    """A number of equal slices."""

    name: str
    slices: int
    slice: Slice
    zones: Mapping[int, float] = WORLD

    @property
    def players(self) -> float:
        """The number of players of the whole site."""
        return self.slices * self.slice.players

    @property
    def fullest(self) -> float:
        """The load of the fullest slice, relative to the average.

        Games are divided by the hash of their keys.
        """
        return 1 + 4 / math.sqrt(self.slice.players) if self.slices > 1 else 1.0


@dataclass
class Stations:
    """The stations of one slice."""

    slice: Slice
    processes: list[tuple[Station, Station]] = field(default_factory=list)
    """The web processes, each with the cores of its machine."""

    def __post_init__(self) -> None:
        sqlite = self.slice.database == "sqlite"
        for machine in range(self.slice.web_machines):
            cores = Station(f"cores {machine}", 2)
            self.processes += [(Station("web process"), cores) for _ in range(2)]
        own = (
            self.processes[0][1] if sqlite else Station("worker cores", max(2, self.slice.workers))
        )
        self.workers = [(Station("worker"), own) for _ in range(self.slice.workers)]
        self.senders = Station("senders", SENDERS * self.slice.workers)
        self.thinkers = Station("thinkers", self.slice.thinkers)
        self.writer = Station("writer")
        self.cores = Station("database cores", max(1, self.slice.database_cores))
        self.log = Station("log of the database", together=True)

    def parts(self) -> dict[str, list[Station]]:
        """The stations by part, for tables and plots."""
        seen = {id(cores): cores for _, cores in self.processes}
        found = {
            "web cores": [*seen.values()],
            "web processes": [process for process, _ in self.processes],
            "workers": [worker for worker, _ in self.workers],
            "senders": [self.senders],
            "thinkers": [self.thinkers],
        }
        if self.slice.database == "sqlite":
            return {**found, "writer": [self.writer]}
        return {**found, "database cores": [self.cores], "database log": [self.log]}


class Jobs:
    """The steps of each job, with durations drawn from the measurements."""

    def __init__(self, costs: Costs, stations: Stations, rng: random.Random) -> None:
        self._costs, self._stations, self._rng = costs, stations, rng
        self._kind = stations.slice.database

    def steps(self, name: str) -> Sequence[Step]:
        """The steps of a job with this name, as in `Usage.work`."""
        if name == "turn mail":
            return self._mail()
        if name.startswith("house: "):
            return self._thought(name.removeprefix("house: "))
        process = self._rng.choice(self._stations.processes)
        steps = [Step(process, self._drawn(f"web: {name}"))]
        if self._kind == "postgresql":
            held = (process[0], self._stations.cores)
            steps.append(Step(held, self._drawn(f"database: {name}")))
        return steps + (self._commits("flushes: move") if name == "move" else [])

    def _mail(self) -> list[Step]:
        """The steps of an email: it is noticed within a second, made and sent, and then its row is closed."""
        own, senders = self._rng.choice(self._stations.workers), self._stations.senders
        return [
            Step((), self._rng.random() * GLANCE),
            Step((senders, *own), self._drawn("worker: turn mail")),
            Step((senders,), SMTP_SECONDS),
            *self._commits("flushes: turn mail"),
        ]

    def _thought(self, level: str) -> list[Step]:
        """The steps of a thought: a thinker is busy for the allowed time, then the worker makes the move."""
        thinkers, whole = self._stations.thinkers, duration(level)

        def seconds(waiting: int) -> float:
            return whole * share([(0.0, whole)] * (1 + waiting), thinkers.servers)

        own = self._rng.choice(self._stations.workers)
        return [
            Step((thinkers,), seconds),
            Step(own, self._drawn("web: move")),
            *self._commits("flushes: move"),
        ]

    def _commits(self, name: str) -> list[Step]:
        """The steps of as many commits as this work has on average."""
        number = self._costs.of(name, self._kind).value
        many = int(number) + (self._rng.random() < number % 1)
        at = self._stations.writer if self._kind == "sqlite" else self._stations.log
        return [Step((at,), self._drawn("flush")) for _ in range(many)]

    def _drawn(self, name: str) -> float:
        """A random duration (seconds) of this work."""
        return self._costs.of(name, self._kind).drawn(self._rng.random()) / 1000


class Hour(NamedTuple):
    """The results of an hour of a site."""

    hour: int
    busy: dict[str, float]
    """The fraction of time in which each part works; if it has several stations, their mean."""
    times: dict[str, tuple[float, float, float]]
    """The durations (seconds) of each kind of job: the median, and the 95th and 99th percentiles."""
    jobs: int


def simulated(site: Site, costs: Costs, usage: Usage, hours: Sequence[int] = HOURS) -> list[Hour]:
    """A day of one slice: for each of `hours`, what a simulation of some seconds of it has measured."""
    return [_hour(site, costs, usage, hour) for hour in hours]


def _hour(site: Site, costs: Costs, usage: Usage, hour: int) -> Hour:
    rng = random.Random(SEED * 100 + hour)
    stations = Stations(site.slice)
    rate = site.slice.players * site.fullest * busyness(hour, site.zones) / DAY
    rates = {name: number * rate for name, number in usage.work.items()}
    counted = min(MOST, max(LEAST, JOBS / sum(rates.values())))
    simulation = Simulation(WARM, WARM + counted)
    simulation.run(arriving(rates, Jobs(costs, stations, rng), rng, simulation.until))
    return Hour(
        hour,
        {
            name: sum(each.utilisation(counted) for each in some) / len(some)
            for name, some in stations.parts().items()
        },
        {
            name: (quantile(times, 0.5), quantile(times, 0.95), quantile(times, 0.99))
            for name, times in sorted(simulation.times.items())
        },
        sum(map(len, simulation.times.values())),
    )


def arriving(rates: Mapping[str, float], jobs: Jobs, rng: random.Random, until: float) -> Arrivals:
    """Random arrivals at these rates per second for each kind, until this time."""
    now, names, bounds = 0.0, [*rates], [*itertools.accumulate(rates.values())]
    while (now := now + rng.expovariate(bounds[-1])) < until:
        name = names[min(bisect(bounds, rng.random() * bounds[-1]), len(names) - 1)]
        yield now, name, jobs.steps(name)


def planned(name: str, players: float, costs: Costs, usage: Usage, *, most_cores: int = 8) -> Site:
    """A site on PostgreSQL for so many players from all time zones, in which no part is ever busier than BUSY."""
    a_second = players * busiest(WORLD) / DAY
    cores = sum(
        number * a_second * costs.of(f"database: {each}", "postgresql").value / 1000
        for each, number in usage.requests.items()
    )
    cores += usage.mails * a_second * costs.of("database: turn mail", "postgresql").value / 1000
    cores += usage.house_moves * a_second * costs.of("database: move", "postgresql").value / 1000
    slices = max(1, math.ceil(cores / BUSY / most_cores))
    return Site(
        name, slices, _slice(players / slices, a_second / slices, cores / slices, costs, usage)
    )


def _slice(players: float, a_second: float, cores: float, costs: Costs, usage: Usage) -> Slice:
    web = sum(
        number * a_second * costs.of(f"web: {each}", "postgresql").value / 1000
        for each, number in usage.requests.items()
    )
    mail = costs.of("worker: turn mail", "postgresql").value
    house = costs.of("web: move", "postgresql").value
    work = (usage.mails * mail + usage.house_moves * house) * a_second / 1000
    sending = usage.mails * a_second * (mail / 1000 + SMTP_SECONDS) / SENDERS
    thinking = sum(
        usage.house_moves * part * a_second * duration(level)
        for level, part in usage.levels.items()
    )
    return Slice(
        players,
        "postgresql",
        web_machines=max(1, math.ceil(web / BUSY / 2)),
        workers=max(1, math.ceil(max(work, sending) / BUSY)),
        thinkers=max(1, math.ceil(thinking / BUSY)),
        database_cores=max(2, math.ceil(cores / BUSY)),
    )


def slots(hours: Sequence[Hour]) -> Iterator[tuple[str, float, int]]:
    """For each part, its name, its load in its busiest hour, and that hour."""
    for name in hours[0].busy:
        busy, hour = max((each.busy[name], each.hour) for each in hours)
        yield name, busy, hour
