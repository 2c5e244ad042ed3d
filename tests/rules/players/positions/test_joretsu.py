"""Joretsu: the values in the last comparison."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.joretsu.phases import Showdown
from rules.kernel import Json
from tests.rules.games.joretsu.test_rules import GAME, SHDC, bidding, cards, part_2
from tests.rules.players.positions.thinking import EASY, is_one_of, thought

OTHERS = ("Qs 8h 3d", "5h 4h 2d")


def showdown(hand: str, ladder: tuple[str, ...] = SHDC) -> Any:
    hands = tuple(map(cards, (hand, *OTHERS)))
    return bidding(stock=()).change(Showdown, hands=hands, round=6, aces=(), ladder=ladder)


def chief(*hands: str, **fields: Any) -> Any:
    """Seat 0 decides after the last comparison of part II; nobody has drawn."""
    return part_2(drawer=None, hands=tuple(map(cards, hands)), **{"round": 5, **fields})


POSITIONS = {
    "the two best of four": (
        showdown("Ks Qh 2d 3c"),
        ({"type": "showdown", "cards": ["Ks", "Qh"]},),
    ),
    "a ten in the first place is more than a king in the last": (
        showdown("Ts Jh Kc 2h"),
        ({"type": "showdown", "cards": ["Ts", "Jh"]},),
    ),
    "the own suit is raised": (
        chief("Kh Qh 2d", "Qs Js 3d", "4c 3c 2c"),
        ({"type": "raise", "suit": "h"},),
    ),
    "the own suit stays in front": (
        chief("Ks Qs 2d", "Kh Qh 2h", "Th Jh 3d"),
        ({"type": "decline"}, {"type": "raise", "suit": "d"}, {"type": "raise", "suit": "c"}),
    ),
    "the best card is kept": (
        part_2(
            chief=1,
            drawer=0,
            hands=tuple(map(cards, ("9s 8h 2d", "Js 8s 3d", "Jh 7s 4d"))),
            round=5,
            drawn=(cards("Kc Qs 2c"), (), ()),
        ),
        ({"type": "keep", "card": "Qs"},),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_action(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)


@pytest.mark.parametrize("seed", range(3))
def test_easy_shows_its_best_cards(seed: int) -> None:
    assert thought(GAME, showdown("Ks Qs 2d 3c"), EASY, seed)["cards"] == ["Ks", "Qs"]
