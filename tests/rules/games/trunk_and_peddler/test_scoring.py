"""The Trunk and the Peddler: scoring, seats out of time, rulings and examples, by the sections of its specification."""

from __future__ import annotations

import random
from typing import Any

import pytest

from rules.games.trunk_and_peddler.phases import Choosing, Losing, Over, Storing
from rules.games.trunk_and_peddler.scoring import account
from rules.kernel import Result
from tests.rules.games.trunk_and_peddler.positions import (
    DISPLAY,
    GAME,
    PASS,
    at,
    custom,
    facts,
    hands,
    passing,
    play,
    second,
    storing,
    trick,
    won_by,
    zones,
)
from tests.rules.playouts import moved, playout, shuffled, told

# 5 End and scoring


def ended(in_force: str = "", left: str = "", **fields: Any) -> Any:
    """The end of a game in which seat 0 wins the last trick and packs its valuable face down."""
    state = at(Storing, number=8, in_force=in_force, winner=0, hands=hands(left, ""), **fields)
    return storing(state, 0)


@pytest.mark.parametrize(
    ("left", "base", "junk", "threes"),
    [("2h 3h 4h 5h 7h 8h 2s", 0, 7, 3), ("2c 3c 4c 5c", 0, 4, 2), ("", 0, 0, 0)],
)
def test_5_cards_left_in_hand(left: str, base: int, junk: int, threes: int) -> None:
    for letters, units in {"": base, "B": junk, "G": threes, "BG": threes}.items():
        state = ended(letters, left)
        assert state.units(0) == units
        assert state.hands == ((), ())
        gone = left.split() if not letters else []
        assert set(state.discards) == set(gone)


def test_5_g_threes_of_each_suit_are_laid_one_by_one() -> None:
    lines = GAME.lines(ended("G", "2h 3h 4h 5h 7h 8h 2s"), None)
    assert [line["cards"] for line in lines if line["line"] == "stacked"] == [
        ["2h", "3h", "4h"],
        ["5h", "7h", "8h"],
    ]
    assert [line["line"] for line in lines][1] == "left-junk"


def test_5_all_trunks_are_opened_at_the_end() -> None:
    state = ended(left="2h")
    assert told(GAME, state) == ["stored", "left", "opened", "opened"]
    assert zones(state, None)["trunk", 1]["cards"] == ["4h"]
    assert "Jc" not in str(GAME.view(state, 0))  # R2: closed after the end too
    assert GAME.turn(state).over


def over(in_force: str = "", **fields: Any) -> Any:
    usual = {"up": (("Jk",), ()), "display": (None,) * 8, "joker": ()}
    return at(Over, number=8, in_force=in_force, **usual | fields)


def two(first: Any, second: Any = ()) -> tuple[Any, Any]:
    return tuple(first), tuple(second)


@pytest.mark.parametrize(
    ("case", "capacity", "load", "down", "up", "score"),
    [
        ("on: loss 2", 7, 5, 0, 0, -2),
        ("ea: loss 0 and the bonus", 4, 4, 0, 0, 3),
        ("di: loss 4", 5, 7, 0, 0, -4),
        ("aa", 11, 5, 1, 3, -12),
        ("no value, any number face up", 4, 2, 1, 4, 0),
        ("two down, one up, one junk", 4, 4, 2, 1, 7),
        ("three down, one junk, no joker", 4, 4, 3, 0, 9),
        ("two down, one up, joker", 4, 4, 2, 2, 11),
        ("nothing", 4, 0, 0, 0, -4),
        ("three up, four junk", 5, 7, 0, 3, -12),
    ],
)
def test_5_the_formula(case: str, capacity: int, load: int, down: int, up: int, score: int) -> None:
    assert account(capacity, load, 2, down, up).value == score, case


def test_5_c_a_face_down_valuable_is_worth_three() -> None:
    fields = {
        "down": two((), ("Ks", "Jh", "Qd")),
        "junk": two((), ("2s",)),
        "trunk": ("4s", "4h"),
    }
    assert over(**fields).result().scores[1] == 9
    assert over("C", **fields).result().scores[1] == 12


def test_5_an_ace_is_a_trunk_of_eleven_and_a_nine_of_nine() -> None:
    state = over(trunk=("Ah", "9h"))
    assert [fact["capacity"] for fact in facts(state, "account")] == [11, 9]


def test_5_zm_the_side_adds_to_the_capacity_and_not_to_the_load() -> None:
    junk = ("2s", "3s", "4s", "5s", "8s", "9s")
    state = at(
        Storing,
        number=6,
        in_force="H",
        winner=0,
        trunk=("7s", "4h"),
        junk=(junk, ()),
        hands=hands("2d", "3d"),
    )
    assert state.load(0) == 7
    after = storing(state, 0, "side")
    assert after.load(0) == 7
    assert after.side == (("Qh",), ())
    end = over("H", trunk=("7s", "4h"), junk=(junk, ()), side=after.side)
    assert facts(end, "account")[0]["capacity"] == 10
    assert facts(end, "account")[0]["times"] == 1  # R9: no multiplier


def test_5_the_end_shows_how_each_score_came_about() -> None:
    state = over(trunk=("4s", "5h"), down=two(("Ks", "Jh")), junk=two(("2s",), ("3s",)))
    assert facts(state, "account") == [
        {
            "name": "account",
            "of": 0,
            "capacity": 4,
            "load": 4,
            "worth": 2,
            "down": 2,
            "loss": 0,
            "times": 1,
            "bonus": 3,
            "value": 7,
        },
        {
            "name": "account",
            "of": 1,
            "capacity": 5,
            "load": 1,
            "worth": 2,
            "down": 0,
            "loss": 4,
            "times": 1,
            "bonus": 0,
            "value": -4,
        },
    ]


@pytest.mark.parametrize(
    ("fields", "result"),
    [
        ({"trunk": ("4s", "5h")}, Result((0,), (-3, -5), "points")),
        ({"up": two((), ("Jk",))}, Result((1,), (-4, -3), "points")),
        # -3 from a loss of 3; 2 x 2 less a loss of 7
        (
            {"trunk": ("4s", "9h"), "down": two((), ("Ks", "Jh"))},
            Result((0,), (-3, -3), "loss"),
        ),
        # both lose 3, the second with two junk cards more
        ({"trunk": ("4s", "5h"), "junk": two((), ("2s", "3s"))}, Result((0,), (-3, -3), "junk")),
        ({"trunk": ("4s", "4h"), "up": two(("Jk",), ("Jh",))}, Result((0,), (-3, -3), "joker")),
        ({"trunk": ("4s", "4h"), "up": two(("Jh",), ("Jk",))}, Result((1,), (-3, -3), "joker")),
    ],
)
def test_5_the_first_difference_decides(fields: Any, result: Result) -> None:
    assert GAME.result(over(**fields)) == result


def test_5_a_three_is_one_unit_in_a_tie() -> None:
    fields = {
        "trunk": ("4s", "4h"),
        "up": two(("Jk",), ()),
        "threes": two((), ("2h", "3h", "4h")),
    }
    state = over("F", **fields)
    assert [fact["junk"] for fact in facts(state, "load")] == [0, 1]
    assert GAME.result(state) == Result((0,), (-3, -3), "junk")


# 6 Out of time


@pytest.mark.parametrize(
    ("hand", "card"),
    [
        ("9h 8h 5h", "8h"),
        ("9h 5h", "5h"),
        ("Ah 2h", "Ah"),
        ("7d 7c", "7d"),
        ("8s 8h", "8s"),
    ],
)
def test_6_a_trunk_near_to_seven(hand: str, card: str) -> None:
    state = Choosing(
        players=2, rules="", threes=(), side=(), display=DISPLAY, hands=hands(hand, hand)
    )
    assert GAME.fallback(state, 0) == {"type": "trunk", "card": card}


def test_6_the_lowest_card_and_no_second_one() -> None:
    state = at(hands=hands("9h Ad 2c", "2h 7h"))
    assert GAME.fallback(state, 0) == {"type": "play", "card": "Ad", "high": False}
    assert GAME.fallback(state, 1) is None
    assert GAME.fallback(at(hands=hands("3d 2h 2c", "5h")), 0) == {
        "type": "play",
        "card": "2h",
        "high": False,
    }
    assert GAME.fallback(second("5h 2h", "7h 3h"), 0) == PASS


def test_6_d_the_lowest_card_where_a_pass_is_not_legal() -> None:
    state = play(second("5h 2h", "7h Ah 3h", "D"), 0, "2h")
    assert GAME.fallback(state, 1) == {"type": "play", "card": "Ah", "high": False}


def test_6_discard_and_down() -> None:
    state = trick("5h", "7h")
    assert GAME.fallback(state, 0) == {"type": "discard"}
    assert GAME.fallback(moved(GAME, state, 0, "discard"), 1) == {"type": "store", "place": "down"}


# 7 Rulings and 8 Examples


def test_7_r3_with_nothing_face_up_nothing_is_multiplied() -> None:
    assert [account(5, 3, 2, 2, up).value for up in (0, 1, 2)] == [2, 2, 4]


def test_8_1_d_ne_and_jj_1() -> None:
    state = second("5h 4s", "7h 8h", "D")
    assert GAME.legal(state, 0) == [PASS]
    assert isinstance(passing(state, 0), Losing)


def test_8_1_d_ne_and_jj_2() -> None:
    state = play(second("5h 3h 9d", "2s 8s 9d", "D"), 0, "3h")
    assert GAME.legal(state, 1) == [{"type": "play", "card": "8s", "high": False}]
    after = play(state, 1, "8s")
    assert won_by(after) == 1
    assert after.sums == (8, 10)


@pytest.mark.parametrize("count", range(1, 7))
def test_8_3_the_stock_is_large_enough_whatever_both_draw(count: int) -> None:
    """Everybody plays two cards whenever possible."""

    def greedy(state: Any, seat: int) -> Any:
        legal = GAME.legal(state, seat)
        return legal[count - 1] if legal[0]["type"] == "draw" else legal[-1]

    for seed in range(12):
        shuffle = random.Random(seed).shuffle
        state = GAME.initial(2, custom("AH"))
        while not GAME.turn(state).over:
            turn = GAME.turn(state)
            if turn.chance:
                items = list(turn.chance.items)
                shuffle(items)
                state = shuffled(GAME, state, *items)
            else:
                seat = turn.waiting[0]
                event = {"kind": "action", "seat": seat, "action": greedy(state, seat)}
                state = GAME.apply(state, event)
        assert GAME.result(state)


@pytest.mark.parametrize("preset", ["base", "advanced", "maniac", "masochist"])
def test_5_every_game_ends_within_54_events(preset: str) -> None:
    for seed in range(10):
        pick = random.Random(seed).randrange
        steps = list(playout(GAME, 2, {"preset": preset}, pick))
        assert len(steps) <= 54
        result = GAME.result(steps[-1].after)
        assert result is not None
        assert len(result.winners) == 1
        assert result.reason in GAME.reasons
