"""House players: they know what their seat sees, think about it for a while, and choose a legal action."""

from __future__ import annotations

from rules.kernel import Json, Random, Ruleset, Worlds
from rules.players.search import Effort, search

VERSION = "5"
"""The version of house players' way of choosing: another version may choose differently in the same position."""


def choose(ruleset: Ruleset, worlds: Worlds, seat: int, rng: Random, effort: Effort) -> Json:
    """A legal action of a seat for which the true position is one of these worlds."""
    return search(ruleset, worlds, seat, effort, rng)
