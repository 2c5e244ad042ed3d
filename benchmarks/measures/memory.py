"""The memory of a web process that has shown very many games; `KEPT_STATES` limits it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from benchmarks.fill import copy_games
from benchmarks.report import Measure
from benchmarks.server import Caller, Server, request, served
from benchmarks.world import SLUGS, World, world

GAMES = 10_000
"""The number of different games that are opened."""
BEGUN = 20
"""The number of moves of each game."""


def measures(kind: str) -> Iterator[Measure]:
    """The memory (MB) of one process after a thousand games, and its growth after all of them."""
    with world(kind, rate_limits=False) as made:
        games = _games(made)
        with served("service.web.app:create_app()", made.environment, workers=1) as server:
            after = [_open(server, games[:1000]), _open(server, games[1000:])]
    yield Measure("memory of a web process, 1,000 games opened", after[0], "MB")
    what = f"memory of a web process, {GAMES:,} games opened / 1,000"
    yield Measure(what, after[1] / after[0], most=1.2)


def _games(made: World) -> list[bytes]:
    """The requests for many games, each by a player of that game."""
    table = made.open(SLUGS[0])
    for move in islice(made.course(table, random.Random(0)), BEGUN):
        made.play(move)
    token = {"Authorization": f"Bearer {made.tokens[str(table.people[0].player_id)]}"}
    return [request("GET", f"/api/games/{each}", token) for each in copy_games(GAMES)]


def _open(server: Server, gets: list[bytes]) -> float:
    """The memory (MB) after all requests have been answered."""
    caller = Caller(server.address)
    for get in gets:
        caller.send(get)
        assert caller.status() == 200
    caller.close()
    return server.memory()
