"""What the tests of the rules share: every ruleset, and games of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.rules.playouts import IDS, RULESETS, Step, Steps, called
from tests.rules.sample_games import GAMES, Tour
from tests.support.shared_folder import made_once

pytest.register_assert_rewrite("tests.rules.properties", "tests.rules.worlds")

THOROUGH = 10_000 // GAMES
"""How many tours of each ruleset `--thorough` makes."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One tour of each ruleset, and many with `--thorough`."""
    if "number" in metafunc.fixturenames:
        thorough = metafunc.config.getoption("--thorough", False)
        metafunc.parametrize("number", range(THOROUGH if thorough else 1))


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether many games are to be played (`--thorough`)."""
    return bool(request.config.getoption("--thorough", False))


@pytest.fixture(scope="session", params=RULESETS, ids=IDS)
def ruleset(request: pytest.FixtureRequest) -> Any:
    """Each ruleset in turn."""
    return request.param


@pytest.fixture(scope="session")
def tour(ruleset: Any, thorough: bool) -> Tour:
    """The first games of the ruleset, which meet every table."""
    return Tour(ruleset, short=not thorough)


@pytest.fixture(scope="session")
def met(ruleset: Any, tour: Tour) -> Steps:
    """Steps of these games: some of every sort, and some at every table."""
    return made_once(f"met-{called(ruleset)}", lambda: forgetful(tour.met))


def forgetful(steps: Steps) -> Steps:
    """The same steps; their states do not remember what was asked of them."""
    return tuple(Step(before.change(), event, after.change()) for before, event, after in steps)


@pytest.fixture
def explore(thorough: bool) -> Callable[[Callable[[Any], None]], None]:
    """Run a test of `st.data()` over games; a failure is shrunk to the shortest one."""

    def run(test: Callable[[Any], None]) -> None:
        limits = settings(
            max_examples=150 if thorough else 10,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        limits(given(data=st.data())(test))()

    return run
