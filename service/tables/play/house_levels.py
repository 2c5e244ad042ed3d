"""The levels of house players known to this release."""

from __future__ import annotations

from rules.players.levels import LEVELS, USUAL


def known_level(level: str | None) -> str:
    """The level at which a house player plays here: `level`, or the usual one if another release has set a level that
    is unknown here.
    """
    return level if level is not None and level in LEVELS else USUAL
