"""Growth with the length of a log: requests around event 1,000 of one game, compared with event 10 of others."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

from benchmarks.cpu_inside import cpu_of_looks, cpu_of_moves, cpu_of_polls
from benchmarks.endless import registered
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS, Move, World, world

LONG = 1_000
"""Events before the first request that is measured."""
MOVES, LOOKS, POLLS = 20, 50, 200
"""In each round."""
BEGUN = 8
"""Moves of a young game before anybody looks at it."""
ROUNDS = 15
MOST = 1.1


def measures(kind: str) -> Iterator[Measure]:
    """The ratios of the CPU times, in this process with warm caches."""
    with registered(), world(kind, rate_limits=False) as made:
        old = _old(made)
        yield _growth(
            "move",
            lambda number: cpu_of_moves(made, islice(old, MOVES)),
            lambda number: cpu_of_moves(made, islice(_young(made, number), MOVES)),
        )
        latest = next(old)
        yield _growth(
            "GET",
            lambda _: _looks(made, latest),
            lambda number: _looks(made, _begun(made, number)),
        )
        yield _growth(
            "poll",
            lambda _: _polls(made, latest),
            lambda number: _polls(made, _begun(made, number)),
        )


def _growth(name: str, old: Callable[[int], float], young: Callable[[int], float]) -> Measure:
    growth = ratio(in_turns(old, young, range(ROUNDS)), lambda seconds: seconds)
    before = "1.05" if name == "move" else ""
    what = f"{name}: CPU at event {LONG:,} / at event 10"
    return Measure(what, growth, most=MOST, before=before)


def _old(made: World) -> Iterator[Move]:
    """The moves of a game that already has LONG events."""
    moves = _young(made, 0)
    for move in moves:
        if move.table.game.number >= LONG:
            break
        made.play(move)
    made.play(move)
    return moves


def _young(made: World, number: int) -> Iterator[Move]:
    """The moves of a new game."""
    return made.course(made.open(SLUGS[0]), random.Random(number))


def _begun(made: World, number: int) -> Move:
    """What is next in a new game after BEGUN moves."""
    moves = _young(made, number)
    for move in islice(moves, BEGUN):
        made.play(move)
    return next(moves)


def _looks(made: World, move: Move) -> float:
    """By a spectator, for whom no answer is kept."""
    get = made.request("GET", f"/api/games/{move.table.game.id}", made.person())
    return cpu_of_looks(made, [get] * LOOKS)


def _polls(made: World, move: Move) -> float:
    path = f"/api/games/{move.table.game.id}"
    _, headers = made.answer(made.request("GET", path, move.player), "200")
    tag = {"If-None-Match": headers["ETag"]}
    return cpu_of_polls(made, [made.request("GET", path, move.player, headers=tag)] * POLLS)
