"""House players: how long a person waits for them, while the worker and the thinker are separate processes.

First, one game is played at a time, as on an idle server; then fifty games at once, with house players of all levels,
while a seat runs out of time.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sqlalchemy import select, update

from benchmarks.report import Measure
from benchmarks.world import WISH, World, world
from rules.kernel import Json
from rules.players.levels import LEVELS
from service.core.database.database import db, transaction
from service.core.models.games import Game, Seat
from service.core.settings.config import ROOT
from service.log.table_rows.table import Table, find
from service.operations.thinking.thinking_time import duration
from service.tables.before_start import table_setup
from service.tables.play.house_players import waiting_seats
from service.tables.play.moves import play

SLUG = "boomerang-auction"
MOVES = 20
MANY = 50
PATIENCE = 20.0
"""How long (seconds) to wait at most."""


def measures(kind: str) -> Iterator[Measure]:
    """The times from a person's move to the first answer and to the last, each stored durably."""
    with world(kind) as made, worker(made):
        waits = [wait(made) for _ in range(MOVES)]
        many, late = _wait_for_many(made)
    first, last = zip(*waits, strict=True)
    begun = _p95(first) - duration(str(WISH["level"]))
    yield Measure("a house player begins to think after a move (p95)", begun, "s", most=0.2)
    yield Measure("answer of a house player (median)", statistics.median(first), "s")
    yield Measure("answer of a house player (p95)", _p95(first), "s", most=2)
    yield Measure("answers of two house players, one after the other (slowest)", max(last), "s")
    yield Measure(f"answer of one of {MANY} house players (p95)", _p95(many), "s", most=2)
    yield Measure(f"move of a seat out of time beside {MANY} house players", late, "s", most=10)


def _p95(waits: Sequence[float]) -> float:
    return statistics.quantiles(waits, n=20)[-1]


def _wait_for_many(made: World) -> tuple[list[float], float]:
    """The seconds until each of many house players has answered, and the seconds until a move is played for a seat that
    is out of time.
    """
    deadline = made.open("caravan").game.id
    people = [made.person() for _ in range(MANY)]
    began, open_games = dict[str, float](), set[str]()
    for n, player in enumerate(people):
        wish: Json = {**WISH, "ruleset": "caravan", "house": 1, "level": [*LEVELS][n % len(LEVELS)]}
        game = table_setup.open_table(made.services, player, wish).game
        began[game.id] = time.perf_counter()
        open_games.add(game.id)
    due = _run_out_of_time(made, deadline)
    waits, late = dict[str, float](), 0.0
    end = time.monotonic() + PATIENCE
    while (len(waits) < MANY or not late) and time.monotonic() < end:
        db.session.rollback()
        waiting = {row.id for row in db.session.execute(waiting_seats())}
        now = time.perf_counter()
        waits |= {each: now - began[each] for each in open_games - waiting - waits.keys()}
        if not late and not any(each.misses == 0 for each in find(deadline).holders):
            late = now - due
        time.sleep(0.005)
    return list(waits.values()), late or PATIENCE


def _run_out_of_time(made: World, game_id: str) -> float:
    """Make the seats of a game run out of time now; returns the time then (seconds)."""
    with transaction():
        of_game = select(Game.key).where(Game.id == game_id).scalar_subquery()
        now = made.services.now()
        db.session.execute(update(Seat).where(Seat.game_key == of_game).values(due=now))
    return time.perf_counter()


@contextmanager
def worker(made: World) -> Iterator[None]:
    """A block during which a worker runs with its thinker, which has already made a move."""
    environment = {**os.environ, **made.environment}
    command = [sys.executable, "-m", "service.operations.commands", "work"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        wait(made)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def wait(made: World) -> tuple[float, float]:
    """The seconds from a person's move in a new game to the next move, and until it is their turn again."""
    player = made.person()
    wish: Json = {**WISH, "ruleset": SLUG, "players": 3, "house": 2, "seating": "order"}
    game_id = table_setup.open_table(made.services, player, wish).game.id
    table = _asked(game_id, player)
    state = made.services.states.load(table.game)
    seat = table.holding(player)
    action = table.ruleset.legal(state, seat.seat)[-1]
    play(made.services, table, player, seat.asked, action)
    began, number = time.perf_counter(), find(game_id).game.number
    db.session.rollback()
    while find(game_id).game.number == number:
        db.session.rollback()
        time.sleep(0.005)
    first = time.perf_counter() - began
    _asked(game_id, player)
    return first, time.perf_counter() - began


def _asked(game_id: str, player: str) -> Table:
    """The table, as soon as the player has to act. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        db.session.rollback()
        table = find(game_id)
        if table.holding(player).waiting:
            return table
        time.sleep(0.005)
    raise TimeoutError("the worker has not moved")
