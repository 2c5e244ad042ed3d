"""The tables at which games are played: the required pairs of values meet, checked against every possible table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from rules.kernel import Ruleset
from tests.rules.pairwise_tables import PLAYERS, Table, combined_values, customs, pairwise


def possible(ruleset: Ruleset) -> Iterator[Table]:
    """Every table that can be made of these values."""
    for players in ruleset.players:
        known = ruleset.options(players)
        for values in itertools.product(*map(combined_values, known.values())):
            options = dict(zip(known, values, strict=True))
            if ruleset.together(players, options):
                yield players, options


def meetings(table: Table) -> set[tuple[object, ...]]:
    """The pairs of values at a table, including the number of players."""
    players, options = table
    return set(itertools.combinations([(PLAYERS, players), *options.items()], 2))


def test_every_two_values_that_can_be_combined_meet(ruleset: Ruleset) -> None:
    met = set[object]().union(*map(meetings, pairwise(ruleset)))
    assert set[object]().union(*map(meetings, possible(ruleset))) <= met


def test_every_number_of_players_and_every_value_of_an_option_occurs(ruleset: Ruleset) -> None:
    for players in ruleset.players:
        assert any(players == at for at, _ in pairwise(ruleset))
        for name, option in ruleset.options(players).items():
            there = [options[name] for _, options in pairwise(ruleset) if name in options]
            assert all(value in there for value in option.values)


def test_every_table_is_settled_and_occurs_once(ruleset: Ruleset) -> None:
    every = [*pairwise(ruleset), *customs(ruleset)]
    assert all(ruleset.settle(*table) == table[1] for table in every)
    for tables in (pairwise(ruleset), customs(ruleset)):
        assert all(table not in tables[:place] for place, table in enumerate(tables))


def test_custom_rules_are_every_combination_of_flags(ruleset: Ruleset) -> None:
    flags = [each for each in ruleset.options(ruleset.players[0]).values() if len(each.values) == 2]
    preset = "preset" in ruleset.options(ruleset.players[0])
    assert len(customs(ruleset)) == (2 ** len(flags) if preset else 0)
