"""Growth with the length of a log: moves around event 1,000 of one game, compared with event 10 of another."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from benchmarks.cpu_inside import cpu_of_moves
from benchmarks.endless import registered
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS, Move, World, world

LONG = 1_000
"""Events before the first move that is measured."""
MOVES = 20
ROUNDS = 15


def measures(kind: str) -> Iterator[Measure]:
    """The ratio of the CPU times, in this process with warm caches."""
    with registered(), world(kind, rate_limits=False) as made:
        old = _old(made)
        rounds = in_turns(
            lambda moves: cpu_of_moves(made, islice(old, MOVES)),
            lambda moves: cpu_of_moves(made, moves),
            (_young(made, number) for number in range(ROUNDS)),
        )
        growth = ratio(rounds, lambda seconds: seconds)
    yield Measure("move: CPU at event 1,000 / at event 10", growth, most=1.3)


def _old(made: World) -> Iterator[Move]:
    """The moves of a game that already has LONG events."""
    moves = made.course(made.open(SLUGS[0]), random.Random(0))
    for move in moves:
        if move.table.game.number >= LONG:
            break
        made.play(move)
    made.play(move)
    return moves


def _young(made: World, number: int) -> list[Move]:
    """The first moves of a new game, around event 10."""
    return list(islice(made.course(made.open(SLUGS[0]), random.Random(number)), MOVES))
