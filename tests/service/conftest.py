"""Fixtures of several tests: a whole server; for bad input a game, a table, and a check that nothing changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import rules
from tests.support.cast import CARAVAN
from tests.support.dump import dump
from tests.support.newer_games import brought_out
from tests.support.servers.databases import KINDS, Databases
from tests.support.servers.server import Server
from tests.support.servers.shared import shared


@pytest.fixture(scope="session", params=KINDS)
def running(request: pytest.FixtureRequest, databases: Databases) -> Iterator[Server]:
    """A whole server with two workers, on each database; for tests that stop no part of it."""

    def made(folder: Path) -> Server:
        return Server(folder, databases.fresh(request.param, folder), workers=2)

    with shared(f"running-{request.param}", made) as server:
        yield server


@pytest.fixture(scope="session")
def second_editions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, rules.Found]:
    """Version 2 of two games by slug; nobody can play it until `tests.support.newer_games.offered` says so."""
    return brought_out(tmp_path_factory.mktemp("newer"))


@pytest.fixture
def game_id(cast):
    """A running game of alice and bob."""
    return cast.start(CARAVAN)


@pytest.fixture
def open_id(cast):
    """An open table of alice."""
    return cast.open()


@pytest.fixture
def unchanged(app, cast, game_id, open_id):
    """Check at the end of the test that the database is as it was."""
    stored = dump(app)
    yield
    assert dump(app) == stored
