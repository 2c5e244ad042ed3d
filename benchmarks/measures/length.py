"""Growth with the length of a log: requests around event 1,000 of one game, compared with requests around event 10 of
others.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice

from benchmarks.cpu_inside import Environ, cpu_of, on_one_core
from benchmarks.endless import registered
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS, Move, World, world

LONG = 1_000
"""The number of events before the first measured request."""
MOVES, LOOKS, POLLS = 20, 50, 200
"""The numbers of requests in each round, by kind."""
BEGUN = 8
"""The number of moves of a young game before anybody looks at it."""
ROUNDS = 15
MOST = 1.1


Requests = list[Environ]


def measures(kind: str) -> Iterator[Measure]:
    """The ratios of the CPU times, in this process with warm caches."""
    with on_one_core(), registered(), world(kind, rate_limits=False) as made:
        old = _old(made)
        moves = (
            (_posts(made, old), _posts(made, _young(made, number))) for number in range(ROUNDS)
        )
        yield _growth(made, "move", "201", moves)
        latest = next(old)
        for name, status, asked in (("GET", "200", _looks), ("poll", "304", _polls)):
            rounds = (
                (asked(made, latest), asked(made, _begun(made, number))) for number in range(ROUNDS)
            )
            yield _growth(made, name, status, rounds)


def _growth(
    made: World, name: str, status: str, rounds: Iterable[tuple[Requests, Requests]]
) -> Measure:
    """The growth of requests in an old game compared with a young one; both are ready before either is measured."""
    found = in_turns(
        lambda requests: cpu_of(made, requests[0], status),
        lambda requests: cpu_of(made, requests[1], status),
        rounds,
    )
    what = f"{name}: CPU at event {LONG:,} / at event 10"
    before = "1.05" if name == "move" else ""
    return Measure(what, ratio(found, lambda seconds: seconds), most=MOST, before=before)


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
    """The next move in a new game after BEGUN moves."""
    moves = _young(made, number)
    for move in islice(moves, BEGUN):
        made.play(move)
    return next(moves)


def _posts(made: World, moves: Iterator[Move]) -> Requests:
    return [made.posting(move) for move in islice(moves, MOVES)]


def _looks(made: World, move: Move) -> Requests:
    """The looks of a spectator, for whom no response is cached."""
    return [made.request("GET", f"/api/games/{move.table.game.id}", made.person())] * LOOKS


def _polls(made: World, move: Move) -> Requests:
    path = f"/api/games/{move.table.game.id}"
    _, headers = made.answer(made.request("GET", path, move.player), "200")
    tag = {"If-None-Match": headers["ETag"]}
    return [made.request("GET", path, move.player, headers=tag)] * POLLS
