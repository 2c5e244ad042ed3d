"""Durable moves by the clock, compared with durable commits of one row in the same run.

Moves of one game are made one after another; those of twenty games are made at once, as many as the two web processes
accept.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from benchmarks.report import Measure, in_turns, ratio
from benchmarks.server import Caller, Server, request
from benchmarks.world import SLUGS, Move, World, beside, world

GAMES = 20
MOVES = {1: 30, GAMES: 10}
"""The moves of each game in a round, by the number of games. A single game has as many moves as most games have."""
ROUNDS = 7


def measures(kind: str) -> Iterator[Measure]:
    """The ratio of moves per second to commits per second."""
    with world(kind, rate_limits=False) as made, beside(made) as (tegami, flask):
        _rounds(made, tegami, flask, GAMES, 2)  # one connection would leave a process cold
        for games, what, least in (
            (1, "durable moves in one game / commits of one row, by the clock", 0.7),
            (GAMES, f"durable moves in {GAMES} games at once / as many commits, by the clock", 1.0),
        ):
            speed = 1 / ratio(_rounds(made, tegami, flask, games, ROUNDS), lambda seconds: seconds)
            yield Measure(what, speed, least=least)


def _rounds(
    made: World, tegami: Server, flask: Server, games: int, rounds: int
) -> list[tuple[float, float]]:
    return in_turns(
        lambda moves: tegami.load(lambda: _play(made, tegami, moves)).seconds,
        lambda moves: flask.load(lambda: _insert(flask, moves)).seconds,
        (_games(made, number, games) for number in range(rounds)),
    )


def played(made: World, number: int, server: Server, games: int) -> float:
    """The seconds that a round of moves takes, in so many new games at once."""
    moves = _games(made, number, games)
    return server.load(lambda: _play(made, server, moves)).seconds


def _games(made: World, number: int, games: int) -> list[list[Move]]:
    return [_moves(made, number, MOVES[games]) for _ in range(games)]


def _moves(made: World, number: int, most: int) -> list[Move]:
    table = made.open(SLUGS[0])
    return list(itertools.islice(made.course(table, random.Random(number)), most))


def _play(made: World, server: Server, games: list[list[Move]]) -> None:
    def posts(moves: list[Move]) -> list[bytes]:
        return [
            request(
                "POST",
                move.path,
                {"Authorization": f"Bearer {made.tokens[move.player]}"},
                move.body,
            )
            for move in moves
        ]

    _all_at_once(server, [posts(moves) for moves in games])


def _insert(server: Server, games: list[list[Move]]) -> None:
    _all_at_once(
        server,
        [[request("POST", "/entries", {}, move.body) for move in moves] for moves in games],
    )


def _all_at_once(server: Server, sequences: list[list[bytes]]) -> None:
    """Play each sequence on its own connection and in its own thread."""
    with ThreadPoolExecutor(len(sequences)) as threads:
        list(threads.map(lambda posts: _one_by_one(server, posts), sequences))


def _one_by_one(server: Server, posts: list[bytes]) -> None:
    caller = Caller(server.address)
    for post in posts:
        caller.send(post)
        assert caller.status() == 201
    caller.close()
