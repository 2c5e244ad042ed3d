"""Whole games of every ruleset, from the first event to the last; what holds for them is said in `properties`."""

from __future__ import annotations

import itertools
from typing import Any

from rules.kernel import Ruleset
from tests.rules.covering import customs
from tests.rules.playouts import Explore, Game, draw_table, picking, playout
from tests.rules.properties import keep
from tests.rules.tours import GAMES, LONG, Tour, tables

LEFT = 1 / 8
"""How many games of a tour may be left because they are long."""


def test_every_property_holds_in_every_game(
    ruleset: Ruleset, tour: Tour, number: int, thorough: bool
) -> None:
    finished, left = [], []
    for game in Tour(ruleset, number, short=not thorough) if number else tour:
        keep(ruleset, game)
        at = finished if ruleset.turn(game.end).over else left
        at.append((game.players, game.options))
    assert len(left) <= LEFT * len(finished)
    assert len(finished) >= GAMES - LEFT * GAMES
    assert number or all(table in finished + left for table in tables(ruleset))
    assert number or all(table in finished for table in customs(ruleset))


def test_every_property_holds_in_any_game(ruleset: Ruleset, explore: Explore) -> None:
    """As above with fewer games, but what fails is shrunk to a short one."""

    def properties(data: Any) -> None:
        players, options = draw_table(ruleset, data)
        steps = itertools.islice(playout(ruleset, players, options, picking(data)), LONG)
        keep(ruleset, Game("explored", players, options, tuple(steps)))

    explore(properties)
