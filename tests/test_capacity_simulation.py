"""The simulation of queues agrees with the formulas for queues (M/M/1, M/M/c, M/D/1)."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import pytest

from benchmarks.capacity.simulation import Simulation, Station, Step, merged, quantile

JOBS = 60_000
RATE = 50.0
"""The number of jobs that arrive in a second."""


def arriving(
    station: Station, served: Callable[[random.Random], float], jobs: int = JOBS
) -> Iterator[tuple[float, str, tuple[Step]]]:
    """The jobs, at random times."""
    rng, now = random.Random(36), 0.0
    for _ in range(jobs):
        now += rng.expovariate(RATE)
        yield now, "job", (Step((station,), served(rng)),)


def mean_wait(station: Station, served: Callable[[random.Random], float], mean: float) -> float:
    """Seconds in the queue."""
    simulation = Simulation()
    simulation.run(arriving(station, served))
    assert len(simulation.times["job"]) == JOBS
    assert station.utilisation(JOBS / RATE) == pytest.approx(
        RATE * mean / station.servers, rel=0.03
    )
    return sum(simulation.times["job"]) / JOBS - mean


def erlang_c(load: float, servers: int) -> float:
    """The probability that a job has to wait, if this many servers are busy on average."""
    own = load**servers / math.factorial(servers) * servers / (servers - load)
    return own / (sum(load**n / math.factorial(n) for n in range(servers)) + own)


@pytest.mark.parametrize(("servers", "busy"), [(1, 0.5), (1, 0.8), (2, 0.8), (8, 0.85)])
def test_random_services_wait_as_erlang_says(servers: int, busy: float) -> None:
    mean = busy * servers / RATE
    found = mean_wait(Station("s", servers), lambda rng: rng.expovariate(1 / mean), mean)
    assert found == pytest.approx(
        erlang_c(busy * servers, servers) * mean / (servers * (1 - busy)), rel=0.1
    )


def test_equal_services_wait_half_as_long() -> None:
    mean = 0.8 / RATE
    found = mean_wait(Station("s"), lambda _: mean, mean)
    assert found == pytest.approx(0.8 * mean / (2 * (1 - 0.8)), rel=0.1)


def test_a_flush_is_for_all_who_wait() -> None:
    disk, seconds = Station("disk", together=True), 4 / RATE
    simulation = Simulation()
    simulation.run(arriving(disk, lambda _: seconds, 2000))
    assert quantile(simulation.times["job"], 0.99) <= 2 * seconds + 1e-9
    assert disk.utilisation(2000 / RATE) > 0.8


def test_who_waits_for_a_core_keeps_the_process() -> None:
    """Two processes share one core: three jobs of a second, two of them of the same process, end one after
    the other.
    """
    core, first, second = Station("core"), Station("first"), Station("second")
    comes = [(0.0, "a", (Step((first, core), 1.0),)), (0.1, "b", (Step((first, core), 1.0),))]
    others = [(0.2, "c", (Step((second, core), 1.0), Step((), 5.0)))]
    simulation = Simulation()
    simulation.run(merged(comes, others))
    ended = {"a": 1.0, "b": 3.0 - 0.1, "c": 2.0 + 5.0 - 0.2}
    assert {kind: times[0] for kind, times in simulation.times.items()} == pytest.approx(ended)


def test_what_warms_up_is_not_counted() -> None:
    station = Station("s")
    comes = [(0.0, "job", (Step((station,), 2.0),)), (1.5, "job", (Step((station,), 1.0),))]
    simulation = Simulation(after=1.0, until=2.5)
    simulation.run(iter(comes))
    assert simulation.times == {"job": pytest.approx([1.5])}
    assert station.busy == pytest.approx(1.5)
