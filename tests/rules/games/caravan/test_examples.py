"""Caravan: the examples of its specification, section 8."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from rules.games.caravan.components import saleable
from rules.games.caravan.scoring import points
from rules.kernel import Illegal, Result
from tests.rules.cases import case
from tests.rules.games.caravan.positions import (
    GAME,
    HAND_0,
    cards,
    deal,
    lane_0,
    may_play,
    opening,
    play,
    shuffle,
    trading,
)
from tests.rules.playouts import Step, moved, shuffled, told
from tests.rules.worlds import check


def test_8_1_the_opening_of_the_source() -> None:
    first = moved(GAME, opening(), 0, "open", cards=["3h", "7d", "9s"])
    assert GAME.view(first, 0)["facts"][0] == {"name": "open", "of": 0, "cards": ["3h", "7d", "9s"]}
    for viewer in (1, None):
        view = GAME.view(first, viewer)
        assert view["committed"] == [0]
        assert not any(fact["name"] == "open" for fact in view["facts"])
    both = moved(GAME, first, 1, "open", cards=["Tc", "4h", "8c"])
    assert both.rows == ((("3h",), ("7d",), ("9s",)), (("Tc",), ("4h",), ("8c",)))
    assert list(map(len, both.hands)) == [5, 5]
    assert GAME.turn(both).waiting == (0,)
    assert told(GAME, both) == ["chosen", "opened", "opened"]


def test_8_2_a_hand_that_cannot_open_is_shown_and_dealt_again() -> None:
    state = GAME.initial(2, {})
    again = shuffled(GAME, state, *deal("Js Qs Ks Jh Qh Kh As 2s"))
    assert GAME.turn(again) == GAME.turn(state)
    shown = ["As", "2s", "Js", "Qs", "Ks", "Jh", "Qh", "Kh"]
    assert GAME.lines(again, None) == [{"line": "shown", "seat": 0, "cards": shown}]
    assert shuffled(GAME, again, *deal(HAND_0)).dealt == 1


def test_8_2_what_was_shown_says_nothing_about_the_next_deal() -> None:
    first = GAME.initial(2, {})
    events = [shuffle("Js Qs Ks Jh Qh Kh As 2s"), shuffle(HAND_0)]
    again = GAME.apply(first, events[0])
    steps = (
        Step(first, events[0], again),
        Step(again, events[1], GAME.apply(again, events[1])),
    )
    for seed, step in itertools.product(range(20), steps):
        with case(f"seed {seed}"):
            check(GAME, step, random.Random(seed))


@pytest.mark.parametrize(
    ("row", "direction", "yes", "no"),
    [
        ("4s 6h", "up", "8d 2h Th 5h", "5d 6d"),
        ("9d 5c", "down", "2h 3c", "5d 5h 8d"),
        ("7c", None, "8d 2h", "7s"),
    ],
)
def test_8_3_number_cards(row: str, direction: str | None, yes: str, no: str) -> None:
    for card in cards(yes):
        assert may_play(trading(row, "", direction, card), card)
    for card in cards(no):
        assert not may_play(trading(row, "", direction, card), card)


@pytest.mark.parametrize(("card", "direction"), [("2h", "down"), ("Th", "up"), ("5h", "down")])
def test_8_3_the_same_suit_turns_the_row(card: str, direction: str) -> None:
    state = play(trading("4s 6h", "", "up", card), card)
    assert lane_0(state) == (f"4s 6h {card}", direction)


def test_8_4_face_cards_lie_on_the_last_number_card() -> None:
    state = trading("4s 6h", "", "up", "Qs", rows=((cards("4s 6h Kd"), (), ()), ((), (), ())))
    state = play(state, "Qs")
    assert lane_0(state) == ("4s 6h Kd Qs", "down")
    for card, legal in [("5d", True), ("2h", True), ("7d", False)]:
        assert may_play(trading("4s 6h Kd Qs", "", "down", card), card) is legal


@pytest.mark.parametrize(
    ("row", "direction", "legal"),
    [("4s 6h", "up", True), ("9d Kc", None, False), ("", None, False)],
)
def test_8_5_a_queen_needs_a_direction(row: str, direction: str | None, legal: bool) -> None:
    assert may_play(trading(row, "", direction, "Qh"), "Qh") is legal


@pytest.mark.parametrize(
    ("row", "total"),
    [("5h Kd", 10), ("Th Kd Ks", 30), ("5h Qd Kd 3s", 13), ("Kd 5h", 5), ("", 0), ("As Ts", 11)],
)
def test_8_6_points(row: str, total: int) -> None:
    assert points(cards(row)) == total


@pytest.mark.parametrize(("at", "total"), [(0, 10), (1, 14), (2, 16)])
def test_8_6_a_king_anywhere(at: int, total: int) -> None:
    state = play(trading("4s 6h", "", "up", "Kh"), "Kh", at=at)
    assert points(state.rows[0][0]) == total
    assert state.directions[0][0] == "up"


@pytest.mark.parametrize(
    ("at", "left", "total"),
    [
        (2, ("6h 9c", "up"), 15),
        (1, ("Kd 6h 9c", "up"), 15),
        (3, ("9c", None), 9),
        (4, ("", None), 0),
        (0, ("4s Kd 6h 9c", "up"), 23),
    ],
)
def test_8_7_a_jack(at: int, left: tuple[str, str | None], total: int) -> None:
    state = play(trading("4s Kd 6h 9c", "", "up", "Jh"), "Jh", at=at, as_="J")
    assert lane_0(state) == left
    assert points(state.rows[0][0]) == total
    assert sorted(state.discards[0]) == sorted((*cards("4s Kd 6h 9c")[:at], "Jh"))


def test_8_7_a_king_does_not_stay_on_its_own() -> None:
    state = play(trading("9d Kc", hand="Jh"), "Jh", at=1, as_="J")
    assert lane_0(state) == ("", None)
    assert state.discards[0] == ("9d", "Kc", "Jh")


@pytest.mark.parametrize("card", ["Jk", "Jh"])
@pytest.mark.parametrize(
    ("at", "own", "facing"),
    [
        (4, "4s Kd Qs 4c", "4d 2c"),
        (1, "6h Kd Qs", "6s 2c"),
        (0, "4s 6h Kd Qs 4c", "6s 4d 2c"),
    ],
)
def test_8_8_a_joker(card: str, at: int, own: str, facing: str) -> None:
    state = trading("4s 6h Kd Qs 4c", "6s 4d 2c", "down", card, joker="both")
    state = play(state, card, at=at, **({"as_": "Jk"} if card == "Jh" else {}))
    assert state.rows[0][0] == cards(own)
    assert state.rows[1][0] == cards(facing)
    assert state.discards[0][-1] == card
    if at == 4:
        assert points(state.rows[0][0]) == 12


ROW = {
    0: "",
    5: "5{}",
    20: "T{0} 6{0} 4{0}",
    21: "T{0} 6{0} 5{0}",
    24: "T{0} 9{0} 5{0}",
    26: "T{0} 9{0} 7{0}",
    27: "T{0} 9{0} 8{0}",
}


@pytest.mark.parametrize(
    ("own", "facing", "sells"),
    [
        (21, 5, True),
        (26, 5, True),
        (21, 0, True),
        (24, 21, True),
        (24, 27, True),
        (24, 20, True),
        (20, 5, False),
        (27, 5, False),
        (24, 24, False),
        (24, 26, False),
    ],
)
def test_8_9_sales(own: int, facing: int, sells: bool) -> None:
    state = trading(ROW[own].format("s"), ROW[facing].format("d"))
    assert points(state.rows[0][0]) == own
    assert points(state.rows[1][0]) == facing
    assert saleable(state, 0) == ([0] if sells else [])
    assert ({"type": "sell", "lanes": [0]} in GAME.legal(state, 0)) is sells


def test_8_10_every_set_of_saleable_lanes() -> None:
    rows = ((cards("Ts 9s 3s"), cards("5c"), cards("Th 9h 4h")), ((), (), ()))
    state = trading(rows=rows)
    sales = [action["lanes"] for action in GAME.legal(state, 0) if action["type"] == "sell"]
    assert sales == [[0], [2], [0, 2]]
    over = moved(GAME, state, 0, "sell", lanes=[0, 2])
    assert GAME.result(over) == Result((0,), (2, 0), "sold")
    for wrong in ([2, 0], [0, 0], [], [1], [0, True], 0, "02"):
        with pytest.raises(Illegal):
            moved(GAME, state, 0, "sell", lanes=wrong)


def test_8_10_three_lanes_at_once() -> None:
    rows = (tuple(cards(f"T{suit} 9{suit} 3{suit}") for suit in "shd"), ((), (), ()))
    state = trading(rows=rows, hand="")
    sales = [action["lanes"] for action in GAME.legal(state, 0)]
    assert sales == [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]]
    over = moved(GAME, state, 0, "sell", lanes=[0, 1, 2])
    assert GAME.result(over) == Result((0,), (3, 0), "sold")


def test_8_11_a_seat_that_can_do_nothing_is_skipped() -> None:
    state = trading(hand="2s 3s", hands=(("2s", "3s"), ()))
    state = moved(GAME, state, 0, "discard", card="2s")
    assert GAME.turn(state).waiting == (0,)
    assert told(GAME, state) == ["discarded", "skipped"]


def test_8_11_a_lane_to_sell_keeps_a_seat_without_cards_in_the_game() -> None:
    state = trading("", "Ts 9s 3s", hand="2s", hands=(("2s",), ()))
    state = moved(GAME, state, 0, "discard", card="2s")
    assert GAME.turn(state).waiting == (1,)
    state = moved(GAME, state, 1, "sell", lanes=[0])
    assert GAME.result(state) == Result((1,), (0, 1), "exhausted")


@pytest.mark.parametrize(
    ("sold", "winners", "scores"),
    [
        ((0, None, None), (0,), (1, 0)),
        ((None, 1, None), (1,), (0, 1)),
        ((None,) * 3, (), (0, 0)),
        ((1, 0, None), (), (1, 1)),
    ],
)
def test_8_11_both_exhausted(sold: Any, winners: Any, scores: Any) -> None:
    state = trading(hand="2s", hands=(("2s",), ()), sold=sold)
    over = moved(GAME, state, 0, "discard", card="2s")
    assert GAME.result(over) == Result(winners, scores, "exhausted")
    assert told(GAME, over) == ["discarded", "skipped", "skipped"]
