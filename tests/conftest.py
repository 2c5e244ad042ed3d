"""What all tests share: options, databases, an application over them, one cast, and a whole server."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import settings

from service.config import Config
from service.outside import Outside
from tests.service import databases as making
from tests.service.cast import START, Cast, Clock
from tests.service.databases import Databases
from tests.service.lending import Lending
from tests.service.server import Server

FOLDER = "TEGAMI_TEST_FOLDER"
"""Name in the environment of the folder that all processes of this test run share."""

settings.register_profile("tegami", deadline=None, database=None)
settings.register_profile("ci", deadline=None, database=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "tegami")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--thorough", action="store_true", help="many more games, crashes and flips")
    parser.addoption(
        "--screenshots", metavar="DIR", help="keep pictures of the page in this folder"
    )


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="tegami-")
        config.stash[_OURS] = Path(os.environ[FOLDER])


_OURS = pytest.StashKey[Path]()


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_OURS, None)
    if folder:
        making.stop_server(folder / "postgresql")
        shutil.rmtree(folder, ignore_errors=True)
        del os.environ[FOLDER]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what runs with --thorough only."""
    if not config.getoption("--thorough"):
        thorough = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if item not in thorough]
        config.hook.pytest_deselected(items=thorough)


@pytest.fixture(scope="session")
def databases() -> Databases:
    """Makes migrated databases."""
    return Databases(Path(os.environ[FOLDER]))


@pytest.fixture(scope="session")
def lending(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lending]:
    """What the tests of this process use one after another."""
    with closing(Lending(databases, tmp_path_factory.mktemp("lent"))) as lending:
        yield lending


@pytest.fixture(params=making.KINDS)
def database(
    request: pytest.FixtureRequest, databases: Databases, lending: Lending, tmp_path: Path
) -> Iterator[str]:
    """The address of an empty database: of each kind, unless `tests.service.cast.sqlite_only` says otherwise."""
    if request.node.get_closest_marker("own_database"):
        url = databases.fresh(request.param, tmp_path)
        yield url
        databases.drop(url)
    else:
        with lending.database(request.param) as url:
            yield url


@pytest.fixture
def config(tmp_path: Path, database: str) -> Config:
    """Settings without rate limits, for impatient clients."""
    return Config(
        data_dir=tmp_path,
        database_url=database,
        secret_key=bytes(range(32)),
        public_url="http://localhost",
        rate_limits=False,
        poll_after=0.05,
        hash_memory=8,
        hash_rounds=1,
        hash_lanes=1,
    )


@pytest.fixture(scope="session")
def the_clock() -> Clock:
    """The one clock of this process: an application that is used again keeps it."""
    return Clock()


@pytest.fixture
def clock(the_clock: Clock) -> Clock:
    """The time of the application; it stands still unless it is set."""
    the_clock.at = START
    return the_clock


@pytest.fixture
def outside(clock: Clock) -> Outside:
    """The clock, and random bytes that are the same in every run."""
    return Outside(clock, random.Random(2459).randbytes)


@pytest.fixture
def app(config: Config, outside: Outside, lending: Lending) -> Iterator[Flask]:
    """The application; every answer that its test clients get is held to openapi.yaml."""
    with lending.app(config, outside) as app:
        yield app


@pytest.fixture
def client(app: Flask) -> Any:
    """A visitor without a sign-in."""
    return app.test_client()


@pytest.fixture
def cast(app: Flask) -> Cast:
    """alice, bob and carol, who sit down, and mallory, a stranger."""
    return Cast(app)


@pytest.fixture(scope="module")
def server(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A whole server on SQLite: gunicorn and the worker, on a port of their own."""
    folder = tmp_path_factory.mktemp("server")
    with Server(folder, databases.fresh("sqlite", folder)) as server:
        yield server
