"""The Land of Oracles: the end of the second deal, when each card makes a prophecy come true or not."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.oracle_land.phases import Blessing, Erasing, Rewarding
from rules.kernel import Json
from tests.rules.games.oracle_land.positions import GAME, at, hands
from tests.rules.players.positions.thinking import is_one_of, thought

SPADES_MOST = {"most": (("Js",), ("Qs",), ("Ks",)), "least": (("Jd",), ("Qd",), ("Kd",))}
BONUS = (("Ts", "9s"), ("Th", "9h"), ("Td", "9d"), ("Tc", "9c"))


def end(phase: Any, *rows: str, **fields: Any) -> Any:
    """The end of the game: each seat should own most spades and fewest diamonds. Seat 0 has put a club aside."""
    usual = {**SPADES_MOST, "secrets": (("4c",), ("4d",), ("4s",)), "rows": hands(*rows)}
    return at(phase, deal=2, number=6, **{**usual, **fields})


def blessing(own: str) -> Any:
    ahead = ((), ("Qh",), ())
    return end(Blessing, own, "7d", "8d", opened=True, points=ahead)


def rewarding(own: str) -> Any:
    """Seat 0 has lost the last trick to seat 1, which is a point ahead and would win a tie."""
    lost = {"winner": 1, "loser": 0, "trick": (("3c",), ("8c",), ("5c",)), "stock": BONUS}
    return end(Rewarding, own, "7d", "8d", **lost, points=((), ("Qh",), ()))


def erasing(own: str) -> Any:
    """Seat 0 lays a 4 on one of its cards; it wins ties, but seat 1 has two points."""
    ahead = ((), ("Qh", "Qc"), ())
    return end(Erasing, own, "7d", "8d", winner=0, fours=("4h",), points=ahead)


POSITIONS = {
    "the joker makes spades the most": (
        blessing("5s 6s 7h 8h 2d 2c"),
        ({"type": "joker", "suit": "s"},),
    ),
    "the joker makes diamonds alone the least": (
        blessing("5s 6s 7s 8s 7h 6d 2c"),
        ({"type": "joker", "suit": "h"}, {"type": "joker", "suit": "s"}),
    ),
    "the bonus makes spades the most": (
        rewarding("5s 6s 7h 8h 3d 2c"),
        ({"type": "bonus", "card": "9s"},),
    ),
    "a heart too many is covered": (
        erasing("5s 6s 7h 8h 2h 3d 2c"),
        ({"cards": ["7h"]}, {"cards": ["8h"]}, {"cards": ["2h"]}),
    ),
    "a diamond too many is covered": (
        erasing("5s 6s 7s 2c 3c 7h 8h 6d 5d"),
        ({"cards": ["6d"]}, {"cards": ["5d"]}),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_makes_prophecies_come_true(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)
