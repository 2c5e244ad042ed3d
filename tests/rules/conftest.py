"""The shared parts of the rules' tests: the rulesets that they test, and games of them.

A test that asks for `ruleset` runs over the games in full (tests/support/changed.py): those that changed since they
were last proven, and some others. One that is marked `every_game` runs over all of them as soon as anything changed on
which rules depend: with a few random games and the stored ones, it finds in everyday runs what a change breaks in
another game.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.rules.playouts import RULESETS, Step, Steps, called
from tests.rules.sample_games import FEW, GAMES, MANY, Tour
from tests.support.changed import changed, games_in_full
from tests.support.shared_folder import made_once

pytest.register_assert_rewrite("tests.rules.properties", "tests.rules.worlds")

OF_THE_RULES = ("rules", "tests/rules")
"""Everything on which these tests depend."""
THOROUGH = 10_000 // MANY
"""The number of tours of each ruleset with `--thorough`."""


@functools.cache
def in_full() -> frozenset[str]:
    """The slugs of the games in full; asked for once, after the options are read."""
    return games_in_full()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The rulesets; and one tour of each, or many with `--thorough`."""
    if "ruleset" in metafunc.fixturenames:
        every = metafunc.definition.get_closest_marker("every_game") and changed(*OF_THE_RULES)
        chosen = [each for each in RULESETS if every or each.slug in in_full()]
        metafunc.parametrize("ruleset", chosen, indirect=True, ids=called, scope="session")
    if "number" in metafunc.fixturenames:
        thorough = metafunc.config.getoption("--thorough", False)
        metafunc.parametrize("number", range(THOROUGH if thorough else 1))


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """Whether many games are to be played (`--thorough`)."""
    return bool(request.config.getoption("--thorough", False))


@pytest.fixture(scope="session")
def ruleset(request: pytest.FixtureRequest) -> Any:
    """Each ruleset in turn."""
    return request.param


@pytest.fixture(scope="session")
def whole(ruleset: Any) -> bool:
    """Whether the ruleset is one of those in full."""
    return ruleset.slug in in_full()


@pytest.fixture(scope="session")
def tour(ruleset: Any, whole: bool, thorough: bool) -> Tour:
    """The first games of the ruleset; if it is one of those in full, they visit every table."""
    if thorough:
        return Tour(ruleset, games=MANY, short=False)
    return Tour(ruleset, games=GAMES if whole else FEW)


@pytest.fixture(scope="session")
def met(ruleset: Any, tour: Tour) -> Steps:
    """Steps of these games: some of every sort, and some at every table."""
    return made_once(f"met-{called(ruleset)}", lambda: forgetful(tour.met))


def forgetful(steps: Steps) -> Steps:
    """The same steps, with states that cache nothing."""
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
