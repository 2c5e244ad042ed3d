"""The disk fills up again and again for a while: nothing acknowledged is lost, and everything continues when there is
room.

Database, keys and logs of a whole server are on a small separate disk. In each round it is filled to the last byte
while people play against the house, for some seconds, and then there is room again. Meanwhile lists can still be read
(PostgreSQL may end itself, and is started again as a service manager does), and nobody is told that something was done
that was not. Each game is played out, and its record proven; in the end the database finds itself whole.

A round takes 10 seconds. It counts rounds, moves, logs proven, and the answers that were given while there was no room.
What runs each day is tests/service/operations/worker/test_failing_tasks.py, and test_readyz.py of core/readiness.
"""

from __future__ import annotations

import http.client
import os
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from tests.endurance.frame import Definition, Run
from tests.endurance.house_games import LOST_MOVE, HouseGames
from tests.endurance.own_database import OwnDatabase
from tests.support.servers.databases import plain
from tests.support.servers.remote import Remote
from tests.support.servers.server import Server

SIZES = {"sqlite": "48m", "postgresql": "400m"}
FULL_FOR = 3.0
"""Seconds."""
SMALL_LOGS = "min_wal_size = 32MB\nmax_wal_size = 64MB\n"
"""Settings with which PostgreSQL soon needs room."""


def missing() -> str:
    """A user who may not mount a disk cannot fill one without filling the disk of others."""
    return "" if os.getuid() == 0 else "a disk of its own cannot be mounted here"


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A separate disk at `folder`."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    subprocess.run(mount, check=True, capture_output=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True, capture_output=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """The disk has no room during this context."""
    ballast = disk / "ballast"
    with suppress(OSError), ballast.open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        ballast.unlink()


def endure(run: Run) -> None:
    """Fill the disk this number of times."""
    with (
        small_disk(run.folder / "disk", SIZES[run.kind]) as disk,
        own_database(run, disk) as database,
    ):
        url = database.migrated(disk / "keys") if database else f"sqlite:///{copied(run, disk)}"
        with Server(disk, url) as server:
            reader = Remote(server.url, "Reader")
            with HouseGames(run, server.url) as games:
                for _ in range(run.rounds):
                    games.go_on(5)
                    with filled(disk):
                        read_on(run, reader, until=time.monotonic() + FULL_FOR)
                    if run.fault == "stays-full":
                        (disk / "ballast").write_bytes(bytes(os.statvfs(disk).f_bavail * 4096))
                    if database:
                        database.revive()
            assert '"event": "crash"' not in server.logged() or database, server.logged()[-3000:]
        if not database:
            with closing(sqlite3.connect(plain(url))) as found:
                assert found.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@contextmanager
def own_database(run: Run, disk: Path) -> Iterator[OwnDatabase | None]:
    """The database of PostgreSQL, on this disk."""
    if run.kind == "sqlite":
        yield None
        return
    database = OwnDatabase(disk / "postgresql", settings=SMALL_LOGS)
    try:
        yield database
    finally:
        database.stop()


def copied(run: Run, disk: Path) -> Path:
    """A database of SQLite on this disk."""
    file = disk / "tegami.sqlite3"
    file.write_bytes(Path(plain(run.database())).read_bytes())
    return file


def read_on(run: Run, reader: Remote, until: float) -> None:
    """Request lists, and note the responses."""
    while time.monotonic() < until:
        try:
            status, _ = reader.send("GET", "/api/games")
            run.count(f"lists while it is full: {status}")
            assert status in ({200} if run.kind == "sqlite" else {200, 500, 503}), status
        except (OSError, http.client.HTTPException):
            run.count("lists while it is full: no answer")
        time.sleep(0.05)


DEFINITION = Definition(
    endure, rounds=20, quick=1, faults=(LOST_MOVE, "stays-full"), missing=missing, daily=False
)
