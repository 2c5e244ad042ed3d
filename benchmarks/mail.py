"""Turn mails: how long one takes from the move to the mail server, and what one costs to write."""

from __future__ import annotations

import os
import random
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from aiosmtpd.controller import Controller
from sqlalchemy import func, insert, select, update

from benchmarks.report import Measure, in_turns, ratio
from benchmarks.world import World, world
from service.answers import GameAnswer, Viewer
from service.config import ROOT
from service.database import db, transaction
from service.mail.turn import turn
from service.models import Credential
from service.models_mail import Outbox
from service.models_people import Account
from service.play import play
from service.table import Table, find

SLUG = "caravan"
MOVES = 15
ROUNDS = 30
PATIENCE = 30.0
"""Seconds."""


def measures() -> Iterator[Measure]:
    """The slowest of some mails, and the CPU time of one beside that of the answer to GET game."""
    with world() as made, _mail_server() as times:
        table = _of_correspondents(made)
        rounds = in_turns(
            lambda _: _cpu(lambda: _letter(made)),
            lambda _: _cpu(lambda: _answer(made, table)),
            range(ROUNDS),
        )
        yield Measure("a turn mail written / GET game answered", ratio(rounds, lambda each: each))
        with _worker(made, times):
            waits = list(_waits(made, table, times))
    yield Measure("from a move to its mail, slowest", max(waits), "s", most=10)


class Times:
    """A mail server's handler that keeps only when each mail began to come."""

    def __init__(self) -> None:
        self.port = 0
        self.begun: list[float] = []

    async def handle_MAIL(  # noqa: N802 - named after the command
        self, _server: Any, _session: Any, envelope: Any, address: str, _: Any
    ) -> str:
        """A mail begins."""
        envelope.mail_from = address
        self.begun.append(time.perf_counter())
        return "250 OK"


@contextmanager
def _mail_server() -> Iterator[Times]:
    times = Times()
    with socket.create_server(("127.0.0.1", 0)) as free:
        times.port = free.getsockname()[1]
    controller = Controller(times, "127.0.0.1", times.port)
    controller.start()
    try:
        yield times
    finally:
        controller.stop()


@contextmanager
def _worker(made: World, times: Times) -> Iterator[None]:
    mail = {"SMTP_URL": f"smtp://127.0.0.1:{times.port}"}
    environment = {**os.environ, "DATA_DIR": str(made.folder), **mail}
    command = [sys.executable, "-m", "service.cli", "work"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _of_correspondents(made: World) -> Table:
    """A game of people who have addresses and are away: they are written to at once."""
    table = made.open(SLUG)
    people = [person.player_id for person in table.people]
    with transaction():
        for n, player in enumerate(people):
            address = f"{n}@example.org"
            row = {
                "handle": f"player{n}",
                "registered_at": 0,
                "address": address,
                "folded": address,
            }
            db.session.execute(insert(Account).values(player_id=player, **row))
        db.session.execute(update(Credential).values(seen_at=0))
    for _ in people:  # both open their first rows; then somebody is asked, and written to
        _play(made, table.game.id, random.Random(1))
    return table


def _cpu(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    db.session.remove()
    return time.process_time() - began


def _letter(made: World) -> None:
    waiting = select(Outbox.__table__).where(Outbox.kind == "turn", Outbox.done_at.is_(None))
    row = db.session.execute(waiting.limit(1)).one()
    assert turn(made.kit, row)


def _answer(made: World, table: Table) -> None:
    person = table.people[0]
    state = made.kit.states.load(db.session, table.game)
    viewer = Viewer(person.player_id, "en", made.kit.config.poll_after)
    assert GameAnswer(find(table.game.id), state, viewer).whole()


def _waits(made: World, table: Table, times: Times) -> Iterator[float]:
    """Seconds from a move to each mail that it causes at once."""
    rng, arrived = random.Random(1), _await(times, _due(made))
    for _ in range(MOVES):
        began = time.perf_counter()
        _play(made, table.game.id, rng)
        arrived = _await(times, arrived + _due(made))
        yield from (begun - began for begun in times.begun if begun > began)


def _play(made: World, game_id: str, rng: random.Random) -> None:
    """One move of somebody who is waited for."""
    table = find(game_id)
    person = next(each for each in table.people if each.waiting)
    state = made.kit.states.load(db.session, table.game)
    action = rng.choice(table.ruleset.legal(state, person.seat))
    play(made.kit.outside, made.kit.states, table, person.player_id, person.asked, action)
    db.session.remove()


def _due(made: World) -> int:
    """How many mails have to leave now."""
    waiting = select(func.count()).where(Outbox.done_at.is_(None))
    due = db.session.scalar(waiting.where(Outbox.run_at <= made.kit.outside.now()))
    db.session.rollback()
    return due or 0


def _await(times: Times, number: int) -> int:
    """Return that number when so many mails have come."""
    end = time.monotonic() + PATIENCE
    while len(times.begun) < number:
        if time.monotonic() > end:
            raise TimeoutError("the mails do not come")
        time.sleep(0.005)
    return number
