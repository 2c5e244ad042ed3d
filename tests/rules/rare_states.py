"""Rare states: those that few games reach, so that a stored game is required for each.

A game of the tests that has such states names them in `rare.py` in its folder.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import rules
from rules.kernel import Json, Ruleset, State
from tests.rules.audiences import GAMES
from tests.rules.playouts import NO_HABITS, Habits


class Rare(NamedTuple):
    """A state, asked for after each event: `table` has players and options with which it can be reached."""

    comes: Callable[[Any], bool]
    table: Json
    habits: Habits = NO_HABITS


def rare_states(ruleset: Ruleset) -> Mapping[str, Rare]:
    """The rare states of a version, by name."""
    folder = Path(rules.folder(ruleset.slug, ruleset.version)).relative_to(GAMES)
    where = ".".join(("tests.rules.games", *folder.parts))
    if importlib.util.find_spec(where) is None or importlib.util.find_spec(f"{where}.rare") is None:
        return {}
    found: Mapping[str, Rare] = importlib.import_module(f"{where}.rare").RARE
    return found


def come_by(ruleset: Ruleset, state: State) -> set[str]:
    """The names of the rare states that this is one of."""
    return {name for name, rare in rare_states(ruleset).items() if rare.comes(state)}
