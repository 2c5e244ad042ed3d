"""Rare states of Auction Draw, for each of which a game is stored."""

from __future__ import annotations

from typing import Any

from rules.common.dominoes import shows
from tests.rules.rare_states import Rare


def fitting(state: Any) -> int | None:
    """The number of tiles in all hands that fit, when the round goes on without a stock."""
    if state.phase != "playing" or not state.line or state.stock:
        return None
    return sum(shows(tile, state.numbers) for hand in state.hands for tile in hand)


def one_fits(state: Any) -> bool:
    """A single tile fits, and others are out of the round, so for all that players know no tile fits."""
    return fitting(state) == 1 and bool(state.removed)


FREE = {"free": True, "set": 6, "laps": 1}
RARE = {
    "free-nobody-fits": Rare(lambda state: fitting(state) == 0, FREE),
    "free-one-fits": Rare(one_fits, FREE),
}
