"""Blame the Magic: a seat survives with all others, or alone."""

from __future__ import annotations

from typing import Any

import pytest

from rules.games.blame_the_magic.phases import Closing, Leading
from rules.kernel import Json
from tests.rules.games.blame_the_magic.positions import GAME, at
from tests.rules.players.positions.thinking import is_one_of, thought

LOSE = {"type": "lose"}


def closing(*zones: str) -> Any:
    """The last window of the last round, in which seat 2 may act."""
    return at(Closing, ["", "", ""], list(zones), round=3, joker=0)


def leading(hand: str, *zones: str) -> Any:
    """Seat 2 leads the last card of the last round; the marker is used."""
    return at(Leading, ["4", "", hand], list(zones), round=3, joker=2, marker=9, settled=True)


POSITIONS = {
    "it steps back from the limit, and all survive": (
        closing("7 6 5", "5 7", "7 5 4 3"),
        (LOSE,),
    ),
    "only the seven makes it the least conspicuous": (
        closing("5 7", "5 2", "5 7"),
        ({"type": "lose", "card": "7d"},),
    ),
    "all but one have enough: the least conspicuous survives": (
        closing("5 7", "5 6", "5 7"),
        (LOSE,),
    ),
    "the ace alone is less than eight": (closing("5 7", "7", "7"), (LOSE,)),
    "two stays below the other who has too little": (
        leading("7 2", "5 7", "5 3", "5"),
        ({"type": "lead", "card": "2d"},),
    ),
    "seven would be the second above the limit": (
        leading("7 2", "7 6 4", "5 7", "5 6"),
        ({"type": "lead", "card": "2d"},),
    ),
}


@pytest.mark.parametrize(("state", "best"), POSITIONS.values(), ids=POSITIONS)
def test_strong_finds_the_way_to_survive(state: Any, best: tuple[Json, ...]) -> None:
    assert is_one_of(thought(GAME, state), best)
