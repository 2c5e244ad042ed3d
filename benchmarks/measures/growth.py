"""Growth with the number of games: polls, looks and moves with 10 running games and with 5,000."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any

from sqlalchemy import func, select

from benchmarks.cpu_inside import cpu_of_looks, cpu_of_moves, cpu_of_polls, time_of_moves
from benchmarks.databases import databases
from benchmarks.fill import copy_games
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS, Move, World, in_databases
from service.core.database import db
from service.models.games import Event

FEW, MANY = 10, 5_000
"""Games in the database."""
BEGUN = 10
"""Moves played in each of them."""
MOVES, POLLS, LOOKS = 20, 200, 50
"""In each round."""
ROUNDS = 15


def measures(kind: str) -> Iterator[Measure]:
    """The same requests in this process on a large and a small database."""
    return grown(kind, MANY, BEGUN)


def grown(kind: str, many: int, begun: int, most: float | None = None) -> Iterator[Measure]:
    """Each kind of request with `many` games of `begun` moves / with few."""
    with (
        databases(kind) as home,
        in_databases(home, rate_limits=False) as small,
        in_databases(home, rate_limits=False) as large,
    ):
        for made in (small, large):
            _in(made, _fill, begun)
        events = _in(large, _copy, many // FEW - 1)
        yield Measure(f"{many:,} games: events in the database", events, "")
        for name, taken in (
            ("poll: CPU", _polls),
            ("GET: CPU", _looks),
            ("move: CPU", partial(_moves, cpu_of_moves)),
            ("move: time by the clock", partial(_moves, time_of_moves)),
        ):
            what = f"{name} with {many:,} games / with {FEW}"
            yield Measure(what, _growth(large, small, taken), most=most)


def _growth(large: World, small: World, taken: Callable[[World, int], float]) -> float:
    rounds = in_turns(
        lambda number: _in(large, taken, number),
        lambda number: _in(small, taken, number),
        range(ROUNDS),
    )
    return ratio(rounds, lambda seconds: seconds)


def _in(made: World, work: Callable[..., Any], *args: Any) -> Any:
    """The result of `work` in the context of the application of `made`."""
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


def _copy(_made: World, copies: int) -> int:
    """Copy all games so many times; how many events there are then."""
    copy_games(copies)
    return db.session.scalar(select(func.count()).select_from(Event)) or 0


def _moves(taken: Callable[[World, Iterable[Move]], float], made: World, number: int) -> float:
    moves = made.course(made.open(SLUGS[0]), random.Random(number))
    return taken(made, islice(moves, MOVES))


def _looks(made: World, number: int) -> float:
    """By a spectator, for whom no answer is kept."""
    path = f"/api/games/{made.open(SLUGS[0]).game.id}"
    return cpu_of_looks(made, [made.request("GET", path, made.person())] * LOOKS)


def _polls(made: World, number: int) -> float:
    table = made.open(SLUGS[0])
    player, path = table.people[number % 3].player_id, f"/api/games/{table.game.id}"
    _, headers = made.answer(made.request("GET", path, player), "200")
    tag = {"If-None-Match": headers["ETag"]}
    return cpu_of_polls(made, [made.request("GET", path, player, headers=tag)] * POLLS)
