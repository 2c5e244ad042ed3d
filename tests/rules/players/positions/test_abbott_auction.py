"""Auction (Abbott): when to end a deal, and what to pay for the pile."""

from __future__ import annotations

from typing import Any

import pytest

from rules.kernel import Json
from rules.players.search import Effort
from tests.rules.games.abbott_auction.positions import GAME, bidding, won
from tests.rules.players.positions.thinking import EASY, is_one_of, thought

DECLARE = {"type": "declare"}
PILE = "9d Ad 8c Kh 3h Qd 4h Js"
WEAK = "2c 3d 5h 7s 8d 9h Jc Kc 4c 6d"

FEW = Effort(60)


def alone(hand: str, pile: str = PILE, **fields: Any) -> Any:
    """The last deal, with one other seat, whose hand is hidden."""
    return bidding(hand, WEAK, pile=pile, stock="2d 3c 5d 6h 7d 8h", max_deals=1, **fields)


def laying(hand: str, kind: str, rank: str) -> Any:
    """Seat 0 has won with a claim, and lays its payment for the pile."""
    return won(alone(hand, pile="Ac Ks"), 0, kind, *([rank] if rank else []))


POSITIONS = {
    "nobody beats a royal flush": (alone("As Ks Qs Ts 2s 3h 4d Th 7h Jh Js"), (DECLARE,)),
    "four kings win the deal": (
        alone("Ks Kd Kc Kh As Ah 3c 4d 6c 7h", "9d Ad 8c 2h 3h Qd 4h Jd"),
        (DECLARE,),
    ),
    "a card of the flush is kept": (
        laying("9s 9h 2s 4s Ts Qs 3d 6c 7d 8h", "single", "9"),
        ({"card": "9h"},),
    ),
    "a card of the four is kept": (
        laying("4s 4h 4d 4c Ks 5h 5s 6s 7s 9s", "pair", "5"),
        ({"card": "5h"}, {"card": "5s"}),
    ),
    "of a single five, the one outside the straight flush is laid": (
        laying("5s 5d 6s 7s 8s 9s 2h 3c Jd Qh", "single", "5"),
        ({"card": "5d"},),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_action(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state, FEW), best)


@pytest.mark.parametrize("seed", range(3))
def test_easy_does_not_declare_with_a_pair(seed: int) -> None:
    assert thought(GAME, alone("2s 2h 4h 7c 9c Th Jh Qs Ad 5s"), EASY, seed) != DECLARE
