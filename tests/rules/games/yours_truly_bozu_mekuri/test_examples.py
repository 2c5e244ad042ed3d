"""Yours truly, Bozu-mekuri: the examples of its specification, section 8."""

from __future__ import annotations

from tests.rules.games.yours_truly_bozu_mekuri.positions import GAME, at, play
from tests.rules.playouts import told


def test_8_a_10_alone_beside_a_jack_stops_the_turn() -> None:
    state = play(at(hand="Ts 9c"), "Ts", 0)
    assert told(GAME, state)[:3] == ["played", "discarded", "beaten"]
    assert state.hands[0] == ("3c", "4c", "9c")
