"""How well house players play: the levels that this release knows."""

from __future__ import annotations

from rules.players.levels import LEVELS, USUAL


def known_level(level: str | None) -> str:
    """How well a house player of this level plays here: as usual if an earlier or newer release has seated it."""
    return level if level is not None and level in LEVELS else USUAL
