"""Growth with the number of games: polls and moves with 10 running games and with 5,000."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from sqlalchemy import text

from benchmarks.measures.inside import cpu_of_moves, cpu_of_polls
from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import SLUGS, World, world
from service.core.database import db, transaction

FEW, MANY = 10, 5_000
"""Games in the database."""
BEGUN = 10
"""Moves played in each of them."""
MOVES, POLLS = 20, 200
"""In each round."""
ROUNDS = 15

_NUMBERS = "WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < :copies)"
_COPIES = {
    "games": {"key": "key + n * 1000", "id": "id || '-' || n"},
    "tenures": {"id": "id || '-' || n", "game_key": "game_key + n * 1000"},
    "seats": {"game_key": "game_key + n * 1000", "tenure_id": "tenure_id || '-' || n"},
    "events": {"game_key": "game_key + n * 1000"},
}
"""How the rows of a copy differ from the original; the players are the same in all copies."""


def measures() -> Iterator[Measure]:
    """The same requests in this process on a large and a small database."""
    with world(rate_limits=False) as small, world(rate_limits=False) as large:
        for made in (small, large):
            _in(made, _fill)
        _in(large, _copy)
        yield _growth(f"poll: CPU with {MANY:,} games / with {FEW}", large, small, _polls)
        yield _growth(f"move: CPU with {MANY:,} games / with {FEW}", large, small, _moves)


def _growth(what: str, large: World, small: World, cpu: Callable[[World, int], float]) -> Measure:
    rounds = in_turns(
        lambda number: _in(large, cpu, number),
        lambda number: _in(small, cpu, number),
        range(ROUNDS),
    )
    return Measure(what, ratio(rounds, lambda seconds: seconds))


def _in(made: World, work: Callable[..., Any], *args: Any) -> Any:
    """The result of `work` in the context of the application of `made`."""
    with made.app.app_context():
        try:
            return work(made, *args)
        finally:
            db.session.remove()


def _fill(made: World) -> None:
    for number in range(FEW):
        moves = made.course(made.open(SLUGS[number % 2]), random.Random(number))
        for move in islice(moves, BEGUN):
            made.play(move)


def _copy(made: World) -> None:
    """Copy the games until there are MANY."""
    with transaction():
        for table, changed in _COPIES.items():
            columns = [row.name for row in db.session.execute(text(f"PRAGMA table_info({table})"))]
            values = ", ".join(changed.get(name, name) for name in columns)
            copied = f"INSERT INTO {table} ({', '.join(columns)}) {_NUMBERS} SELECT {values} FROM {table}, n"
            db.session.execute(text(copied), {"copies": MANY // FEW - 1})


def _moves(made: World, number: int) -> float:
    moves = made.course(made.open(SLUGS[0]), random.Random(number))
    return cpu_of_moves(made, islice(moves, MOVES))


def _polls(made: World, number: int) -> float:
    table = made.open(SLUGS[0])
    player, path = table.people[number % 3].player_id, f"/api/games/{table.game.id}"
    _, headers = made.answer(made.request("GET", path, player), "200")
    tag = {"If-None-Match": headers["ETag"]}
    return cpu_of_polls(made, [made.request("GET", path, player, headers=tag)] * POLLS)
