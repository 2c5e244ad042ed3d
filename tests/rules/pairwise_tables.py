"""Tables to play at: every two values of options that can be combined meet at one, and none is redundant.

Of a wide option (chips, tiles in a hand) only the ends and the default are combined with other options; each of
its other values occurs once.
"""

from __future__ import annotations

import functools
import itertools
import random
from collections.abc import Iterator
from typing import Any

import rules
from rules.kernel import Json, Option, Ruleset

Table = tuple[int, Json]
"""A number of players and settled options."""
WIDE = 8
"""The number of values above which an option is wide."""
TRIES = 30
PLAYERS = "players"


def pairwise(ruleset: Ruleset) -> tuple[Table, ...]:
    """A pairwise covering of numbers of players and options, the same in every run."""
    return _pairwise(ruleset.slug, ruleset.version)


def customs(ruleset: Ruleset) -> list[Table]:
    """Every combination of rules that the preset `custom` allows."""
    found = []
    for players in ruleset.players:
        known = dict(ruleset.options(players))
        if "custom" in known.pop("preset", Option((), None)).values:
            for values in itertools.product(*(option.values for option in known.values())):
                options = {"preset": "custom", **dict(zip(known, values, strict=True))}
                found.append((players, ruleset.settle(players, options)))
    return found


def combined_values(option: Option) -> tuple[Any, ...]:
    """The values of an option that are combined with others; for a wide option, the ends and the default."""
    few = (*option.values[:2], option.default, option.values[-1])
    return option.values if len(option.values) <= WIDE else tuple(dict.fromkeys(few))


def drawn(ruleset: Ruleset, players: int, fixed: Json, rng: random.Random) -> Table | None:
    """A table with these values of options and random others; None if none is found."""
    known = ruleset.options(players)
    for _ in range(TRIES):
        others = {name: rng.choice(combined_values(option)) for name, option in known.items()}
        if ruleset.together(players, others | fixed):
            return players, others | fixed
    return None


@functools.cache
def _pairwise(slug: str, version: int) -> tuple[Table, ...]:
    ruleset, rng = rules.load(slug, version), random.Random(slug)
    found: list[Table] = []
    met: set[Any] = set()
    for players, fixed, meeting in _demands(ruleset):
        if meeting not in met:
            tries = [drawn(ruleset, players, fixed, rng) for _ in range(10)]
            tables = [table for table in tries if table]
            if tables:
                found.append(max(tables, key=lambda table: len(_meetings(*table) - met)))
                met |= _meetings(*found[-1])
    return tuple(found)


def _demands(ruleset: Ruleset) -> Iterator[tuple[int, Json, Any]]:
    """A number of players, the fixed options, and the one or two values that have to meet."""
    for players in ruleset.players:
        known, here = ruleset.options(players), (PLAYERS, players)
        yield players, {}, (here,)
        told = {name: [(name, value) for value in combined_values(known[name])] for name in known}
        for one in itertools.chain(*told.values()):
            yield players, dict([one]), (here, one)
        for these, those in itertools.combinations(told.values(), 2):
            for pair in itertools.product(these, those):
                yield players, dict(pair), pair
        for name, option in known.items():
            yield from ((players, {name: value}, ((name, value),)) for value in option.values)


def _meetings(players: int, options: Json) -> set[Any]:
    """The single values and the pairs of a table."""
    values = [(PLAYERS, players), *options.items()]
    return {*itertools.combinations(values, 1), *itertools.combinations(values, 2)}
