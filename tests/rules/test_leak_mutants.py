"""Leaks that are planted in the code of a ruleset are all found: one of each kind, or with --thorough each."""

from __future__ import annotations

import random

import pytest

from rules.kernel import Ruleset
from tests.rules.audiences import audience_of
from tests.rules.leak_mutants import PLANTS, Mutant, is_found, mutants, planted, shows
from tests.rules.playouts import Steps, viewers

SAMPLE = 1
"""The number of leaks of each kind that are planted in each ruleset without --thorough."""
LOOKED_AT = 10
"""The number of steps at which the removal of leaks is checked."""


@pytest.fixture(scope="module")
def every(ruleset: Ruleset, met: Steps) -> list[Mutant]:
    """Every leak that can be planted in these steps."""
    return mutants(ruleset, met)


def test_planted_leaks_are_found(
    ruleset: Ruleset, met: Steps, every: list[Mutant], thorough: bool
) -> None:
    assert {each.kind for each in every} >= PLANTS.keys() - {"only"}
    rng = random.Random(ruleset.slug)
    for kind in PLANTS:
        of_kind = [each for each in every if each.kind == kind]
        sample = of_kind if thorough else rng.sample(of_kind, min(len(of_kind), SAMPLE))
        lived = [each for each in sample if not is_found(ruleset, audience_of(ruleset), each, met)]
        assert not lived, [str(each) for each in lived]


def test_nothing_stays_planted(ruleset: Ruleset, met: Steps, every: list[Mutant]) -> None:
    """Without a planted leak none is found."""
    rng, audience = random.Random(ruleset.slug), audience_of(ruleset)
    for kind in PLANTS.keys() & {each.kind for each in every}:
        with planted(ruleset, next(each for each in every if each.kind == kind)):
            pass
    for step in rng.sample(met, LOOKED_AT):
        for viewer in viewers(step.before):
            assert not shows(ruleset, audience, step, viewer, rng)
