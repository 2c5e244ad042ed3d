"""Auction Draw: the last tiles of a round, and the value of tiles. The match has one round."""

from __future__ import annotations

from typing import Any

import pytest

from rules.kernel import Json
from tests.rules.games.auction_draw.positions import GAME, bidding, line, playing
from tests.rules.players.positions.thinking import EASY, is_one_of, thought

LAST = {"round": 2, "terms": {"laps": 1}}
PASS = {"type": "pass"}


def open_at(text: str, left: int, right: int, *hands: str, **fields: Any) -> Any:
    """It is the turn of seat 0 in the last round; the line ends with these numbers."""
    return playing(*hands, **{**line(text, left, right), "stock": "", **LAST, **fields})


POSITIONS = {
    "the tile goes where the next one fits": (
        open_at("6-0 3-0", 6, 3, "6-3 3-3", "1-1 1-0"),
        ({"tile": "6-3", "end": 6}, {"tile": "3-3"}),
    ),
    "so does it with lower numbers": (
        open_at("5-4 4-2", 5, 2, "5-2 2-2", "1-0 0-0"),
        ({"tile": "5-2", "end": 5}, {"tile": "2-2"}),
    ),
    "a tile that leaves nothing for the last one is kept": (
        open_at("6-4 6-1", 4, 1, "4-1 4-4", "3-0 0-0"),
        ({"tile": "4-1", "end": 1}, {"tile": "4-4"}),
    ),
    "who is far from going out buys nothing": (
        open_at("6-6", 6, 6, "5-1 4-0 3-2", "5-5 2-1", stock="1-0 4-4 0-0 1-1 3-3 3-1"),
        (PASS,),
    ),
    "after a tile was bought, no more are": (
        open_at("6-6", 6, 6, "5-1 4-0 3-2", "5-5 2-1", stock="1-0 4-4 0-0 1-1 3-3", bought=1),
        (PASS,),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_play(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)


@pytest.mark.parametrize("seed", range(3))
def test_easy_does_not_bid_its_purse_for_two_tiles(seed: int) -> None:
    assert thought(GAME, bidding(), EASY, seed).get("chips", 0) < 6
