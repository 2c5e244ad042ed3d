"""CPU time of requests within this process, where small differences are easier to see than with a server."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from benchmarks.world import Move, World

Environ = dict[str, Any]
"""The WSGI environment of a request."""


@contextmanager
def on_one_core() -> Iterator[None]:
    """A block in which this process runs on one core, with everything that it starts, such as the database's server.

    Waking a server on another core costs a third of a poll, and the system distributes work among cores in
    unpredictable ways.
    """
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(cores)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def cpu_of_moves(world: World, moves: Iterable[Move]) -> float:
    """CPU seconds per move; the moves are posted one after another."""
    return cpu_of(world, [world.posting(move) for move in moves], "201")


def time_of_moves(world: World, moves: Iterable[Move]) -> float:
    """Seconds per move by the clock, including the database's server and the disk."""
    posts = [world.posting(move) for move in moves]
    began = time.perf_counter()
    for post in posts:
        world.answer(post, "201")
    return (time.perf_counter() - began) / len(posts)


def cpu_of_polls(world: World, polls: Iterable[Environ]) -> float:
    """CPU seconds per poll that finds nothing new."""
    return cpu_of(world, list(polls), "304")


def cpu_of_looks(world: World, gets: Iterable[Environ]) -> float:
    """CPU seconds per GET with a complete response."""
    return cpu_of(world, list(gets), "200")


def cpu_of(world: World, environs: Sequence[Environ], status: str) -> float:
    """CPU seconds per request; every response must have this status."""
    began = time.process_time()
    for environ in environs:
        world.answer(environ, status)
    return (time.process_time() - began) / len(environs)
