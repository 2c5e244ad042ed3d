"""Small positions of Caravan with a best move."""

from __future__ import annotations

from typing import Any

import pytest

from rules.kernel import Json
from tests.rules.games.caravan.positions import GAME, cards, trading
from tests.rules.players.positions.thinking import EASY, is_one_of, thought

SOLD = (None, 0, None)
"""Seat 0 has sold a lane: one more wins."""

POSITIONS = {
    "a second sale wins": (trading("Th 5h 6h", hand="2s 3s", sold=SOLD), ({"type": "sell"},)),
    "two sales at once win": (
        trading(rows=((cards("Th 5h 6h"), (), cards("Ts Js 9s 2s")), ((), (), ()))),
        ({"type": "sell", "lanes": [0, 2]},),
    ),
    "six more points can be sold next": (
        trading("Th 5h", "", "down", hand="2c 6h 9s", sold=SOLD),
        ({"type": "play", "card": "6h"},),
    ),
    "the king doubles the number beneath": (
        trading("5s 8s", "", "up", hand="2c Kd", sold=SOLD),
        ({"card": "Kd", "at": 2},),
    ),
    "a jack makes a row small enough again": (
        trading("4s 9s Ts Js 9c", "", "up", hand="2c Jd 3d", sold=SOLD, joker="one"),
        ({"card": "Jd", "as": "J"},),
    ),
    "a joker ruins what would win": (
        trading(
            "Tc 2c", "Ts 6s 5s", "down", hand="3h Jd", sold=(None, 1, None), stocks=(("9h",), ())
        ),
        ({"card": "Jd", "as": "Jk", "at": 1}, {"card": "Jd", "as": "Jk", "at": 2}),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_move(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)


@pytest.mark.parametrize("own", ["9d", "4s 6h", "Tc 5c 3c"])
@pytest.mark.parametrize("seed", range(3))
def test_easy_lays_no_king_beneath_its_own_row(own: str, seed: int) -> None:
    state = trading(own, "7h 8h", "up" if " " in own else None, hand="2s 5d Kh Kd 9h")
    found = thought(GAME, state, EASY, seed)
    assert found.get("at") != 0


@pytest.mark.parametrize("seed", range(3))
def test_easy_sells_what_wins(seed: int) -> None:
    state = trading("Th 5h 6h", hand="2s 3s 9d Kd", sold=SOLD)
    assert thought(GAME, state, EASY, seed)["type"] == "sell"
