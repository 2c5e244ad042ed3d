"""House players: they know what their seat sees, think about it for a while, and choose a legal action."""

from __future__ import annotations

from rules.kernel import Json, Random, Ruleset, Worlds
from rules.players.search import Effort, search

VERSION = "5"
"""The version of the way in which house players choose; another version may choose differently in the same position."""


def choose(ruleset: Ruleset, worlds: Worlds, seat: int, rng: Random, effort: Effort) -> Json:
    """The legal action that a house player chooses at a seat that knows these worlds, one of which is the true
    position.
    """
    return search(ruleset, worlds, seat, effort, rng)
