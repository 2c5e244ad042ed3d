"""2459n!: the examples of its specification, section 8."""

from __future__ import annotations

import pytest

from rules.games.n2459.phases import Collecting, Over
from rules.games.n2459.scoring import run, strength
from rules.kernel import Illegal, Result
from tests.rules.games.n2459.positions import (
    AT,
    GAME,
    TIME_UP,
    cards,
    choose,
    collecting,
    draw,
    put_back,
    racing,
    result_of,
    seen,
)
from tests.rules.playouts import moved, told


@pytest.mark.parametrize(
    ("collection", "length"),
    [("2s 4s 9s Ks", 2), ("2h 5h 9h Kh", 3), ("4d 5d 9d", 3), ("2c 5c Kc", 0)],
)
def test_8_1_runs(collection: str, length: int) -> None:
    assert run(cards(collection)) == length


def test_8_1_the_four_meet() -> None:
    result = result_of("2s 4s 9s Ks", "2h 5h 9h Kh", "4d 5d 9d", "2c 5c Kc")
    assert result == Result((1,), (2, 3, 3, 0), "time-up")


@pytest.mark.parametrize(
    ("held", "winners", "reason"),
    [
        (("4s 5s 9s Jd", "4h 5h 9h Kc", ""), (1,), "time-up"),
        (("4s 5s 9s Kd", "4h 5h 9h Kc", ""), (), "mascot"),
        (("4s 5s Kd", "5h 9h Kc", ""), (), "mascot"),
        (("4s 5s Jd", "4h 5h", "Ks"), (0,), "time-up"),
        (("2s 4s", "4h 5h", ""), (1,), "time-up"),
        (("2s 4s 9d", "4h 5h", ""), (0,), "time-up"),
        (("2s 4s 5d", "4h 5h", ""), (), "mascot"),
        (("2s 5s", "Jh", "4c"), (1,), "time-up"),
        (("", "", ""), (), "mascot"),
    ],
)
def test_8_2_to_6_who_wins(held: tuple[str, ...], winners: tuple[int, ...], reason: str) -> None:
    result = result_of(*held)
    assert (result.winners, result.reason) == (winners, reason)


def test_8_6_cards_of_different_suits_are_not_neighbours() -> None:
    assert [run(cards(each)) for each in ("2s 4h", "4s 5h 9h", "")] == [0, 2, 0]
    assert strength(cards("2s 5s")) == (0, 0, 5)


@pytest.mark.parametrize(("first", "winners"), [("Js", (1,)), ("Qs", (0, 1))])
def test_8_7_two_complete_in_the_same_round(first: str, winners: tuple[int, ...]) -> None:
    state = collecting("2s 4s 5s 9s", "2h 4h 5h 9h", "")
    state = choose(state, first, "Qh", ".")
    assert GAME.result(state) == Result(winners, (5, 5, 0), "complete")


def test_8_8_a_completing_card_is_exchanged_at_once() -> None:
    state = choose(collecting("2s 4s 5s 9h Qs", "", ""), "9s", ".", ".")
    assert GAME.result(state) == Result((0,), (5, 0, 0), "complete")
    assert state.positions[AT["9s"]] == "9h"
    assert [seen(state, viewer, AT["9s"]) for viewer in (0, 1)] == ["9h", None]


def test_8_9_each_draw_with_each_keep() -> None:
    state = choose(collecting("4s", "", ""), "4h", ".", ".")
    legal = GAME.legal(state, 0)
    assert len(legal) == 2 * (52 + 1)
    assert legal[0] == {"type": "draw", "at": 0, "keep": "held"}
    assert legal[52] == {"type": "stay", "keep": "held"}
    assert legal[53] == {"type": "draw", "at": 0, "keep": "drawn"}
    for keep, card in (("drawn", "4s"), ("held", "4h")):
        assert choose(state, f". {keep}", "4h", ".").collections[1] == (card,)


def test_8_9_keep_is_required_with_a_drawn_card_and_refused_without() -> None:
    state = choose(collecting("4s", "", ""), "4h", ".", ".")
    with pytest.raises(Illegal) as refused:
        choose(state, "7d")
    assert refused.value.why == {"wrong": "keep", "may": ["held", "drawn"]}
    with pytest.raises(Illegal) as refused:
        moved(GAME, state, 1, "stay", keep="held")
    assert refused.value.why == {"wrong": "keep", "may": []}


def test_8_10_the_seat_that_last_laid_a_card_may_look() -> None:
    state = choose(collecting("", "", ""), "7d", ".", ".")
    assert [seen(state, viewer, AT["7d"]) for viewer in (0, 1, None)] == ["7d", None, None]
    state = choose(state, ".", "7d", ".")
    assert [seen(state, viewer, AT["7d"]) for viewer in (0, 1, None)] == [None, "7d", None]


def test_8_11_the_first_hand_rotates() -> None:
    state = choose(collecting("", "", ""), "2s", "2s", "2s")
    assert state.collections == (("2s",), (), ())
    state = choose(collecting("", "", "", round=3), "2s", "2s", "2s")
    assert state.collections == ((), (), ("2s",))


def test_8_12_the_joker_turns_up_the_blanks_of_its_round() -> None:
    state = choose(collecting("", "", "4s"), "7d", ".", ".")
    state = choose(state, "Jk", "8s", "4c")
    assert seen(state, None, AT["8s"]) == "8s"
    assert seen(state, 1, AT["7d"]) is None
    assert seen(state, 1, AT["4c"]) is None
    state = choose(state, ".", ".", ". held")
    assert seen(state, 1, AT["4c"]) == "4c"
    assert told(GAME, state) == ["chosen", "laid", "stood", "stood", "stood"]


def test_8_13_a_card_put_back_in_the_jokers_round_is_face_down() -> None:
    state = choose(collecting("4s", "", ""), "4h", ".", ".")
    state = choose(state, ". held", "Jk", ".")
    assert [seen(state, viewer, AT["4h"]) for viewer in (0, 1)] == ["4h", None]


@pytest.mark.parametrize(
    ("held", "drawn", "kept"),
    [
        ("4s 5s 9s Jd", "Js", "4s 5s 9s Js"),
        ("4s 5s 9s Js", "Kd", "4s 5s 9s Js"),
        ("9h", "9s", "9h"),
    ],
)
def test_8_14_the_last_round(held: str, drawn: str, kept: str) -> None:
    state = choose(collecting(held, "", "", rounds=10, round=10), drawn, ".", ".")
    assert state.shown[0] == cards(kept)
    assert state.positions[AT[drawn]] in {*held.split(), drawn}


def test_8_15_a_card_that_is_put_back_is_no_standstill() -> None:
    state = choose(collecting("9h", "", ""), "7d", ".", ".")
    state = choose(state, "9s", ".", ".")
    state = choose(state, ". held", ".", ".")
    assert (type(state), state.round) == (Collecting, 4)
    state = choose(state, ".", ".", ".")
    assert isinstance(state, Over)


def test_8_16_live_a_drawn_card_leaves_its_position() -> None:
    state = draw(racing("", "", ""), 1, "7d")
    assert GAME.legal(state, 1) == [{"type": "put-back"}]
    assert AT["7d"] not in [action.get("at") for action in GAME.legal(state, 0)]
    state = put_back(state, 1)
    assert [seen(state, viewer, AT["7d"]) for viewer in (0, 1, None)] == [None, None, None]


def test_8_17_complete_but_not_shown() -> None:
    state = racing("2s 4s 5s 9s Ks", "4h 5h", "")
    assert GAME.result(GAME.apply(state, TIME_UP)) == Result((0,), (5, 2, 0), "time-up")
    with pytest.raises(Illegal) as refused:
        GAME.apply(moved(GAME, state, 0, "show"), TIME_UP)
    assert refused.value.why == {"wrong": "kind", "may": []}
