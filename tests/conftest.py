"""Shared fixtures: options, databases, an application, a cast of players, and a complete server."""

from __future__ import annotations

import gc
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import settings

from service.core.runtime.time_and_random import Runtime
from service.core.settings.config import Config
from tests.support import changed, order, programs
from tests.support.cast import START, Cast, Clock, Person
from tests.support.quick_settings import quick_settings
from tests.support.servers import databases as making
from tests.support.servers.databases import Databases
from tests.support.servers.lending import Lending
from tests.support.servers.server import Server
from tests.support.servers.shared import end_all, shared
from tests.support.shared_folder import FOLDER, shared_folder

pytest.register_assert_rewrite("tests.web.support")

settings.register_profile("tegami", deadline=None, database=None)
settings.register_profile("ci", deadline=None, database=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "tegami")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="run many more games, crashes and changed bytes"
    )
    parser.addoption(
        "--screenshots", metavar="DIR", help="save screenshots of the page in this folder"
    )


def pytest_configure(config: pytest.Config) -> None:
    if FOLDER not in os.environ:
        os.environ[FOLDER] = tempfile.mkdtemp(prefix="tegami-")
        config.stash[_OURS] = shared_folder()
    if config.getoption("numprocesses", None):
        config.pluginmanager.register(order.Timekeeper(config))
    if config.getoption("--thorough"):
        os.environ.setdefault(changed.IN_FULL, changed.EVERYTHING)


_OURS = pytest.StashKey[Path]()


def pytest_report_header() -> str:
    return f"games in full: {', '.join(sorted(changed.games_in_full()))}"


def pytest_terminal_summary(terminalreporter: Any, exitstatus: int, config: pytest.Config) -> None:
    """Record the proofs that were due and succeeded, if all tests passed and none was left out."""
    thorough = config.getoption("--thorough")
    if exitstatus == 0 and is_whole(config) and programs.are_required():
        if changed.record(changed.asked(), whole=thorough):
            terminalreporter.write_line("tests/proven.json is written: commit it.")
    elif thorough:
        terminalreporter.write_line(
            "tests/proven.json stays as it was: that takes a run of all tests in which all pass and none is skipped "
            "because a program is missing (.ci/run --thorough)."
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Any:
    report = yield
    programs.refuse_to_skip(report)
    return report


def is_whole(config: pytest.Config) -> bool:
    """Whether the options of pytest left nothing out, and this process knows of all tests that ran."""
    if hasattr(config, "workerinput"):
        return False  # of a process that only ran a part, without a failure perhaps
    options = (
        *("collectonly", "keyword", "markexpr", "deselect", "ignore", "ignore_glob"),
        *("lf", "maxfail"),
    )
    return config.args_source == pytest.Config.ArgsSource.TESTPATHS and not any(
        config.getoption(name, None) for name in options
    )


def pytest_unconfigure(config: pytest.Config) -> None:
    folder = config.stash.get(_OURS, None)
    if folder:
        end_all()
        making.stop_server(folder / "postgresql")
        shutil.rmtree(folder, ignore_errors=True)
        del os.environ[FOLDER]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run tests that use a database on SQLite, and also on PostgreSQL if they are marked, or with --thorough."""
    marks = [*metafunc.definition.iter_markers("parametrize")]
    if "database" in metafunc.fixturenames and not any("database" in names(each) for each in marks):
        both = metafunc.definition.get_closest_marker("both_databases")
        thorough = metafunc.config.getoption("--thorough")
        kinds = making.KINDS if both or thorough else making.KINDS[:1]
        metafunc.parametrize("database", kinds, indirect=True)


def names(parametrized: pytest.Mark) -> list[str]:
    """The names that a mark `parametrize` gives values to."""
    given = parametrized.args[0] if parametrized.args else parametrized.kwargs["argnames"]
    listed = given.split(",") if isinstance(given, str) else given
    return [name.strip() for name in listed]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> order.GroupScheduling | None:
    """Use our own groups with `--dist loadgroup`, which bin/test sets."""
    return order.GroupScheduling(config, log) if config.getoption("dist") == "loadgroup" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip the tests that run only with --thorough, and order those that share processes."""
    for item in items:
        if not runs_today(item):
            item.add_marker(pytest.mark.thorough)
    if not config.getoption("--thorough"):
        thorough = [item for item in items if item.get_closest_marker("thorough")]
        items[:] = [item for item in items if item not in thorough]
        config.hook.pytest_deselected(items=thorough)
    if hasattr(config, "workerinput"):
        order.put_in_order(items, order.known(config))


def runs_today(item: pytest.Item) -> bool:
    """Whether a test runs without --thorough: not a long one of the service that is proven, and one that is proven on
    PostgreSQL only if it is the module's turn.
    """
    module = item.nodeid.partition("::")[0]
    if item.get_closest_marker("of_service"):
        return changed.is_due(changed.of_service(module))
    values = getattr(getattr(item, "callspec", None), "params", {})
    if item.get_closest_marker("both_databases") and values.get("database") == "postgresql":
        return changed.is_due(changed.of_service(module)) or changed.is_its_turn(module)
    return True


def pytest_collection_finish() -> None:
    """Collect garbage less often, and never in the collected tests: that took 6 % of the time of many tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def databases() -> Databases:
    """Creates migrated databases."""
    return Databases(shared_folder())


@pytest.fixture(scope="session")
def lending(databases: Databases, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lending]:
    """Databases and applications that the tests of this process reuse."""
    with closing(Lending(databases, tmp_path_factory.mktemp("lent"))) as lending:
        yield lending


@pytest.fixture
def database(
    request: pytest.FixtureRequest, databases: Databases, lending: Lending, tmp_path: Path
) -> Iterator[str]:
    """The URL of an empty database.

    It is SQLite's. A test marked `both_databases` runs on PostgreSQL too: one that locks, upserts, orders, uses JSON or
    dates in SQL. With --thorough every test does, unless it is marked `tests.support.cast.sqlite_only`.
    """
    if request.node.get_closest_marker("own_database"):
        url = databases.fresh(request.param, tmp_path)
        yield url
        databases.drop(url)
    else:
        with lending.database(request.param) as url:
            yield url


@pytest.fixture
def config(tmp_path: Path, database: str) -> Config:
    """Settings without rate limits and budgets of mails, and with short polling intervals."""
    return replace(quick_settings(tmp_path, database), poll_after=0.05)


@pytest.fixture(scope="session")
def the_clock() -> Clock:
    """The one clock of this process, because reused applications keep it."""
    return Clock()


@pytest.fixture
def clock(the_clock: Clock) -> Clock:
    """The clock of the application; it moves only when a test sets it."""
    the_clock.at = START
    return the_clock


@pytest.fixture
def runtime(clock: Clock) -> Runtime:
    """The clock, and the same random bytes in every run."""
    return Runtime(clock, random.Random(2459).randbytes)


@pytest.fixture
def app(config: Config, runtime: Runtime, lending: Lending) -> Iterator[Flask]:
    """The application; every response to its test clients is checked against openapi.yaml."""
    with lending.app(config, runtime) as app:
        yield app


@pytest.fixture
def client(app: Flask) -> Any:
    """A client without a sign-in."""
    return app.test_client()


@pytest.fixture
def cast(app: Flask) -> Cast:
    """alice, bob and carol, who sit down, and mallory, a stranger."""
    return Cast(app)


@pytest.fixture
def everybody(cast: Cast) -> tuple[Person, ...]:
    """The same people, who have all made themselves known to the service."""
    return cast.everybody


@pytest.fixture(scope="session")
def server(databases: Databases) -> Iterator[Server]:
    """A complete server on SQLite, for tests that stop no part of it: gunicorn with one process, and the worker."""

    def made(folder: Path) -> Server:
        database = databases.fresh("sqlite", folder)
        return Server(folder, database, preloaded=False, WEB_CONCURRENCY="1")

    with shared("server", made) as server:
        yield server
