"""CPU time of requests in this process: small differences are easier to see without a server."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from benchmarks.world import Move, World


def cpu_of_moves(world: World, moves: Iterable[Move]) -> float:
    """CPU seconds per move; the moves are posted one after another."""
    return _cpu(world, [world.posting(move) for move in moves], "201")


def cpu_of_polls(world: World, polls: Iterable[dict[str, Any]]) -> float:
    """CPU seconds per poll that finds nothing new."""
    return _cpu(world, list(polls), "304")


def cpu_of_looks(world: World, gets: Iterable[dict[str, Any]]) -> float:
    """CPU seconds per GET that is answered in full."""
    return _cpu(world, list(gets), "200")


def _cpu(world: World, environs: list[dict[str, Any]], status: str) -> float:
    began = time.process_time()
    for environ in environs:
        world.answer(environ, status)
    return (time.process_time() - began) / len(environs)
