"""The levels of house players known to this release."""

from __future__ import annotations

from rules.players.levels import LEVELS, USUAL


def known_level(level: str | None) -> str:
    """The level at which a house player plays here; the usual one if an earlier or newer release has set an unknown
    level.
    """
    return level if level is not None and level in LEVELS else USUAL
