"""Ratings in a database of 100,000 games: every hot path with and without them, and what they cost themselves.

The database is filled with copies of a few games by SQL. Both databases have the same games; in one of them, rated
results of 5,000 people belong to these, as if they were over.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial

from sqlalchemy import bindparam, text

from benchmarks.cpu_inside import cpu_of
from benchmarks.databases import databases
from benchmarks.measures.growth import REQUESTS, fill, growth, inside
from benchmarks.measures.tables import PATHS, glances, requests
from benchmarks.report import Measure
from benchmarks.world import World, in_databases
from rules.kernel import Json
from service.core.database.database import db, transaction
from service.operations.worker.ratings import Ratings

GAMES, BEGUN, PEOPLE = 100_000, 2, 5_000
"""How many games, the moves in each of them, and how many people have played them."""
SEATS = 3
LISTED = 10
"""One of so many people wants to be on leaderboards."""
MOST = 1.1
ROUNDS = 31
OFTEN = 20
BOARD = "/api/rulesets/caravan/leaderboard"

_RESULTS = """
INSERT INTO rated_results (game_key, seat, who, ruleset, players, ended_at, place, mean, deviation, games)
WITH RECURSIVE s(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM s WHERE s < :seats - 1)
SELECT key, s, 'p_' || ((key * 7 + s * 31) % :people), ruleset, :seats, key, s + 1,
       1500000 + ((key * 7 + s * 31) % :people) * 100, 60000, 40 FROM games, s
"""
_RATINGS = """
INSERT INTO ratings (who, ruleset, mean, deviation, games, ended_at)
SELECT who, ruleset, max(mean), 60000, count(*), max(ended_at) FROM rated_results GROUP BY who, ruleset
"""
_PEOPLE = """
INSERT INTO players (id, name, language, created_at, listed)
SELECT DISTINCT who, 'Person', 'en', 0, CAST(substr(who, 3) AS integer) % :listed = 0 FROM rated_results
"""
_LAST = """
INSERT INTO rated_results (game_key, seat, who, ruleset, players, ended_at, place)
SELECT :key, 0, 'p_1', 'caravan', 2, :at, 1 UNION ALL SELECT :key, 1, 'p_2', 'caravan', 2, :at, 2
"""


def measures(kind: str) -> Iterator[Measure]:
    """Measurements of the same requests with and without ratings, and of rating a game and reading a leaderboard."""
    with (
        databases(kind) as home,
        in_databases(home, rate_limits=False, patient=True) as without,
        in_databases(home, rate_limits=False, patient=True) as rated,
    ):
        for made in (without, rated):
            fill(made, BEGUN, GAMES)
        yield Measure(f"{GAMES:,} games: rated results", inside(rated, _filled), "")
        timed: dict[str, Callable[[World, int], float]] = dict(REQUESTS)
        timed |= {name: partial(_answers, path) for name, path in PATHS.items()}
        timed |= {"glances of the worker": glances}
        for name, taken in timed.items():
            growth(rated, without, taken, 2)  # what is read first comes from the disk
            what = f"{name}: with ratings of {GAMES:,} games / without"
            yield Measure(what, growth(rated, without, taken, ROUNDS), most=MOST)
        for name, path in (("a leaderboard", BOARD), ("one's ratings", "/api/me/ratings")):
            yield Measure(
                f"{name}, {PEOPLE:,} people: time",
                inside(rated, partial(requests, path), 0) * 1e3,
                "ms",
            )
        yield Measure(f"rating a game after {GAMES:,}: time", inside(rated, _rating) * 1e3, "ms")


def _filled(_made: World) -> float:
    with transaction():
        about: Json = {"people": PEOPLE, "seats": SEATS}
        db.session.execute(text(_RESULTS), about)
        db.session.execute(text(_RATINGS))
        db.session.execute(text(_PEOPLE).bindparams(bindparam("listed", LISTED)))
    with db.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))
    return float(db.session.scalar(text("SELECT count(*) FROM rated_results")) or 0)


def _answers(path: str, made: World, number: int) -> float:
    """The seconds of each request: of CPU with SQLite, which runs in this process, otherwise by the clock."""
    if made.kind != "sqlite":
        return requests(path, made, number)
    table = made.open("caravan")
    player = str(table.people[0].player_id)
    return cpu_of(made, [made.request("GET", path.format(table.game.id), player)] * OFTEN, "20")


def _rating(made: World) -> float:
    """The seconds from a result that waits to its rating, once for each of some games."""
    worker, taken = Ratings(made.services), 0.0
    for number in range(OFTEN):
        game = made.open("caravan").game
        with transaction():
            db.session.execute(text(_LAST), {"key": game.key, "at": 10**12 + number})
        began = time.perf_counter()
        assert worker.rate_some() == 1
        taken += time.perf_counter() - began
    return taken / OFTEN
