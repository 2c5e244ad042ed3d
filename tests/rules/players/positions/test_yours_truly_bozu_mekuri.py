"""Yours truly, Bozu-mekuri: which card goes where, and when to stop."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.yours_truly_bozu_mekuri.phases import Acting, Covering, Keeping, Placing
from rules.kernel import Json
from tests.rules.games.yours_truly_bozu_mekuri.positions import GAME, at
from tests.rules.players.positions.thinking import EASY, is_one_of, thought

LAST = {"stock": (), "pile": (), "restocked": True, "repiled": True, "last": 1}
"""The last turn of the last round: seat 1 would be next, but the game ends before."""


def last(phase: Any = Acting, rows: str = "Js/Qh/Kd", hand: str = "", **fields: Any) -> Any:
    return at(phase, rows, hand, **{**LAST, **fields})


POSITIONS = {
    "exactly twelve brings three cards": (
        last(rows="Js/Qh 5h 4h/Kd", hand="3h 2c", acted=True),
        ({"type": "play", "card": "3h", "row": 1},),
    ),
    "the cards of the chosen suit are kept": (
        last(
            Keeping,
            rows="Js//Kd",
            hands=(("2s", "3s"), ("Th", "8h"), ()),
            pending=("4s", "6s", "5c"),
            need=2,
            vacant=1,
        ),
        ({"type": "keep", "cards": ["4s", "6s"]},),
    ),
    "a set of three is kept": (
        last(
            Keeping,
            rows="Js//Kd",
            hands=(("7s", "7d"), ("9s", "8s"), ()),
            pending=("7h", "8c", "2c"),
            need=2,
            vacant=1,
        ),
        ({"type": "keep", "cards": ["7h", "8c"]},),
    ),
    "a card covers the bozu of its suit": (
        last(
            Covering,
            rows="Jd//Kd",
            hands=((), (), ()),
            pending=("2c", "2h", "9d"),
            vacant=1,
            own=(("Kc", "Tc", "Qh"), ("Qs", "Js", "9s"), ("Ks", "Qd")),
        ),
        ({"card": "2c", "bozu": "Kc"}, {"card": "2h", "bozu": "Qh"}),
    ),
    "a card that fits no bozu goes where it does no harm": (
        last(
            Placing,
            rows="Js 9s/Qh/Kd Td",
            hands=(("Th",), ("9h",), ("As",)),
            drawn=("9c",),
        ),
        ({"type": "place", "row": 1},),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_best_card(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)


@pytest.mark.parametrize("seed", range(3))
def test_easy_does_not_take_a_bozu_for_nothing(seed: int) -> None:
    state = last(rows="Js 9s/Qh Th/Kd Td", hand="8s", acted=True)
    assert thought(GAME, state, EASY, seed)["type"] == "end"
