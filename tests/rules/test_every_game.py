"""Whole games of every ruleset, from the first event to the last; `properties` has what must hold for them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from rules.kernel import Ruleset
from tests.rules.pairwise_tables import customs
from tests.rules.playouts import Explore, Game, Steps, draw_table, picking, playout
from tests.rules.properties import check_all
from tests.rules.sample_games import LONG, MANY, Tour

LEFT = 1 / 8
"""The share of a tour's games that may be abandoned because they are long."""


@pytest.mark.every_game
def test_every_property_holds_in_every_game(ruleset: Ruleset, tour: Tour, number: int) -> None:
    finished, left = [], []
    for game in Tour(ruleset, number, MANY, short=False) if number else tour:
        check_all(ruleset, game)
        at = finished if ruleset.turn(game.end).over else left
        at.append((game.players, game.options))
    assert len(left) <= max(1, LEFT * (len(left) + len(finished)))
    assert len(finished) >= tour.games - LEFT * tour.games
    assert number or all(table in finished + left for table in tour.tables)
    assert number or all(table in finished for table in customs(ruleset) if table in tour.tables)


def test_the_layout_names_zones_of_the_table(ruleset: Ruleset, met: Steps) -> None:
    zones = {each.name for step in met for _, each in step.before.declared}
    for area in ruleset.looks.layout:
        assert {*area.zones, area.own} - {""} <= zones, area


def test_every_property_holds_in_any_game(ruleset: Ruleset, explore: Explore) -> None:
    """The same as above with fewer games, but a failing game is shrunk to a short one."""

    def properties(data: Any) -> None:
        players, options = draw_table(ruleset, data)
        steps = itertools.islice(playout(ruleset, players, options, picking(data)), LONG)
        check_all(ruleset, Game("explored", players, options, tuple(steps)))

    explore(properties)
