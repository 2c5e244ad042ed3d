"""The end of 2459n! in rounds: the known cards of the table, and the card to keep."""

from __future__ import annotations

from typing import Any

import pytest

from rules.players.search import Effort
from tests.rules.games.n2459.positions import ALL, AT, GAME, collecting
from tests.rules.players.positions.thinking import EASY, thought

FEW = Effort(100)


def last(*held: str, up: str = "", own: str = "", taken: str = "") -> Any:
    """The last round: the face-up cards, those that seat 0 has laid, and the one in its drawing hand."""
    laid = {*own.split(), *taken.split()}
    return collecting(
        *held,
        round=24,
        taken=(AT[taken] if taken else None, *((None,) * (len(held) - 1))),
        face_up=tuple(card in up.split() for card in ALL),
        laid=tuple(0 if card in laid else None for card in ALL),
        jokers=((), ("Jk",), ()) if up else ((), (), ()),
        **(
            {"positions": tuple(None if c == "Jk" or c in " ".join(held) else c for c in ALL)}
            if up
            else {}
        ),
    )


REACHED = {
    "a face card completes the collection": (last("2s 4s 5s 9s", "4h 5h", "", up="Ks 7d"), "Ks"),
    "a known card makes the run longer": (last("2s 4s", "4h 5h 9h", "5d", own="5s 7d"), "5s"),
    "a known nine makes a run of three": (last("4s 5s", "2h 4h", "5d", own="9s 8s"), "9s"),
}


@pytest.mark.parametrize(("state", "card"), REACHED.values(), ids=REACHED)
def test_strong_reaches_for_the_best_card(state: Any, card: str) -> None:
    assert thought(GAME, state, FEW)["at"] == AT[card]


KEPT = {
    "the drawn card joins a run": (last("2s 4h 5s", "2d", "2c", taken="4s"), "drawn"),
    "the held card is in a run": (last("2s 4s 5s", "2d", "2c", taken="4h"), "held"),
    "a king beats a jack": (last("4s 5s Jd", "4h 5h", "2c", taken="Kd"), "drawn"),
    "a jack does not beat a king": (last("4s 5s Kd", "4h 5h", "2c", taken="Jd"), "held"),
}


@pytest.mark.parametrize(("state", "keep"), KEPT.values(), ids=KEPT)
def test_strong_keeps_the_better_card(state: Any, keep: str) -> None:
    assert thought(GAME, state, FEW)["keep"] == keep


@pytest.mark.parametrize("seed", range(3))
def test_easy_does_not_look_at_a_blank_again(seed: int) -> None:
    state = last("2s 4s", "4h 5h", "5d", own="As 3s 6s 7s 8s Ts Ah 3h 6h 7h")
    found = thought(GAME, state, EASY, seed)
    assert found["type"] == "draw"
    assert state.laid[found["at"]] is None
