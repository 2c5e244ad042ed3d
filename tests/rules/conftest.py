"""What the tests of the rules share: every ruleset, and how many games are played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.rules.playouts import RULESETS, Played, Steps, games, moments


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether many games are to be played (`--thorough`)."""
    return bool(request.config.getoption("--thorough", False))


@pytest.fixture(scope="session", params=range(len(RULESETS)), ids=[each.slug for each in RULESETS])
def number(request: pytest.FixtureRequest) -> int:
    """Each ruleset in turn, by its place in RULESETS."""
    return int(request.param)


@pytest.fixture(scope="session")
def ruleset(number: int) -> Any:
    """Each ruleset in turn."""
    return RULESETS[number]


@pytest.fixture(scope="session")
def played(number: int, thorough: bool) -> Played:
    """Finished games of the ruleset at its tables in turn, the same ones for every test."""
    return games(number, 1000 if thorough else 130)


@pytest.fixture(scope="session")
def met(number: int, thorough: bool) -> Steps:
    """Steps of these games, some of every sort."""
    return moments(number, 1000, 4000) if thorough else moments(number, 130, 250)


@pytest.fixture
def explore(thorough: bool) -> Callable[[Callable[[Any], None]], None]:
    """Run a test of `st.data()` over many games; a failure is shrunk to the shortest one."""

    def run(test: Callable[[Any], None]) -> None:
        limits = settings(
            max_examples=150 if thorough else 10,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        limits(given(data=st.data())(test))()

    return run
