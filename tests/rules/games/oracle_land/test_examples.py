"""The Land of Oracles: the examples of its specification, section 8."""

from __future__ import annotations

from rules.games.oracle_land.phases import Playing, Rewarding
from rules.kernel import Marked
from tests.rules.games.oracle_land.positions import (
    GAME,
    at,
    dealt,
    face,
    facts,
    fields_of,
    hands,
    play,
)
from tests.rules.playouts import moved


def test_8_gray_and_the_colours() -> None:
    state = play(at(Playing, hands=hands("2h 5h", "3h", "3d")), "2h")
    assert GAME.view(state, None)["prompt"] == {"seat": 1, "led": "h"}
    state = play(at(Playing, hands=hands("5h 2h", "3s 8h", "3d")), "5h-")
    assert GAME.view(state, None)["prompt"] == {"seat": 1, "led": "none"}
    assert len(GAME.legal(state, 1)) == 2, "anything may be laid"
    assert facts(state, "number") == [{"name": "number", "of": 0, "value": 4}]


def test_8_a_first_trick_of_4s() -> None:
    four = hands("8h 7h", "4s 8d", "4h 8c", "4d 8s")
    state = at(Playing, 4, hands=four, secrets=hands("3s", "3h", "3d", "3c"))
    state = play(state, "8h", "4s", "4h", "4d")
    assert (state.winner, state.loser) == (0, 3)
    state = moved(GAME, state, 3, "bonus", card="9s")
    assert state.rows[0] == (Marked("8h", ("covered",)),)
    assert (state.covering[0], state.sealing[0], state.aside) == (("4s",), ("4h",), ("4d",))
    faces = "7s 4c 8c 8d"
    trick = tuple((face(text),) for text in faces.split())
    state = Rewarding(**{**fields_of(state), "trick": trick, "winner": 0, "loser": 1})
    state = moved(GAME, state, 1, "bonus", card="9h")
    assert [action["cards"] for action in GAME.legal(state, 0)] == [["7s"], ["8d"], ["8c"]]


def test_8_hazy_moon_in_canonical_order() -> None:
    state = dealt(3, oborozuki=True)
    while not state.moon:
        seat = GAME.turn(state).waiting[0]
        action = GAME.fallback(state, seat)
        assert action
        state = GAME.apply(state, {"kind": "action", "seat": seat, "action": action})
    assert state.moon == ("8c",)
