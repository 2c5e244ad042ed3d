"""Blame the Magic: the examples of its specification, section 8."""

from __future__ import annotations

from rules.games.blame_the_magic.phases import Leading
from rules.kernel import Turn
from tests.rules.games.blame_the_magic.positions import GAME, at, lead
from tests.rules.playouts import moved, told


def test_8_the_chain() -> None:
    hands = ["5 2 3 4", "2 3 7", "2 6 7"]
    state = lead(at(Leading, hands, marker=9), "5")
    assert (state.zones[0], state.joker) == (("5s",), 0)
    two = lead(state, "2")
    assert (two.zones[2], two.joker) == (("2d",), 2)
    assert GAME.turn(two).waiting == (2,)
    three = lead(state, "3")
    assert (three.zones[1], three.joker) == (("3h",), 1)
    state = at(Leading, ["2 3", "2 4", "2 5"], joker=1, marker=9)
    state = lead(state, "2")
    assert told(GAME, state)[:2] == ["laid", "has"]
    assert GAME.lines(state, None)[1] == {"line": "has", "seat": 2, "card": "2d"}
    assert (state.zones[0], state.joker) == (("2s",), 0)


def test_8_the_holder_is_asked_in_the_middle_of_a_chain() -> None:
    state = at(Leading, ["2 3", "2 4", "2 5", "2 6"], round=3)
    state = lead(state, "2")
    assert state.laid == ("2h",)
    assert "2s" in state.guilds[0]
    assert GAME.turn(state) == Turn(waiting=(2,))
    hidden = moved(GAME, state, 2, "return", card="2d")
    assert hidden.zones == ((), (), (), ("2c",))
    assert "2h" in hidden.guilds[1]
    other = moved(GAME, state, 2, "return", card="5d")
    assert told(GAME, other)[:8] == [
        "returned",
        "has",
        "back",
        "has",
        "back",
        "kept",
        "joker",
        "closed",
    ]


def test_8_a_card_that_is_returned_can_end_the_round() -> None:
    state = lead(at(Leading, ["2", "2 4", "3 5"], marker=9), "2")
    assert "closed" in told(GAME, state)
    assert state.round == 2
