"""Rare states of Auction Draw, for each of which a game is stored."""

from __future__ import annotations

from typing import Any

from rules.common.dominoes import shows
from tests.rules.rare_states import Rare


def fitting(state: Any) -> int | None:
    """How many tiles of all hands fit, when the round goes on without a stock."""
    if state.phase != "playing" or not state.line or state.stock:
        return None
    return sum(shows(tile, state.numbers) for hand in state.hands for tile in hand)


def one_fits(state: Any) -> bool:
    """A single tile fits, and others have been put away, so that for all that is known no tile does."""
    return fitting(state) == 1 and bool(state.removed)


FREE = {"free": True, "set": 6, "laps": 1}
RARE = {
    "free-nobody-fits": Rare(lambda state: fitting(state) == 0, FREE),
    "free-one-fits": Rare(one_fits, FREE),
}
