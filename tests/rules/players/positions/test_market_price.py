"""The last cards of Market Price: their places decide the value of shares. Hearts are watched."""

from __future__ import annotations

from typing import Any

import pytest

from rules.kernel import Json
from tests.rules.games.market_price.test_rules import GAME, playing, stacks
from tests.rules.players.positions.thinking import is_one_of, thought

OTHERS = (("Qh", "Kc"), ("Qd", "Kh"))


def last(hand: str, shares: str, upper: dict[str, str], lower: dict[str, str]) -> Any:
    """Only seat 0 has cards left."""
    return playing(
        hand,
        "",
        "",
        shares=(tuple(shares.split()), *OTHERS),
        upper=stacks(**upper),
        lower=stacks(**{"s": "As", "h": "Ah", "d": "Ad", "c": "Ac"} | lower),
    )


LOWER, UPPER = {"at": "lower"}, {"at": "upper"}
POSITIONS = {
    "a high card covers the ace": (last("9s", "Qs Ks", {"s": "8s"}, {}), (LOWER,)),
    "a high card covers the lower price": (
        last("Ts", "Qs Ks", {"s": "3s"}, {"s": "9s"}),
        (UPPER,),
    ),
    "a low card is laid where it costs least": (
        last("5s", "Qs Ks", {"s": "8s"}, {"s": "3s"}),
        (LOWER,),
    ),
    "a price that pays others is not raised": (
        last("Tc", "Qs Ks", {"c": "3c", "s": "5s"}, {"c": "9c", "s": "4s"}),
        (LOWER,),
    ),
    "the king's company counts twice": (
        last("9s 9d", "Qd Ks", {"s": "8s", "d": "8d"}, {"s": "7s"}),
        ({"card": "9d", "at": "lower"},),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_place(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)
