"""Analyses: how long a person waits for house players while 200 analyses of finished games wait, and while none do.

Both are measured in turns next to one worker, with its thinker and the thinker that gives way to all processes:
analyses are taken away from it and given back.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence

from sqlalchemy import func, select, update

from benchmarks.measures.house_players import wait, worker
from benchmarks.report import Measure
from benchmarks.world import World, world
from rules.players.appraisal import VERSION
from service.core.database.database import db, transaction
from service.core.models.analyses import Analysis
from service.log.table_rows.table import find
from service.tables.play.analyses import analyses

SLUG = "boomerang-auction"
WAITING, ROUNDS, MOVES = 200, 6, 10
NOBODYS = "taken away"
"""The thinker of analyses that are taken away from the worker."""

_analysis = Analysis.metadata.tables["analyses"]


def measures(kind: str) -> Iterator[Measure]:
    """The times from a person's move to the answer, and how many analyses were done meanwhile."""
    with world(kind) as made:
        ask_for_many(made)
        set_thinker(VERSION, NOBODYS)
        without, beside = list[float](), list[float]()
        with worker(made):
            for _ in range(ROUNDS):
                without += [wait(made)[0] for _ in range(MOVES)]
                set_thinker(NOBODYS, VERSION)
                beside += [wait(made)[0] for _ in range(MOVES)]
                set_thinker(VERSION, NOBODYS)
        done = db.session.scalar(select(func.sum(_analysis.c.done)))
    yield Measure("answer of a house player, no analysis waits (p95)", p95(without), "s", most=2)
    yield Measure(f"answer of a house player, {WAITING} wait (p95)", p95(beside), "s", most=2)
    yield Measure(
        "answer beside waiting analyses to without (p95)", p95(beside) / p95(without), most=1.25
    )
    yield Measure("decisions appraised meanwhile", float(done or 0), "", least=1)


def p95(waits: Sequence[float]) -> float:
    """The time that one wait in twenty exceeds."""
    return statistics.quantiles(waits, n=20)[-1]


def ask_for_many(made: World) -> None:
    """Have WAITING analyses of finished games wait, for as many people."""
    rng = random.Random(3)
    waiting = 0
    while waiting < WAITING:
        table = made.open(SLUG)
        for move in made.course(table, rng):
            made.play(move)
        over = find(table.game.id)
        for person in over.people[: WAITING - waiting]:
            analyses.ask(made.services, over, str(person.player_id))
            waiting += 1
        db.session.remove()


def set_thinker(present: str, other: str) -> None:
    """Take the waiting analyses away from the worker, or give them back."""
    waiting = update(_analysis).where(_analysis.c.ended_at.is_(None))
    with transaction():
        db.session.execute(waiting.where(_analysis.c.thinker == present).values(thinker=other))
