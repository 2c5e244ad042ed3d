"""Measuring the cost of the worker's work: emails, and the thoughts of house players."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import func, insert, select, text, update

import rules
from benchmarks.capacity.costs import Cost, cost
from benchmarks.capacity.processes import cpu, database_processes, flushes
from benchmarks.measures.mail import Times, mail_server
from benchmarks.played_games import played
from benchmarks.world import World, world
from rules.players.levels import LEVELS
from service.core.database.database import db, transaction
from service.core.models.mail import Outbox
from service.core.models.people import Account, Credential
from service.core.settings.config import ROOT
from service.log.table_rows.table import Table, find
from service.operations.thinking.agents import Agents
from service.operations.thinking.questions import Question
from service.operations.thinking.thinking_time import Paced
from service.tables.play.moves import play

TABLES, MOVES = 20, 3
"""The tables of each round of emails, and the moves after which one player waits for the other, so that an email
is due.
"""
ROUNDS = 3
PATIENCE = 60.0
"""How long (seconds) to wait at most for mails."""
THOUGHTS = 4
"""The number of thoughts for each game and level, in positions of random games."""


def of_mails(kind: str) -> Iterator[Cost]:
    """The CPU time of the worker and of the database's server for a turn mail, its flushes, and the bytes of
    its row.
    """
    with world(kind, rate_limits=False) as made, mail_server() as times:
        with _worker(made, f"smtp://127.0.0.1:{times.port}") as worker:
            rounds = [_mailed(made, times, worker, n) for n in range(1 + ROUNDS)][1:]
            with (
                _due(made, worker, 1 + ROUNDS),
                flushes([worker, *database_processes(made)]) as flushed,
            ):
                before = len(times.begun)
                os.kill(worker, signal.SIGCONT)
                _all_sent(made)
                sent = len(times.begun) - before
        size = _bytes_of_row(made)
    yield cost("worker: turn mail", kind, "ms", [each[0] for each in rounds])
    if kind == "postgresql":
        yield cost("database: turn mail", kind, "ms", [each[1] for each in rounds])
    yield cost("flushes: turn mail", kind, "", [flushed[0] / sent])
    yield cost("disk: mail in the outbox", kind, "bytes", [size])


@contextmanager
def _worker(made: World, address: str) -> Iterator[int]:
    settings = {"SMTP_URL": address, "MAILS_PER_DAY": "0"}
    process = subprocess.Popen(
        [sys.executable, "-m", "service.operations.commands", "work"],
        cwd=ROOT,
        env={**os.environ, **made.environment, **settings},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _correspondents(made: World, name: str) -> Table:
    """A game of two people with addresses who are away, so that their emails are sent at once."""
    table = made.open("caravan")
    with transaction():
        for n, person in enumerate(table.holders):
            handle, address = f"p{n}{name}", f"p{n}{name}@example{n}.org"
            row = {"handle": handle, "registered_at": 0, "address": address, "folded": address}
            db.session.execute(insert(Account).values(player_id=person.player_id, **row))
        db.session.execute(update(Credential).values(seen_at=0))
    return find(table.game.id)


@contextmanager
def _due(made: World, worker: int, number: int) -> Iterator[None]:
    """A block in which emails are due and the worker is stopped; when it ends, the worker continues."""
    tables = [_correspondents(made, f"{number}x{n}") for n in range(TABLES)]
    _all_sent(made)
    os.kill(worker, signal.SIGSTOP)
    try:
        for table in tables:
            _play_on(made, table)
        yield
    finally:
        os.kill(worker, signal.SIGCONT)


def _mailed(made: World, times: Times, worker: int, number: int) -> tuple[float, float]:
    """The CPU time (ms) for each email, of the worker and of the database's server."""
    with _due(made, worker, number):
        before = cpu([worker]), cpu(database_processes(made)), len(times.begun)
        os.kill(worker, signal.SIGCONT)
        _all_sent(made)
        after = cpu([worker]), cpu(database_processes(made)), len(times.begun)
    own, beside, sent = (late - early for late, early in zip(after, before, strict=True))
    return 1000 * own / sent, 1000 * beside / sent


def _play_on(made: World, table: Table) -> None:
    """Play some moves in a game."""
    rng = random.Random(1)
    for _ in range(MOVES):
        table = find(table.game.id)
        person = next(each for each in table.holders if each.waiting)
        state = made.services.states.load(table.game)
        action = rng.choice(table.ruleset.legal(state, person.seat))
        play(made.services, table, str(person.player_id), person.asked, action)
        db.session.remove()


def _all_sent(made: World) -> None:
    """Wait until no mail is due. Raises TimeoutError."""
    due = select(func.count()).where(Outbox.done_at.is_(None))
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        db.session.rollback()
        if not db.session.scalar(due.where(Outbox.run_at <= made.services.now())):
            db.session.rollback()
            return
        time.sleep(0.2)
    raise TimeoutError("the mails have not been sent")


def _bytes_of_row(made: World) -> float:
    query = (
        "SELECT pg_total_relation_size('outbox')"
        if made.kind == "postgresql"
        else "SELECT sum(pgsize) FROM sqlite_schema JOIN dbstat USING (name) WHERE tbl_name = 'outbox'"
    )
    size = db.session.scalar(text(query)) or 0
    return float(size) / (db.session.scalar(select(func.count()).select_from(Outbox)) or 1)


def of_thoughts() -> Iterator[Cost]:
    """The CPU time (ms) of a thinker for one move, by level; each game is a round."""
    for level in LEVELS:
        yield cost(
            f"thinker: {level}", None, "ms", [_thought(slug, level) for slug in rules.slugs()]
        )


def _thought(slug: str, level: str) -> float:
    """The average CPU time (ms) of thoughts in several positions with a choice."""
    agents, used = Agents(Paced()), []
    for question in _questions(slug, level):
        began = time.process_time()
        assert agents.answer(question).action
        used.append(1000 * (time.process_time() - began))
    return sum(used) / len(used)


def _questions(slug: str, level: str) -> Iterator[Question]:
    """Questions for a house player that has to act, in random games."""
    ruleset = rules.load(slug)
    players = ruleset.players[0]
    steps = played(ruleset, players, {}, random.Random(36)).steps
    asked = [n for n, step in enumerate(steps) if ruleset.turn(step.state).waiting]
    for number in asked[:: max(1, len(asked) // THOUGHTS)][:THOUGHTS]:
        yield Question(
            game=f"{slug} {number}",
            seat=ruleset.turn(steps[number].state).waiting[0],
            asked=1,
            ruleset=slug,
            version=ruleset.version,
            players=players,
            options={},
            after=0,
            number=number,
            head="",
            events=[step.event for step in steps[:number]],
            level=level,
            share=1.0,
            seed=number,
        )
