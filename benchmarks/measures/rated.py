"""Ratings and player pages with 100,000 games: every hot path with and without them, and what they cost themselves.

The database is filled with copies of a few games by SQL. Both databases have the same games. In one of them, the
games also have rated results and are among the played games of 5,000 people, as if they were over.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from sqlalchemy import bindparam, text

from benchmarks.cpu_inside import cpu_of
from benchmarks.databases import databases
from benchmarks.measures.growth import REQUESTS, fill, growth, inside
from benchmarks.measures.tables import GAMES as WISHED
from benchmarks.measures.tables import PATHS, glances, requests
from benchmarks.report import Measure
from benchmarks.world import World, in_databases
from rules.kernel import Json
from service.core.database.database import db, transaction
from service.operations.worker.ratings import Ratings
from service.people.ratings.played.numbers import Numbers

GAMES, BEGUN = int(os.environ.get(WISHED, "100000")), 2
"""The number of games, and of the moves in each of them."""
PEOPLE = GAMES // 20
SEATS = 3
LISTED = 10
"""One in so many people wants to be on leaderboards."""
MOST = 1.1
ROUNDS = 31
OFTEN, ENDED = 20, 8
"""The number of requests, and of games that end, that are measured in a round."""
BOARD = "/api/rulesets/caravan/leaderboard"
PAGE = "/api/players/person-1"
OF_PEOPLE = {
    "a leaderboard": BOARD,
    "one's ratings": "/api/me/ratings",
    "a player's page": PAGE,
    "a player's finished games": f"{PAGE}/games",
    "a player's rated games": f"{PAGE}/ratings/caravan",
}
NUMBERS = Numbers(
    games=40,
    places=Counter({1: 20, 2: 20}),
    answered=800,
    waits=Counter({(hour, limit): 3 for hour in range(24) for limit in range(10)}),
    games_at=Counter(dict.fromkeys(range(24), 20)),
    played_at=Counter(dict.fromkeys(range(24), 30)),
).stored
TIMES = {name: NUMBERS[name] for name in ("waits", "games_at", "played_at")}

_WHO = "((key / 1000 * 7 + key % 1000 + s * 31) % :people)"
"""An SQL expression that spreads results over all people, although the keys of a game's copies are far apart
(benchmarks/fill.py).
"""
_RESULTS = f"""
INSERT INTO rated_results (game_key, seat, who, ruleset, players, ended_at, place, mean, deviation, games, public_games)
WITH RECURSIVE s(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM s WHERE s < :seats - 1)
SELECT key, s, 'p_' || {_WHO}, ruleset, :seats, key, s + 1,
       1500000 + {_WHO} * 100, 60000, 40, 40 FROM games, s
"""
_RATINGS = """
INSERT INTO ratings (who, ruleset, mean, deviation, games, ended_at, seen_mean, seen_deviation, seen_games)
SELECT who, ruleset, max(mean), 60000, count(*), max(ended_at), max(mean), 60000, count(*)
FROM rated_results GROUP BY who, ruleset
"""
_PEOPLE = """
INSERT INTO players (id, name, language, created_at, listed)
SELECT DISTINCT who, 'Person', 'en', 0, CAST(substr(who, 3) AS integer) % :listed = 0 FROM rated_results
"""
_PLAYED = f"""
INSERT INTO played_games (player_id, game_key, ruleset, private, ended_at, place, score, table_score, close, answered,
                          missed, times)
SELECT who, game_key, ruleset, FALSE, ended_at, place, 10, 10000, FALSE, 20, 1, '{json.dumps(TIMES)}' FROM rated_results
"""
_NUMBERS = f"""
INSERT INTO player_numbers (player_id, ruleset, private, numbers)
SELECT DISTINCT who, ruleset, FALSE, '{json.dumps(NUMBERS)}' FROM rated_results
"""
_ACCOUNT = """
INSERT INTO accounts (player_id, handle, address, folded, generation, registered_at)
VALUES (:id, :handle, :address, :address, 0, 0)
"""
_SHOWN = "UPDATE players SET page_for = 'everyone', ratings_for = 'everyone' WHERE id = 'p_1'"
_RATED = "UPDATE games SET rated = TRUE WHERE key = :key"
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
        timed |= {"a game ends": _ends, "glances of the worker": glances}
        for name, taken in timed.items():
            growth(rated, without, taken, 2)  # what is read first comes from the disk
            what = f"{name}: with ratings and pages of {GAMES:,} games / without"
            yield Measure(what, growth(rated, without, taken, ROUNDS), most=MOST)
        for name, path in OF_PEOPLE.items():
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
        db.session.execute(text(_PLAYED))
        db.session.execute(text(_NUMBERS))
        _register("p_1", "person-1")
        db.session.execute(text(_SHOWN))
    with db.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("ANALYZE"))
    return float(db.session.scalar(text("SELECT count(*) FROM rated_results")) or 0)


def _answers(path: str, made: World, number: int) -> float:
    """The seconds that requests take: CPU time with SQLite, which runs in this process, otherwise time by the clock."""
    if made.kind != "sqlite":
        return requests(path, made, number)
    table = made.open("caravan")
    player = str(table.people[0].player_id)
    return cpu_of(made, [made.request("GET", path.format(table.game.id), player)] * OFTEN, "20")


def _register(player_id: str, handle: str) -> None:
    about = {"id": player_id, "handle": handle, "address": f"{handle}@example.org"}
    db.session.execute(text(_ACCOUNT), about)


def _ends(made: World, number: int) -> float:
    """The seconds that resignations take which end a rated game of people with accounts, measured like `_answers`."""
    environs = []
    for _ in range(ENDED):
        table = made.open("caravan")
        with transaction():
            for person in table.people:
                _register(str(person.player_id), str(person.player_id)[2:].lower())
            db.session.execute(text(_RATED), {"key": table.game.key})
        path, player = f"/api/games/{table.game.id}/resignation", table.people[0].player_id
        environs.append(made.request("POST", path, player, data=b"{}"))
    if made.kind == "sqlite":
        return cpu_of(made, environs, "20")
    began = time.perf_counter()
    for environ in environs:
        made.answer(environ, "20")
    return (time.perf_counter() - began) / ENDED


def _rating(made: World) -> float:
    """The seconds between a waiting result and its rating, for some games one by one."""
    worker, taken = Ratings(made.services), 0.0
    while worker.rate_some():  # the games that have ended in the meantime
        pass
    for number in range(OFTEN):
        game = made.open("caravan").game
        with transaction():
            db.session.execute(text(_LAST), {"key": game.key, "at": 10**13 + number})
        began = time.perf_counter()
        assert worker.rate_some() == 1
        taken += time.perf_counter() - began
    return taken / OFTEN
