"""Queues, simulated as discrete events: jobs that go from station to station, each of which serves some jobs at a time.

A job holds all stations of a step while it is served, and takes them in order, for example first a web process and then
a core. Stations serve jobs in the order of arrival. The simulation knows nothing about games; `sites.py` defines the
stations and jobs.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

Arrivals = Iterator[tuple[float, str, Sequence["Step"]]]
"""The time (s) of each job, its kind, and its steps, in the order of time."""


class Station:
    """A number of servers with one queue.

    With `together`, one service is for all jobs that wait when it begins, like a flush of a log.
    """

    def __init__(self, name: str, servers: int = 1, *, together: bool = False) -> None:
        self.name, self.servers, self.together = name, servers, together
        self.free = servers
        self.queue: deque[_Job] = deque()
        self.busy = 0.0
        """The seconds of service of all servers since `Simulation.after`."""
        self.longest = 0
        """The longest queue."""

    def utilisation(self, seconds: float) -> float:
        """The fraction of this time in which a server works."""
        return self.busy / seconds / self.servers


class Step(NamedTuple):
    """A step that holds these stations and takes this many seconds.

    Without stations, only time passes. `seconds` can be a function that is called when the service begins, with the
    number of waiting jobs.
    """

    stations: tuple[Station, ...]
    seconds: float | Callable[[int], float]


class _Job:
    __slots__ = ("began", "kind", "left", "steps", "waited")

    def __init__(self, kind: str, began: float, steps: Sequence[Step]) -> None:
        self.kind, self.began, self.steps, self.left = kind, began, steps, 0
        self.waited = 0.0


class Simulation:
    """A simulation that runs jobs until no more arrive; everything before `after` is a warm-up and not counted."""

    def __init__(self, after: float = 0.0, until: float = float("inf")) -> None:
        self.after, self.until = after, until
        self.times: dict[str, list[float]] = {}
        """The durations (seconds) of the jobs that arrived after `after`, by kind."""
        self._events: list[tuple[float, int, _Job, tuple[Station, ...], tuple[_Job, ...]]] = []
        self._number = 0

    def run(self, arrivals: Arrivals) -> None:
        """Run all jobs."""
        coming = next(arrivals, None)
        while coming or self._events:
            if coming and (not self._events or coming[0] <= self._events[0][0]):
                now, kind, steps = coming
                self._go_on(now, _Job(kind, now, steps))
                coming = next(arrivals, None)
                continue
            now, _, job, stations, beside = heapq.heappop(self._events)
            for station in reversed(stations):
                self._release(now, station)
            for each in (job, *beside):
                each.left += 1
                self._go_on(now, each)

    def _go_on(self, now: float, job: _Job) -> None:
        if job.left == len(job.steps):
            if job.began >= self.after:
                self.times.setdefault(job.kind, []).append(now - job.began)
            return
        self._take(now, job, 0)

    def _take(self, now: float, job: _Job, number: int) -> None:
        """Take the stations of the present step from this one on, or wait for one of them."""
        stations = job.steps[job.left].stations
        for station in stations[number:]:
            if not station.free:
                station.queue.append(job)
                station.longest = max(station.longest, len(station.queue))
                return
            station.free -= 1
        self._serve(now, job)

    def _serve(self, now: float, job: _Job) -> None:
        stations, seconds = job.steps[job.left]
        waiting = len(stations[0].queue) if stations else 0
        taken = seconds if isinstance(seconds, float | int) else seconds(waiting)
        counted = max(0.0, min(now + taken, self.until) - max(now, self.after))
        for station in stations:
            station.busy += counted
        beside: tuple[_Job, ...] = ()
        if stations and stations[-1].together:
            beside = tuple(stations[-1].queue)
            stations[-1].queue.clear()
        self._number += 1
        heapq.heappush(self._events, (now + taken, self._number, job, stations, beside))

    def _release(self, now: float, station: Station) -> None:
        if not station.queue:
            station.free += 1
            return
        job = station.queue.popleft()
        self._take(now, job, job.steps[job.left].stations.index(station) + 1)


def quantile(times: Sequence[float], part: float) -> float:
    """The time within which this fraction of all jobs is done; 0 if there are none."""
    if not times:
        return 0.0
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def merged(*arrivals: Iterable[tuple[float, str, Sequence[Step]]]) -> Arrivals:
    """All arrivals, in the order of time."""
    return heapq.merge(*arrivals, key=lambda each: each[0])
