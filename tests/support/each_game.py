"""Tests that play each game: an everyday run plays those that changed and some others, --thorough plays all of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

import rules
from tests.rules.playouts import IDS, RULESETS
from tests.support.changed import games_in_full


def some_games(values: Iterable[tuple[str, str, Any]]) -> list[Any]:
    """Parameters of a test, from each game's slug, the test's name for it, and its value."""
    due = games_in_full()
    return [
        pytest.param(value, id=name, marks=[] if slug in due else [pytest.mark.thorough])
        for slug, name, value in values
    ]


_VERSIONS = [(each.slug, name) for each, name in zip(RULESETS, IDS, strict=True)]

each_slug = pytest.mark.parametrize(
    "slug", some_games((each, each, each) for each in rules.slugs())
)
each_ruleset = pytest.mark.parametrize(
    "ruleset",
    some_games((*each, ruleset) for each, ruleset in zip(_VERSIONS, RULESETS, strict=True)),
)
each_number = pytest.mark.parametrize(
    "number", some_games((*each, number) for number, each in enumerate(_VERSIONS))
)
"""A parameter by the place in RULESETS."""
