"""SIGKILL while real processes send mails: none is lost, repeats have the same id, and none is too late."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
from flask import Flask

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from service.web.app import create_app
from tests.support.cast import Cast
from tests.support.mail_kinds import outcomes, rows, write, write_question
from tests.support.servers import preloaded
from tests.support.servers.databases import KINDS, Databases, disconnect
from tests.support.servers.preloaded import Running
from tests.support.servers.server import PATIENCE, wait_until
from tests.support.servers.smtp_server import MailServer

pytestmark = pytest.mark.of_service

OURS = ("claim", "claimed", "matters", "render", "look", "mark", "marked")
"""Points at which the worker kills itself …"""
THEIRS = ("EHLO", "MAIL", "RCPT", "DATA", "TAKEN")
"""… and commands at which the mail server kills it."""
AFTER_THE_TEXT = {"DATA", "TAKEN", "mark"}
"""A worker that dies here has sent the mail without marking it: it is sent again."""
QUICK = {"sqlite": {"claim", "DATA", "mark"}, "postgresql": set[str]()}
"""The points that every run tries on each kind of database; the others need --thorough."""


class Stage:
    """A database, a mail server, and worker processes over both."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.crash = folder, folder / "crash"
        self.runtime = Runtime()
        self.config = Config(
            data_dir=folder,
            database_url=database,
            secret_key=bytes(32),
            signing_key=bytes(32),
            public_url="http://localhost",
            rate_limits=False,
        )
        (folder / "secret.key").write_bytes(bytes(32))
        self.app: Flask = create_app(self.config, self.runtime)
        self.server = MailServer()
        self.workers: list[Running] = []

    def __enter__(self) -> Self:
        self.server.start()
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self.workers:
            worker.send_signal(signal.SIGKILL)
            worker.wait(PATIENCE)
        self.server.stop()
        disconnect(self.app)

    def launch(self, lease: int = 2_000) -> Running:
        """Start one more worker, with leases of this many ms."""
        environment = {
            **os.environ,
            "DATA_DIR": str(self.folder),
            "DATABASE_URL": self.config.database_url,
            "SMTP_URL": self.server.url,
            "CRASH": str(self.crash),
            "LEASE": str(lease),
        }
        log = self.folder / "worker.log"
        worker = preloaded.launch(["tests.support.servers.crashing_mail"], environment, log)
        self.workers.append(worker)
        return worker

    def write(self, key: str) -> None:
        """Write a mail that is due."""
        write(self.app, self.runtime, key)

    def all_done(self, patience: float = PATIENCE) -> None:
        """Return when every row is finished."""
        wait_until(lambda: None not in outcomes(self.app).values(), "the last mail", patience)

    def proven(self) -> None:
        """Check that sent mails have arrived under one Message-ID, and no others have."""
        ids = defaultdict(set)
        for mail in self.server.mails:
            ids[mail.to[0]].add(mail.id)
        assert {len(each) for each in ids.values()} == {1}
        assert len({next(iter(each)) for each in ids.values()}) == len(ids)
        sent = {row.address for row in rows(self.app).values() if row.outcome == "sent"}
        assert sent <= ids.keys()


@pytest.fixture
def stage(request: pytest.FixtureRequest, databases: Databases, tmp_path: Path) -> Iterator[Stage]:
    """Everything except a worker."""
    database = databases.fresh(request.param, tmp_path)
    with Stage(tmp_path, database) as stage:
        yield stage
    databases.drop(database)


def points() -> list[Any]:
    """Points of both kinds on each database; most of them only with --thorough."""
    found = []
    for kind in KINDS:
        for point in (*OURS, *THEIRS):
            quick = point in QUICK[kind]
            marks = () if quick else (pytest.mark.thorough,)
            found.append(pytest.param(kind, point, marks=marks, id=f"{kind}-{point}"))
    return found


@pytest.mark.parametrize(("stage", "point"), points(), indirect=["stage"])
def test_a_worker_that_is_killed_at_this_point_loses_nothing(stage: Stage, point: str) -> None:
    if point in OURS:
        stage.crash.write_text(point)
    for number in range(3):
        stage.write(f"n{number}")
    worker = stage.launch()
    stage.server.when[point] = lambda: worker.send_signal(signal.SIGKILL)
    assert worker.wait(PATIENCE) == -signal.SIGKILL
    stage.launch()
    stage.all_done()
    stage.proven()
    assert set(outcomes(stage.app).values()) == {"sent"}
    assert len(stage.server.mails) <= 3 + (point in AFTER_THE_TEXT)


@pytest.mark.both_databases
@pytest.mark.parametrize("stage", KINDS, indirect=True)
def test_two_workers_share_the_rows(stage: Stage) -> None:
    """Every mail arrives once, and both workers send some."""
    stage.server.slow["RCPT"] = 0.02
    stage.launch(lease=60_000)
    stage.launch(lease=60_000)
    for number in range(40):
        stage.write(f"n{number}")
    stage.all_done()
    stage.proven()
    assert len(stage.server.mails) == 40
    assert {row.attempts for row in rows(stage.app).values()} == {1}


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "stage", [pytest.param(kind, marks=pytest.mark.thorough) for kind in KINDS], indirect=True
)
def test_random_kills(stage: Stage) -> None:
    """No mail is about a question that was answered before the SMTP transaction began."""
    times = 100
    stage.server.slow.update(dict.fromkeys(("MAIL", "RCPT", "DATA", "TAKEN"), 0.005))
    done = threading.Event()
    killer = threading.Thread(target=kill_and_relaunch, args=(stage, times, done))
    killer.start()
    answered = play_on(stage, done)
    killer.join()
    stage.all_done(2 * PATIENCE)
    stage.proven()
    for mail in stage.server.mails:
        if mail.to[0] in answered:
            assert mail.begun < answered[mail.to[0]]
    assert {"sent", "dropped"} == set(outcomes(stage.app).values())


def kill_and_relaunch(stage: Stage, times: int, done: threading.Event) -> None:
    """Run two workers, one of which is killed at random times again and again."""
    chosen = random.Random(times)
    try:
        pair = [stage.launch(), stage.launch()]
        stage.server.wait_for(1)
        for number in range(times):
            done.wait(chosen.uniform(0.0, 0.6))
            pair[number % 2].send_signal(signal.SIGKILL)
            pair[number % 2].wait(PATIENCE)
            pair[number % 2] = stage.launch()
    finally:
        done.set()


def play_on(stage: Stage, done: threading.Event) -> dict[str, float]:
    """Play, with a mail for every question; returns when each was answered, by the address of its mail."""
    cast, chosen, answered = Cast(stage.app), random.Random(5), {}
    number = 0
    while not done.is_set() or number < 20:
        game_id = cast.start()
        for _ in range(6):
            person, game = cast.asked(game_id)
            number += 1
            address = f"question-{number}@example.org"
            write_question(stage.app, stage.runtime, person, game_id, address=address)
            stage.write(f"plain-{number}")
            done.wait(chosen.choice([0.0, 0.02, 0.1, 0.4]))
            person.answer(game)
            answered[address] = time.monotonic()
    return answered
