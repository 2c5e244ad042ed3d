"""Turn emails: the time between a move and the arrival of the email at the mail server, and the cost of queuing an
email.
"""

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
from service.core.database.database import columns, db, one_row, transaction
from service.core.models.mail import Outbox, OutboxRow
from service.core.models.people import Account, Credential
from service.core.settings.config import ROOT
from service.log.table_rows.table import Table, find
from service.notifications.mail_texts.kinds import KINDS
from service.tables.play.moves import play
from service.tables.views.game_view import GameAnswer, Viewer

SLUG = "caravan"
MOVES = 15
ROUNDS = 30
PATIENCE = 30.0
"""How long (seconds) to wait at most."""


def measures() -> Iterator[Measure]:
    """The time of the slowest of several emails, and the CPU time for one compared with that for GET game."""
    with world() as made, mail_server() as times:
        table = _of_correspondents(made)
        rounds = in_turns(
            lambda _: _cpu(lambda: _render(made)),
            lambda _: _cpu(lambda: _answer(made, table)),
            range(ROUNDS),
        )
        yield Measure("a turn mail written / GET game answered", ratio(rounds, lambda each: each))
        with _worker(made, times):
            waits = list(_waits(made, table, times))
    yield Measure("from a move to its mail, slowest", max(waits), "s", most=10)


class Times:
    """A mail server's handler that records only when each email began to arrive."""

    def __init__(self) -> None:
        self.port = 0
        self.begun: list[float] = []

    async def handle_MAIL(  # noqa: N802 - named after the command
        self, _server: Any, _session: Any, envelope: Any, address: str, _: Any
    ) -> str:
        """Note that an email begins; returns the reply."""
        envelope.mail_from = address
        self.begun.append(time.perf_counter())
        return "250 OK"


@contextmanager
def mail_server() -> Iterator[Times]:
    """A block during which a mail server runs on a free port."""
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
    environment = {**os.environ, **made.environment, **mail}
    command = [sys.executable, "-m", "service.operations.commands", "work"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _of_correspondents(made: World) -> Table:
    """A game of players with addresses who are away, so that their emails are sent immediately."""
    table = made.open(SLUG)
    people = [person.player_id for person in table.holders]
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
    for _ in people:  # both open their first rows; then somebody gets a turn mail
        _play(made, table.game.id, random.Random(1))
    return table


def _cpu(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    db.session.remove()
    return time.process_time() - began


def _render(made: World) -> None:
    waiting = select(*columns(OutboxRow, Outbox.metadata.tables["outbox"])).where(
        Outbox.kind == "turn", Outbox.done_at.is_(None)
    )
    row = one_row(OutboxRow, waiting.limit(1))
    assert row and KINDS["turn"].render(made.services, row)


def _answer(made: World, table: Table) -> None:
    person = table.holders[0]
    state = made.services.states.load(table.game)
    viewer = Viewer(person.player_id, "en", made.services.config.poll_after)
    assert GameAnswer(find(table.game.id), state, viewer, made.services.heads).whole()


def _waits(made: World, table: Table, times: Times) -> Iterator[float]:
    """The seconds between a move and each email that it causes immediately."""
    rng, arrived = random.Random(1), _await(times, _due(made))
    for _ in range(MOVES):
        began = time.perf_counter()
        _play(made, table.game.id, rng)
        arrived = _await(times, arrived + _due(made))
        yield from (begun - began for begun in times.begun if begun > began)


def _play(made: World, game_id: str, rng: random.Random) -> None:
    """Play one move of somebody who has to act."""
    table = find(game_id)
    person = next(each for each in table.holders if each.waiting)
    state = made.services.states.load(table.game)
    action = rng.choice(table.ruleset.legal(state, person.seat))
    play(made.services, table, str(person.player_id), person.asked, action)
    db.session.remove()


def _due(made: World) -> int:
    """The number of emails that are due."""
    waiting = select(func.count()).where(Outbox.done_at.is_(None))
    due = db.session.scalar(waiting.where(Outbox.run_at <= made.services.now()))
    db.session.rollback()
    return due or 0


def _await(times: Times, number: int) -> int:
    """Wait until this number of emails have arrived; returns their number. Raises TimeoutError."""
    end = time.monotonic() + PATIENCE
    while len(times.begun) < number:
        if time.monotonic() > end:
            raise TimeoutError("the mails have not arrived")
        time.sleep(0.005)
    return number
