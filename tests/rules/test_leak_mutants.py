"""Leaks that are planted in the code of every ruleset are all found: some of them, or with --thorough each."""

from __future__ import annotations

import random

from rules.kernel import Ruleset
from tests.rules.audiences import audience_of
from tests.rules.leak_mutants import PLANTS, is_found, mutants
from tests.rules.playouts import Steps

SAMPLE = 1
"""How many leaks of each kind are planted in each ruleset without --thorough."""


def test_planted_leaks_are_found(ruleset: Ruleset, met: Steps, thorough: bool) -> None:
    every = mutants(ruleset, met)
    assert {each.kind for each in every} >= PLANTS.keys() - {"only"}
    rng = random.Random(ruleset.slug)
    for kind in PLANTS:
        of_kind = [each for each in every if each.kind == kind]
        sample = of_kind if thorough else rng.sample(of_kind, min(len(of_kind), SAMPLE))
        lived = [each for each in sample if not is_found(ruleset, audience_of(ruleset), each, met)]
        assert not lived, [str(each) for each in lived]


def test_nothing_is_found_where_nothing_is_planted(ruleset: Ruleset, met: Steps) -> None:
    """And what was planted is gone."""
    harmless = next(each for each in mutants(ruleset, met) if each.kind == "prompt")
    assert not is_found(ruleset, audience_of(ruleset), harmless._replace(where=""), met[:40])
