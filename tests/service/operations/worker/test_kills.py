"""SIGKILL at each point of a move: everything acknowledged is there, and nothing is half done.

At random points, and of every kind of process: tests/endurance/runs/kills.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.cast import BOOMERANG
from tests.support.processes import children, runs
from tests.support.servers.databases import KINDS, Databases
from tests.support.servers.proven_games import Acknowledged, played, proven
from tests.support.servers.remote import Remote
from tests.support.servers.server import Server, wait_until

pytestmark = pytest.mark.of_service

POINTS = (*(f"statement {n}" for n in (1, 2, 3, 4, 5)), "commit", "committed")
QUICK = {"web": {"commit", "committed"}, "worker": {"commit"}}
"""The points that every run tries, on SQLite; the others need --thorough."""
CRASHING = "tests.support.servers.crashing"


@pytest.fixture(scope="module")
def server(
    request: pytest.FixtureRequest,
    databases: Databases,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """A server whose processes crash where `crash` says, on each database."""
    folder = tmp_path_factory.mktemp("kills")
    database = databases.fresh(request.param, folder)
    app, worker = f"{CRASHING}:crashing_app('web')", ("-m", CRASHING, "worker")
    with Server(folder, database, app, worker, CRASH=str(folder / "crash")) as server:
        yield server
    databases.drop(database)


@pytest.fixture
def alice(server: Server) -> Remote:
    return Remote(server.url, "Alice")


def points(role: str) -> list[Any]:
    """Each kind of database with each point at which a process of this role crashes."""
    return [
        kind_and(kind, point, quick=kind == "sqlite" and point in QUICK[role])
        for kind in KINDS
        for point in POINTS
    ]


def kind_and(kind: str, *values: Any, quick: bool) -> Any:
    """A kind of database, with the other parameters of a test."""
    return pytest.param(kind, *values, marks=[] if quick else pytest.mark.thorough)


rarely_on_postgresql = pytest.mark.parametrize(
    "server", [kind_and(kind, quick=kind == "sqlite") for kind in KINDS], indirect=True
)
"""Points that do not depend on the kind of database."""


def crash(server: Server, role: str, point: str) -> Path:
    """Let `web` or `worker` die when it reaches `point`; returns the file that is gone then."""
    file = server.folder / f"crash-{role}"
    file.write_text(point)
    return file


@pytest.mark.parametrize(("server", "point"), points("web"), indirect=["server"])
def test_a_crash_of_the_web_at_this_point_loses_nothing(
    server: Server, alice: Remote, point: str
) -> None:
    game_id = alice.open(BOOMERANG, house=2)
    alice.asked(game_id)
    wanted = crash(server, "web", point)
    acknowledged = played(alice, game_id)
    assert not wanted.exists(), f"{point} was never reached"
    proven(alice, game_id, acknowledged)


@pytest.mark.parametrize(("server", "point"), points("worker"), indirect=["server"])
def test_a_crash_of_the_worker_at_this_point_loses_nothing(
    server: Server, alice: Remote, point: str
) -> None:
    wanted = crash(server, "worker", point)
    game_id = alice.open(BOOMERANG, house=2)
    acknowledged = first_move(alice, game_id)
    wait_until(lambda: not wanted.exists(), f"{point} of a house player's move")
    server.kill("worker")
    server.launch("worker")
    proven(alice, game_id, acknowledged | played(alice, game_id))


@rarely_on_postgresql
@pytest.mark.parametrize("end", ["stop", "kill"])
def test_thinkers_end_with_their_worker(server: Server, end: str) -> None:
    worker = server._running["worker"].pid
    thinkers = wait_until(lambda: children(worker), "a thinker")
    getattr(server, end)("worker")
    wait_until(lambda: not any(map(runs, thinkers)), "the end of the thinkers")
    server.launch("worker")


def first_move(player: Remote, game_id: str) -> Acknowledged:
    """If the player sits in seat 0, house players wait for this move."""
    game = player.game(game_id)
    if not game["legal"]:
        return {}
    return {player.answer(game)[1]["number"]: game["legal"][0]["action"]}
