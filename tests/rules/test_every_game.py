"""Whole games of every ruleset, from the first event to the last; what holds for them is said in `properties`."""

from __future__ import annotations

import itertools
from typing import Any

from rules.kernel import Ruleset
from tests.rules.playouts import Explore, Game, draw_table, picking, playout
from tests.rules.properties import keep
from tests.rules.tours import GAMES, LONG, Tour, tables

LEFT = 1 / 3
"""How many games of a tour may be left because they are long."""


def test_every_property_holds_in_every_game(
    ruleset: Ruleset, tour: Tour, number: int, thorough: bool
) -> None:
    at, left = [], 0
    for game in Tour(ruleset, number, short=not thorough) if number else tour:
        keep(ruleset, game)
        at.append((game.players, game.options))
        left += not ruleset.turn(game.end).over
    assert len(at) >= GAMES
    assert number or all(table in at for table in tables(ruleset))
    assert left <= LEFT * len(at)


def test_every_property_holds_in_any_game(ruleset: Ruleset, explore: Explore) -> None:
    """As above with fewer games, but what fails is shrunk to a short one."""

    def properties(data: Any) -> None:
        players, options = draw_table(ruleset, data)
        steps = itertools.islice(playout(ruleset, players, options, picking(data)), LONG)
        keep(ruleset, Game("explored", players, options, tuple(steps)))

    explore(properties)
