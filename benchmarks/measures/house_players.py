"""House players: how long a person waits for them, with the worker in a separate process."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.report import Measure
from benchmarks.world import WISH, World, world
from rules.kernel import Json
from service.core.config import ROOT
from service.core.database import db
from service.game.table import Table, find
from service.play import table_setup
from service.play.moves import play

SLUG = "boomerang-auction"
MOVES = 20
PATIENCE = 20.0
"""Seconds."""


def measures(kind: str) -> Iterator[Measure]:
    """From a person's move to the first answer and to the last, each stored durably."""
    with world(kind) as made, _worker(made):
        waits = [_wait(made) for _ in range(MOVES)]
    first, last = zip(*waits, strict=True)
    median = statistics.median(first)
    yield Measure("first move of a house player, stored after (median)", median, "s", most=0.2)
    yield Measure("first move of a house player, stored after (slowest)", max(first), "s")
    yield Measure("all moves of two house players, slowest", max(last), "s", most=1)


@contextmanager
def _worker(made: World) -> Iterator[None]:
    environment = {**os.environ, **made.environment}
    command = [sys.executable, "-m", "service.commands", "work"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        _wait(made)  # the worker has started once it has moved
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _wait(made: World) -> tuple[float, float]:
    """Seconds from a person's move in a new game to the next one, and until it is their turn again."""
    player = made.person()
    wish: Json = {**WISH, "ruleset": SLUG, "players": 3, "house": 2, "seating": "order"}
    game_id = table_setup.open_table(made.services.runtime, player, wish).game.id
    table = _asked(game_id, player)
    state = made.services.states.load(db.session, table.game)
    seat = table.seated(player)
    action = table.ruleset.legal(state, seat.seat)[-1]
    play(made.services.runtime, made.services.states, table, player, seat.asked, action)
    began, number = time.perf_counter(), find(game_id).game.number
    db.session.rollback()
    while find(game_id).game.number == number:
        db.session.rollback()
        time.sleep(0.005)
    first = time.perf_counter() - began
    _asked(game_id, player)
    return first, time.perf_counter() - began


def _asked(game_id: str, player: str) -> Table:
    """The table as soon as the player is waited for."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        db.session.rollback()
        table = find(game_id)
        if table.seated(player).waiting:
            return table
        time.sleep(0.005)
    raise TimeoutError("the worker has not moved")
