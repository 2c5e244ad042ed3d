"""House players: they know what their seat sees, think about it for a while, and choose among its legal actions."""

from __future__ import annotations

from rules.kernel import Json, Random, Ruleset, State, Worlds
from rules.players.search import Effort, search

USUAL = Effort(60)
"""Some hundredths of a second in most games."""


def choose(ruleset: Ruleset, blind: State, seat: int, rng: Random, effort: Effort = USUAL) -> Json:
    """One of the legal actions of a seat for which the game looks like `blind`."""
    return search(ruleset, Worlds(ruleset, blind, seat), seat, effort, rng)
