"""Every hot path with BENCHMARK_GAMES games and with ten; and how long vacuum and backup take.

The database is filled with copies of games by SQL: 1,000,000 games with 50 million events take some 40 GB and hours.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count

from sqlalchemy import text

from benchmarks.measures.growth import FEW, grown, growth, inside
from benchmarks.report import Measure
from benchmarks.world import World
from service.core.database.database import db
from service.core.runtime.time_and_random import Runtime, system_clock
from service.core.runtime.units import SECOND
from service.operations.stored_data.backup import CannotSave, save
from service.operations.worker.deadlines import LATE
from service.operations.worker.glance import NOW, Glance
from service.operations.worker.sending import DUE
from service.outbox import queue
from service.people.circles import weeklies
from service.people.ratings.played.counting import waiting_games
from service.people.ratings.ratings import waiting_rulesets
from service.tables.play.analyses.analyses import waiting_analyses
from service.tables.play.house_players import waiting_seats

GAMES = "BENCHMARK_GAMES"
"""The name of the environment variable with the number of games."""
USUAL = 20_000
BEGUN = 50
"""The number of moves of each game, unless it ends before that."""
MOST = 1.2
ROUNDS, REQUESTS, GLANCES = 15, 20, 200
PATHS = {
    "GET of a table": "/api/games/{}",
    "its history": "/api/games/{}/events?limit=20",
    "its clock": "/api/games/{}/clock",
    "the lobby": "/api/games?status=open",
    "running games": "/api/games?status=running",
    "somebody's games": "/api/games?mine=true",
    "what waits for somebody": "/api/me/turns",
    "records": "/api/records?mine=true",
}


def measures(kind: str) -> Iterator[Measure]:
    """Measurements of the same requests and glances on a large and a small database."""
    games = int(os.environ.get(GAMES, USUAL))
    with grown(kind, games, BEGUN) as (large, small):
        yield Measure(f"{games:,} games: events", inside(large, _events), "")
        timed: dict[str, Callable[[World, int], float]] = {
            name: partial(requests, path) for name, path in PATHS.items()
        }
        timed |= {"glances of the worker": glances}
        for name, taken in timed.items():
            growth(large, small, taken, 2)  # what is read first comes from the disk
            what = f"{name}: time with {games:,} games / with {FEW}"
            yield Measure(what, growth(large, small, taken, ROUNDS), most=MOST)
        yield Measure(f"{games:,} games: size of the database", inside(large, _bytes) / 1e6, "MB")
        yield Measure(f"{games:,} games: vacuum", inside(large, _vacuum), "s")
        yield from _backup(large, games)


def requests(path: str, made: World, number: int) -> float:
    """The seconds that requests take from somebody who sits at one table."""
    table = made.open("caravan")
    player = str(table.people[0].player_id)
    environs = [made.request("GET", path.format(table.game.id), player) for _ in range(REQUESTS)]
    began = time.perf_counter()
    for environ in environs:
        made.answer(environ, "20")
    return (time.perf_counter() - began) / REQUESTS


def glances(made: World, number: int) -> float:
    """The seconds of glances at everything that can be due (nothing is), as each thread of a worker glances at its own
    work.

    A second passes between two glances, so that each of them looks at everything.
    """
    runtime = Runtime(now=count(system_clock(), SECOND).__next__)
    people = (waiting_rulesets(), waiting_games(), waiting_analyses(NOW), weeklies.due(NOW))
    loop = (waiting_seats(), *people, *(late(NOW) for late in LATE))
    glances = [Glance(runtime, *each) for each in (loop, (queue.DUE,), DUE)]
    began = time.perf_counter()
    for _ in range(GLANCES):
        for glance in glances:
            glance.sees_work()
    return (time.perf_counter() - began) / GLANCES


def _events(_made: World) -> float:
    return float(db.session.scalar(text("SELECT count(*) FROM events")) or 0)


def _bytes(made: World) -> float:
    of = "pg_database_size(current_database())"
    pages = "page_count * page_size FROM pragma_page_count, pragma_page_size"
    query = f"SELECT {of if made.kind == 'postgresql' else pages}"
    return float(db.session.scalar(text(query)) or 0)


def _vacuum(made: World) -> float:
    """The duration of a vacuum in seconds.

    It needs its own connection: those of the service begin a transaction, in which a vacuum is forbidden.
    """
    db.session.remove()
    began = time.perf_counter()
    if made.kind == "postgresql":
        with db.engine.connect() as connection:
            alone = connection.execution_options(isolation_level="AUTOCOMMIT")
            alone.execute(text("VACUUM"))
    else:
        with closing(sqlite3.connect(made.home.database.removeprefix("sqlite:///"))) as file:
            file.execute("VACUUM")
    return time.perf_counter() - began


def _backup(large: World, games: int) -> Iterator[Measure]:
    """The duration of a backup; for PostgreSQL only if its programs are installed."""
    copy, began = large.folder / "copy", time.perf_counter()
    try:
        save(large.config, copy)
    except CannotSave:
        return
    yield Measure(f"{games:,} games: backup", time.perf_counter() - began, "s")
    yield Measure(f"{games:,} games: size of the backup", copy.stat().st_size / 1e6, "MB")
