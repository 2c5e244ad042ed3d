"""Growth with the number of games: polls, looks and moves with 10 running games and with 5,000."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import func, select

from benchmarks.cpu_inside import cpu_of_looks, cpu_of_moves, cpu_of_polls, time_of_moves
from benchmarks.databases import databases
from benchmarks.fill import copy_games
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS, Move, World, in_databases
from service.core.database.database import db
from service.core.models.games import Event

FEW, MANY = 10, 5_000
"""The numbers of games in the two databases."""
BEGUN = 10
"""The number of moves played in each of them."""
MOVES, POLLS, LOOKS = 20, 200, 50
"""The numbers of requests in each round, by kind."""
ROUNDS = 15


def measures(kind: str) -> Iterator[Measure]:
    """The ratios of the costs of the same requests, in this process, on a large and a small database."""
    with grown(kind, MANY, BEGUN) as (large, small):
        yield from requests_in(large, small, MANY)


@contextmanager
def grown(kind: str, many: int, begun: int) -> Iterator[tuple[World, World]]:
    """A world with `many` games of `begun` moves, and one with few."""
    with (
        databases(kind) as home,
        in_databases(home, rate_limits=False, patient=True) as small,
        in_databases(home, rate_limits=False, patient=True) as large,
    ):
        fill(small, begun)
        fill(large, begun, many)
        yield large, small


def fill(made: World, begun: int, many: int = FEW) -> None:
    """Make this many games with `begun` moves."""
    inside(made, _fill, begun)
    inside(made, lambda _made: copy_games(many // FEW - 1))


def requests_in(
    large: World, small: World, many: int, most: float | None = None
) -> Iterator[Measure]:
    """For each kind of request, the ratio of its cost in the large database to that in the small one."""
    yield Measure(f"{many:,} games: events in the database", inside(large, _count_events), "")
    for name, taken in REQUESTS.items():
        what = f"{name} with {many:,} games / with {FEW}"
        yield Measure(what, growth(large, small, taken), most=most)


def growth(
    large: World, small: World, taken: Callable[[World, int], float], rounds: int = ROUNDS
) -> float:
    """The ratio of the duration of a round in the large database to that in the small one."""
    found = in_turns(
        lambda number: inside(large, taken, number),
        lambda number: inside(small, taken, number),
        range(rounds),
    )
    return ratio(found, lambda seconds: seconds)


def inside(made: World, work: Callable[..., Any], *args: Any) -> Any:
    """The result of `work` in the context of `made`'s application."""
    with made.app.app_context():
        try:
            return work(made, *args)
        finally:
            db.session.remove()


def _fill(made: World, begun: int) -> None:
    for number in range(FEW):
        moves = made.course(made.open(SLUGS[number % 2]), random.Random(number))
        for move in islice(moves, begun):
            made.play(move)


def _count_events(_made: World) -> int:
    return db.session.scalar(select(func.count()).select_from(Event)) or 0


def _moves(taken: Callable[[World, Iterable[Move]], float], made: World, number: int) -> float:
    moves = made.course(made.open(SLUGS[0]), random.Random(number))
    return taken(made, islice(moves, MOVES))


def _looks(made: World, number: int) -> float:
    """The seconds for looks of a spectator, for whom no response is cached."""
    path = f"/api/games/{made.open(SLUGS[0]).game.id}"
    return cpu_of_looks(made, [made.request("GET", path, made.person())] * LOOKS)


def _polls(made: World, number: int) -> float:
    table = made.open(SLUGS[0])
    player, path = table.people[number % 3].player_id, f"/api/games/{table.game.id}"
    _, headers = made.answer(made.request("GET", path, player), "200")
    tag = {"If-None-Match": headers["ETag"]}
    return cpu_of_polls(made, [made.request("GET", path, player, headers=tag)] * POLLS)


REQUESTS: dict[str, Callable[[World, int], float]] = {
    "poll: CPU": _polls,
    "GET: CPU": _looks,
    "move: CPU": partial(_moves, cpu_of_moves),
    "move: time by the clock": partial(_moves, time_of_moves),
}
"""The seconds that a round of each kind of request takes."""
